// Films: what the canvas shows is encoded frame by frame (WebCodecs), each as long as it takes, so that none
// is lost.
import { webm } from "./webm.js";

const KEY = 60; // frames from one that can be jumped to to the next
const MANY = 4; // frames that wait for the encoder
const BITS = 0.2; // a pixel
const codecs = [
  ["vp09.00.51.08", "V_VP9"],
  ["vp8", "V_VP8"],
];

export class Film {
  // Of so many frames a second; null where the browser encodes nothing that a WebM file holds.
  static async open(canvas, rate) {
    // Colours have half of them
    const [width, height] = [canvas.width, canvas.height].map(pixels => pixels & ~1);
    for (const [codec, name] of codecs) {
      const config = { codec, width, height, framerate: rate, bitrate: width * height * rate * BITS };
      if ((await VideoEncoder.isConfigSupported(config)).supported) return new Film(canvas, { config, name });
    }
    return null;
  }
  constructor(canvas, { config, name }) {
    Object.assign(this, { canvas, config, name, frames: [], count: 0 });
    this.encoder = new VideoEncoder({
      error: error => {
        this.failed = error;
      },
      output: chunk => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.frames.push({ key: chunk.type === "key", bytes });
      },
    });
    this.encoder.configure(config);
  }
  // What was drawn in this very task.
  async add() {
    const {
      canvas,
      encoder,
      config: { width, height, framerate },
    } = this;
    if (this.failed) throw this.failed;
    if (canvas.width < width || canvas.height < height) throw new Error("the window has become smaller");
    const frame = new VideoFrame(canvas, {
      timestamp: (this.count * 1e6) / framerate,
      duration: 1e6 / framerate,
      visibleRect: { x: 0, y: 0, width, height },
    });
    encoder.encode(frame, { keyFrame: this.count++ % KEY === 0 });
    frame.close();
    while (encoder.encodeQueueSize > MANY && !this.failed) await new Promise(done => setTimeout(done, 5));
  }
  async finish() {
    await this.encoder.flush();
    this.encoder.close();
    const { width, height, framerate } = this.config;
    return new Blob(webm({ width, height, codec: this.name, rate: framerate }, this.frames), {
      type: "video/webm",
    });
  }
}
