// What decodes the blocks of a GeoTIFF. A block gives no more bytes than it has cells for: a few bytes of a forged file
// could fill the memory. Needs no page.
import { addDecoder, BaseDecoder } from "./geotiff.min.js";

async function parametersOf(directory) {
  const value = name => directory.loadValue(name),
    tiled = !directory.hasTag("StripOffsets"),
    rows = await value("ImageLength"),
    tileHeight = tiled ? await value("TileLength") : Math.min((await value("RowsPerStrip")) || rows, rows),
    tileWidth = await value(tiled ? "TileWidth" : "ImageWidth"),
    bitsPerSample = [...((await value("BitsPerSample")) ?? [1])],
    planarConfiguration = await value("PlanarConfiguration"),
    predictor = (await value("Predictor")) || 1;
  const bands = planarConfiguration === 2 ? 1 : bitsPerSample.length,
    bits = bitsPerSample.slice(0, bands).reduce((sum, each) => sum + each, 0),
    room = Math.ceil((tileWidth * bits) / 8) * tileHeight;
  return { tileWidth, tileHeight, bitsPerSample, planarConfiguration, predictor, room };
}

// Ends where the room is full, whatever follows; a block that is too short is found to be when it is read.
class Deflate extends BaseDecoder {
  async decodeBlock(bytes) {
    const to = new Uint8Array(this.parameters.room),
      reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    let count = 0;
    while (count < to.length) {
      const { value } = await reader.read().catch(() => ({})); // the end, or damaged
      if (!value) break;
      to.set(value.subarray(0, to.length - count), count);
      count += Math.min(value.length, to.length - count);
    }
    reader.cancel().catch(() => {});
    return to.buffer.slice(0, count);
  }
}

class PackBits extends BaseDecoder {
  decodeBlock(bytes) {
    const from = new Uint8Array(bytes),
      to = new Uint8Array(this.parameters.room);
    let count = 0;
    for (let i = 0; i < from.length && count < to.length; ) {
      const head = from[i++],
        length = Math.min(head < 128 ? head + 1 : head > 128 ? 257 - head : 0, to.length - count);
      if (head > 128) to.fill(from[i++], count, count + length);
      else to.set(from.subarray(i, (i += length)), count);
      count += length;
    }
    return to.buffer.slice(0, count);
  }
}

const CLEAR = 256,
  END = 257,
  CODES = 4096;

// What a code means stands in what is decoded already: the code before it, and the byte after that.
class LZW extends BaseDecoder {
  decodeBlock(bytes) {
    const from = new Uint8Array(bytes),
      to = new Uint8Array(this.parameters.room),
      places = new Uint32Array(CODES),
      lengths = new Uint16Array(CODES);
    let count = 0,
      at = 0, // bits
      bits = 9,
      next = END + 1, // the code that comes to mean something
      last = 0; // bytes of the code before
    while (count < to.length && at + bits <= 8 * from.length) {
      const i = at >> 3,
        three = (from[i] << 16) | ((from[i + 1] ?? 0) << 8) | (from[i + 2] ?? 0),
        code = (three >> (24 - (at & 7) - bits)) & ((1 << bits) - 1);
      at += bits;
      if (code === END) break;
      if (code === CLEAR) {
        bits = 9;
        next = END + 1;
        last = 0;
        continue;
      }
      if (last && next < CODES) {
        places[next] = count - last;
        lengths[next++] = last + 1;
      }
      if (code > END && code >= next) throw new Error("a code means nothing");
      const length = code < CLEAR ? 1 : lengths[code],
        place = places[code];
      if (code < CLEAR) to[count] = code;
      else for (let k = 0; k < length && count + k < to.length; k++) to[count + k] = to[place + k];
      count += length;
      last = length;
      if (next + 1 >= 1 << bits && bits < 12) bits++;
    }
    return to.buffer.slice(0, Math.min(count, to.length));
  }
}

addDecoder([8, 32946], async () => Deflate, parametersOf);
addDecoder(32773, async () => PackBits, parametersOf);
addDecoder(5, async () => LZW, parametersOf);
