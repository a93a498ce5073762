// Where tiles come from: a source has open() → world, tile(face, z, x, y, signal) → tile, close(). One asks
// the server; one has a field in memory.
//
// A tile is { width, height, border, values, low, high, centre, rise, water }: values are heights relative to
// the altitude of its centre, row by row with the border; rise is how far the centre is above the parent's;
// water is 0 to 255 or null.
import { request } from "./ask.js";

export const PREVIEW = 256,
  FULL = 1024; // most cells along a side of a field

const HEADER = 56;

export function readTile(bytes) {
  const view = new DataView(bytes);
  if (bytes.byteLength < HEADER || view.getUint32(0) !== 0x45534b54)
    throw new Error("the server sent no tile");
  const size = view.getUint32(8, true),
    border = view.getUint32(12, true),
    flags = view.getUint32(16, true);
  const count = (size + 2 * border) ** 2;
  if (bytes.byteLength !== HEADER + count * (flags & 1 ? 3 : 2)) throw new Error("a tile was cut short");
  const [low, high, centre, rise] = [24, 32, 40, 48].map(at => view.getFloat64(at, true));
  const heights = new Uint16Array(bytes, HEADER, count),
    values = new Float32Array(count),
    step = (high - low) / 65535;
  // Float32 ends at 1e-38, altitudes do not
  const scale = high > low ? 1 / Math.max(Math.abs(low), Math.abs(high)) : 1;
  for (let i = 0; i < count; i++) values[i] = (low + heights[i] * step) * scale;
  return {
    width: size,
    height: size,
    border,
    values,
    scale: 1 / scale,
    low,
    high,
    centre,
    rise,
    water: flags & 1 ? new Uint8Array(bytes, HEADER + 2 * count, count).slice() : null, // not all bytes
  };
}

// Heights, slopes and water as half floats, which every WebGL 2 filters. Heights are relative to the sea
// where the tile has a coast, since half floats are finest near 0; texels × scale + zero are altitudes above
// the tile's centre. `room` is used again where it is as large: a megabyte a tile would wait to be collected.
export function texelsOf(tile, sea, room) {
  const { width, height, border, values, water } = tile,
    across = width + 2 * border,
    down = height + 2 * border;
  const shore = sea - tile.centre,
    zero = shore > tile.low && shore < tile.high ? shore : 0;
  const scale = Math.max(Math.abs(tile.low - zero), Math.abs(tile.high - zero)) || 1;
  const factor = tile.scale / scale,
    offset = -zero / scale,
    slope = (factor * Math.max(width, height)) / 2;
  const count = across * down * 4,
    texels = room?.length === count ? room : new Float32Array(count);
  for (let j = 0, i = 0; j < down; j++) {
    const up = j > 0 ? across : 0,
      low = j < down - 1 ? across : 0,
      vertical = up && low ? slope : 2 * slope;
    for (let k = 0; k < across; k++, i++) {
      const left = k > 0 ? 1 : 0,
        right = k < across - 1 ? 1 : 0;
      texels[i * 4] = values[i] * factor + offset;
      texels[i * 4 + 1] = (values[i + right] - values[i - left]) * (left && right ? slope : 2 * slope);
      texels[i * 4 + 2] = (values[i + low] - values[i - up]) * vertical;
      texels[i * 4 + 3] = water ? water[i] / 255 : 0;
    }
  }
  if (border) alignSlopes(texels, across, down);
  return {
    texels,
    across,
    down,
    zero,
    scale,
    area: [border / across, border / down, width / across, height / down],
  };
}

// In the outermost cells, which neighbours share, slopes are one-sided. They become such that the slope on
// the edge, half a cell further in, is that between its two cells, which both neighbours have.
function alignSlopes(texels, across, down) {
  const align = (outer, inner, k) => {
    texels[outer * 4 + k] = 2 * texels[outer * 4 + k] - texels[inner * 4 + k];
  };
  for (let j = 0; j < down; j++) {
    align(j * across, j * across + 1, 1);
    align(j * across + across - 1, j * across + across - 2, 1);
  }
  for (let i = 0; i < across; i++) {
    align(i, i + across, 2);
    align((down - 1) * across + i, (down - 2) * across + i, 2);
  }
}

