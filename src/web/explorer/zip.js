// Files in one: a ZIP archive that only stores them (PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and
// 4.3.16).

const table = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});
export function crc32(bytes) {
  let value = ~0;
  for (const byte of bytes) value = table[(value ^ byte) & 255] ^ (value >>> 8);
  return ~value >>> 0;
}

// Little-endian numbers, [[value, bytes], …].
function record(...fields) {
  const bytes = new Uint8Array(fields.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (const [value, size] of fields) for (let i = 0; i < size; i++) bytes[at++] = (value / 256 ** i) & 255;
  return bytes;
}

export class Zip {
  constructor() {
    Object.assign(this, { parts: [], central: [], size: 0 });
  }
  async add(name, blob) {
    const bytes = new Uint8Array(await blob.arrayBuffer()),
      label = new TextEncoder().encode(name);
    const common = [
      [20, 2],
      [0x800, 2],
      [0, 2],
      [0, 2],
      [0x21, 2],
      [crc32(bytes), 4],
      [bytes.length, 4],
      [bytes.length, 4],
      [label.length, 2],
      [0, 2],
    ];
    this.central.push(
      record([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [this.size, 4]),
      label,
    );
    this.put(record([0x04034b50, 4], ...common), label, blob);
  }
  put(...parts) {
    this.parts.push(...parts);
    for (const part of parts) this.size += part.size ?? part.length;
  }
  finish() {
    const start = this.size,
      count = this.central.length / 2;
    this.put(...this.central);
    this.put(
      record(
        [0x06054b50, 4],
        [0, 2],
        [0, 2],
        [count, 2],
        [count, 2],
        [this.size - start, 4],
        [start, 4],
        [0, 2],
      ),
    );
    return new Blob(this.parts, { type: "application/zip" });
  }
}
