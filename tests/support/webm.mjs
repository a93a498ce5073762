// Reads films as players do: elements by their ids and lengths.
const holds = new Set([
  0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1c53bb6b, 0xbb, 0xb7, 0x1f43b675,
]);

function* elementsOf(bytes, from, to) {
  for (let at = from; at < to; ) {
    const wide = Math.clz32(bytes[at]) - 23,
      id = bytes.subarray(at, at + wide).reduce((sum, byte) => sum * 256 + byte, 0),
      long = Math.clz32(bytes[at + wide]) - 23;
    const size = bytes
      .subarray(at + wide + 1, at + wide + long)
      .reduce((sum, byte) => sum * 256 + byte, bytes[at + wide] & ((1 << (8 - long)) - 1));
    const start = at + wide + long,
      end = start + size;
    if (end > to) throw new Error("an element ends beyond what holds it");
    yield { id, at, start, end };
    if (holds.has(id)) yield* elementsOf(bytes, start, end);
    at = end;
  }
}

// { kind, width, height, codec, duration, frames: [{ time, key, bytes }], cues: [[time, whether a cluster of
// this time is there]] }, in milliseconds.
export function readWebm(bytes) {
  const all = [...elementsOf(bytes, 0, bytes.length)],
    first = id => all.find(each => each.id === id),
    data = ({ start, end }) => bytes.subarray(start, end);
  const number = each => data(each).reduce((sum, byte) => sum * 256 + byte, 0),
    word = id => new TextDecoder().decode(data(first(id))),
    segment = first(0x18538067).start;
  const clusters = all.filter(({ id }) => id === 0x1f43b675),
    times = all.filter(({ id }) => id === 0xe7).map(number),
    frames = [];
  for (const each of all.filter(({ id }) => id === 0xa3)) {
    const cluster = clusters.findIndex(({ start, end }) => each.start >= start && each.end <= end),
      block = data(each);
    frames.push({
      time: times[cluster] + block[1] * 256 + block[2],
      key: (block[3] & 0x80) !== 0,
      bytes: block.subarray(4),
    });
  }
  const cues = all.filter(({ id }) => id === 0xb3).map(number),
    places = all.filter(({ id }) => id === 0xf1).map(number);
  return {
    kind: word(0x4282),
    codec: word(0x86),
    width: number(first(0xb0)),
    height: number(first(0xba)),
    duration: new DataView(Uint8Array.from(data(first(0x4489))).buffer).getFloat64(0),
    frames,
    cues: cues.map((time, i) => [
      time,
      clusters.some((cluster, k) => cluster.at === segment + places[i] && times[k] === time),
    ]),
  };
}