// What is drawn of a quarter of a tile, `right` and `down` 0 or 1, until the finer tile there has come: what
// it shows there; or, where both were known before an edit, the finer tile of then, moved by as much as the
// coarser one was.
export function standInOf(mother, right, down, motherBefore, before) {
  const { width, border, scale } = mother,
    across = width + 2 * border,
    count = across ** 2;
  const former = [motherBefore, before].every(tile => tile?.values.length === count) ? motherBefore : null,
    finer = former && before;
  const between = (cells, i, j) => {
    const x = Math.floor(i),
      y = Math.floor(j),
      s = i - x,
      t = j - y,
      k = y * across + x;
    return (
      (cells[k] * (1 - s) + cells[k + 1] * s) * (1 - t) +
      (cells[k + across] * (1 - s) + cells[k + across + 1] * s) * t
    );
  };
  const moved = (i, j) =>
    between(mother.values, i, j) * scale - (former ? between(former.values, i, j) * former.scale : 0);
  const place = (k, half) => (half * width + k - border + 0.5) / 2 - 0.5 + border;
  const middle = moved(place(across / 2 - 0.5, right), place(across / 2 - 0.5, down)),
    values = new Float32Array(count),
    water = finer ? finer.water : mother.water && new Uint8Array(count);
  let low = Infinity,
    high = -Infinity;
  for (let j = 0, k = 0; j < across; j++)
    for (let i = 0; i < across; i++, k++) {
      const x = place(i, right),
        y = place(j, down),
        height = moved(x, y) - middle + (finer ? finer.values[k] * finer.scale : 0);
      values[k] = height / scale;
      low = Math.min(low, height);
      high = Math.max(high, height);
      if (water && !finer) water[k] = between(mother.water, x, y);
    }
  const rise = middle + (finer ? finer.rise : 0);
  const centre = mother.centre + rise;
  return { width, height: width, border, values, scale, low, high, centre, rise, water, standsIn: true };
}

export function readCells(bytes) {
  const view = new DataView(bytes);
  if (bytes.byteLength < 20 || view.getUint32(0) !== 0x45534b46) throw new Error("the server sent no cells");
  const width = view.getUint32(4, true),
    height = view.getUint32(8, true);
  if (bytes.byteLength !== 20 + 4 * width * height) throw new Error("a field was cut short");
  return {
    width,
    height,
    low: view.getFloat32(12, true),
    high: view.getFloat32(16, true),
    cells: new Float32Array(bytes, 20, width * height),
  };
}

// Tiles of a static page are compressed.
export async function bytesOf(response) {
  if (response.ok) {
    const bytes = await response.arrayBuffer(),
      start = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
    if (start[0] !== 0x1f || start[1] !== 0x8b) return bytes;
    return new Response(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")),
    ).arrayBuffer();
  }
  const text = await response.text();
  let message = response.status + " " + response.statusText;
  try {
    message = JSON.parse(text).error;
  } catch {
    /* no JSON: the status says it */
  }
  throw Object.assign(new Error(message), { status: response.status });
}

export class ServerTiles {
  constructor(result) {
    this.world = result.world;
  }
  open() {
    return this.world;
  }
  async tile(face, z, x, y, signal) {
    const path = ["api/tile", this.world, face, z, x.toString(16), y.toString(16)].join("/");
    return readTile(await bytesOf(await request(path, { signal })));
  }
  close() {}
}

export const getCells = async (generation, name, side, signal) =>
  readCells(
    await bytesOf(
      await request(`api/cells/${generation}/${encodeURIComponent(name)}?side=${side}`, { signal }),
    ),
  );

// A field is a world of one tile.
export class FieldTiles {
  constructor(cells) {
    const { width, height, low, high } = cells,
      scale = Math.max(high - low, 1e-30),
      values = new Float32Array(width * height);
    const centre = cells.cells[(height >> 1) * width + (width >> 1)];
    for (let i = 0; i < values.length; i++) values[i] = (cells.cells[i] - centre) / scale;
    this.only = {
      width,
      height,
      border: 0,
      values,
      scale,
      low: low - centre,
      high: high - centre,
      centre,
      rise: 0,
      water: null,
    };
  }
  open() {
    return "field";
  }
  async tile() {
    return this.only;
  }
  close() {}
}
