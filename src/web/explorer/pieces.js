// Lines of a network, and points, as pieces: from the server's bytes, for a part of the map, and what their
// colours tell. Pure.

const HEADER = 24;
// Floats: u, v, width of both ends in parts of the window's side, a kind, and both ends' values from 0 to 1
export const PIECE = 9;

// The values that colours tell: `value(i)` is that of a point; log: by factors, as discharges are.
function valuesOf(count, value, log) {
  let low = Infinity,
    high = -Infinity;
  for (let i = 0; i < count; i++) {
    low = Math.min(low, value(i));
    high = Math.max(high, value(i));
  }
  const on = log ? Math.log : each => each,
    span = on(high) - on(low) || 1;
  return {
    low,
    high,
    log,
    shareOf: i => (on(value(i)) - on(low)) / span,
    valueAt: share => (log ? low * (high / low) ** share : low + share * (high - low)),
  };
}

// Of the pieces of ESKL's lines, and of points, which are pieces without a length. `values`: of the discharge
// of lines, the altitude of points.
export function readLines(bytes) {
  const view = new DataView(bytes);
  if (bytes.byteLength < HEADER || view.getUint32(0) !== 0x45534b4c)
    throw new Error("the server sent no lines");
  const [width, height, lines, points] = [8, 12, 16, 20].map(at => view.getUint32(at, true));
  if (bytes.byteLength !== HEADER + 16 * lines + 20 * points) throw new Error("lines were cut short");
  const heads = new Uint32Array(bytes, HEADER, 4 * lines),
    values = new Float32Array(bytes, HEADER + 16 * lines, 5 * points);
  const told = lines
    ? valuesOf(points, i => Math.max(values[5 * i + 4], 1), true)
    : valuesOf(points, i => values[5 * i + 2], false);
  const pieces = [],
    side = Math.max(width, height);
  const end = i => [values[5 * i] / width, values[5 * i + 1] / height, values[5 * i + 3] / side];
  for (let line = 0; line < lines; line++)
    for (let i = heads[4 * line], last = i + heads[4 * line + 1] - 1; i < last; i++) {
      const next = end(i + 1);
      if (i === last - 1) next[2] = Math.min(next[2], end(i)[2]); // there it joins a wider one
      pieces.push(...end(i), ...next, 0, told.shareOf(i), told.shareOf(i + 1));
    }
  if (!lines)
    for (let i = 0; i < points; i++) {
      const [u, v, radius] = end(i);
      pieces.push(u, v, 2 * radius, u, v, 2 * radius, values[5 * i + 4], told.shareOf(i), told.shareOf(i));
    }
  return { pieces: Float32Array.from(pieces), count: pieces.length / PIECE, values: told };
}

// Those of them that touch a part of the window, [left, upper, width, height], as lines of that part.
export function partOfLines({ pieces, count, values }, [left, upper, wide, high]) {
  const kept = [],
    u = value => (value - left) / wide,
    v = value => (value - upper) / high,
    touches = (a, b, room) => Math.max(a, b) > -room && Math.min(a, b) < 1 + room;
  for (let at = 0; at < count * PIECE; at += PIECE) {
    const [u0, v0, w0, u1, v1, w1, ...rest] = pieces.subarray(at, at + PIECE),
      room = Math.max(w0, w1) / wide;
    if (touches(u(u0), u(u1), room) && touches(v(v0), v(v1), room))
      kept.push(u(u0), v(v0), w0 / wide, u(u1), v(v1), w1 / wide, ...rest);
  }
  return { pieces: Float32Array.from(kept), count: kept.length / PIECE, values };
}

const WIDE = { highway: 2.4, road: 1.7, track: 1.1, lane: 1.2 }; // cells of a tile
const DASH = 6; // of sea lanes, and between two of them

// The parts of a line of x and y in turn that are drawn of a dashed one: [[x, y, x, y], …].
function dashesOf(points, dash) {
  const dashes = [];
  let gone = 0; // since the line's first point
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [x0, y0, x1, y1] = points.slice(i, i + 4),
      length = Math.hypot(x1 - x0, y1 - y0);
    const at = share => [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
    for (let from = 0; from < length; ) {
      const along = (gone + from) / dash,
        to = Math.min(length, from + (Math.floor(along + 1e-9) + 1 - along) * dash);
      if (Math.floor(along + 1e-9) % 2 === 0) dashes.push([...at(from / length), ...at(to / length)]);
      from = to > from ? to : length;
    }
    gone += length;
  }
  return dashes;
}

// Of roads, [{ class, points: [x, y, x, y, …] }] in sixteenths of the cells of a window, `size` cells wide. Sea lanes are dashed, and have the tone 0.
export function piecesOfRoads(roads, size) {
  const pieces = [];
  for (const { class: kind, points: sixteenths } of roads) {
    const points = sixteenths.map(value => value / (16 * size)),
      wide = (WIDE[kind] ?? WIDE.track) / size,
      tone = kind === "lane" ? 0 : 1;
    const parts = tone
      ? points.slice(3).flatMap((_, i) => (i % 2 ? [] : [points.slice(i, i + 4)]))
      : dashesOf(points, DASH / size);
    for (const [x0, y0, x1, y1] of parts) pieces.push(x0, y0, wide, x1, y1, wide, 0, tone, tone);
  }
  return { pieces: Float32Array.from(pieces), count: pieces.length / PIECE };
}

// Where at most `most` of the pieces are, in u and v, and their values.
export function middlesOf({ pieces, count, values }, most) {
  const step = Math.max(1, Math.ceil(count / most)) * PIECE,
    middles = [];
  for (let at = 0; at < count * PIECE; at += step)
    middles.push({
      u: (pieces[at] + pieces[at + 3]) / 2,
      v: (pieces[at + 1] + pieces[at + 4]) / 2,
      value: values.valueAt((pieces[at + 7] + pieces[at + 8]) / 2),
    });
  return middles;
}
