// A film as a WebM file (RFC 8794 EBML, RFC 9559 Matroska): encoded frames in, bytes out. Pure.

const number = (value, bytes) =>
  Uint8Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * (bytes - 1 - i))) & 255n));
const text = word => new TextEncoder().encode(word);
const float = value => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
};
const sizeOf = parts => parts.reduce((sum, part) => sum + part.length, 0);
const flat = parts => parts.flatMap(part => (Array.isArray(part) ? flat(part) : [part]));

// An element: its id, its length in eight bytes, and its contents; a list of arrays of bytes.
function element(id, ...contents) {
  const parts = flat(contents),
    bytes = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  return [number(id, bytes), number(2n ** 56n + BigInt(sizeOf(parts)), 8), ...parts];
}

// Frames are { key, bytes }, a key frame first, and `rate` of them take a second. codec: as in "V_VP9".
export function webm({ width, height, codec, rate }, frames) {
  const timeOf = i => Math.round((i * 1000) / rate),
    clusters = [];
  for (const [i, { key, bytes }] of frames.entries()) {
    if (key) clusters.push({ first: i, blocks: [] });
    const { first, blocks } = clusters.at(-1);
    blocks.push(
      element(0xa3, number(0x81, 1), number(timeOf(i) - timeOf(first), 2), number(key ? 0x80 : 0, 1), bytes),
    );
  }
  const info = element(
    0x1549a966,
    element(0x2ad7b1, number(1000000, 4)),
    element(0x4489, float(timeOf(frames.length))),
    element(0x4d80, text("Esker")),
    element(0x5741, text("Esker")),
  );
  const track = element(
    0xae,
    element(0xd7, number(1, 1)),
    element(0x73c5, number(1, 1)),
    element(0x83, number(1, 1)),
    element(0x86, text(codec)),
    element(0x23e383, number(Math.round(1e9 / rate), 4)),
    element(0xe0, element(0xb0, number(width, 2)), element(0xba, number(height, 2))),
  );
  const tracks = element(0x1654ae6b, track),
    made = clusters.map(({ first, blocks }) =>
      element(0x1f43b675, element(0xe7, number(timeOf(first), 4)), ...blocks),
    );
  // Where each cluster is, for whoever jumps: they lie behind this list, whose length does not depend on what
  // it says.
  const cuesAt = places =>
    element(
      0x1c53bb6b,
      ...clusters.map(({ first }, i) =>
        element(
          0xbb,
          element(0xb3, number(timeOf(first), 4)),
          element(0xb7, element(0xf7, number(1, 1)), element(0xf1, number(places[i], 8))),
        ),
      ),
    );
  let at = sizeOf([...info, ...tracks, ...cuesAt(clusters.map(() => 0))]);
  const places = made.map(parts => (at += sizeOf(parts)) - sizeOf(parts));
  const head = element(
    0x1a45dfa3,
    element(0x4286, number(1, 1)),
    element(0x42f7, number(1, 1)),
    element(0x42f2, number(4, 1)),
    element(0x42f3, number(8, 1)),
    element(0x4282, text("webm")),
    element(0x4287, number(4, 1)),
    element(0x4285, number(2, 1)),
  );
  return [...head, ...element(0x18538067, info, tracks, cuesAt(places), ...made)];
}
