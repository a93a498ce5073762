// Lines over the ground, of each node that is drawn: fetch(node, signal, part) promises them, as getLines gives
// them. What has come is kept.
import { paintLines, shapeOf } from "./lines.js";

const AT_ONCE = 2;
const KEPT = 200; // nodes

export class Strokes {
  // colours(uniforms) gives those of the lines' shader, `least` the pixels of the thinnest one; `patient`: nodes are
  // asked for only while the view rests;
  // `globe`: the nodes are those of a planet.
  constructor(
    painter,
    { key, least, fetch, colours, problem = () => {}, patient = false, globe = false, changed },
  ) {
    Object.assign(this, { painter, key, least, fetch, colours, problem, patient, globe, changed });
    this.shapes = new Map(); // of nodes; null while it is on its way
    this.control = new AbortController();
    this.running = 0;
  }
  // `drawn`: the nodes, `chunks` the uniforms of each, partOf(node) where it lies in the map.
  paint(drawn, chunks, uniforms, { partOf, moving }) {
    const { shapes, painter } = this,
      ready = [];
    for (const node of drawn) {
      const shape = shapes.get(node);
      if (shape) ready.push([shape, chunks.get(node).uniforms]);
      else if (shape === undefined && !(this.patient && moving)) this.ask(node, partOf(node));
    }
    for (const [node, shape] of shapes) {
      if (shapes.size <= KEPT) break;
      if (!shape || drawn.includes(node)) continue;
      painter.drop(shape);
      shapes.delete(node);
    }
    paintLines(painter, ready, { ...uniforms, ...this.colours(uniforms), least: this.least }, this.globe);
  }
  async ask(node, part) {
    if (this.running >= AT_ONCE) return;
    this.running++;
    this.shapes.set(node, null);
    try {
      const lines = await this.fetch(node, this.control.signal, part);
      if (!this.control.signal.aborted)
        this.shapes.set(node, shapeOf(this.painter, lines, this.globe ? node : null));
    } catch (error) {
      if (error.name !== "AbortError" && !this.failed) {
        this.failed = error.message;
        this.problem(error);
      }
    }
    this.running--;
    this.changed();
  }
  lacks(nodes) {
    return !this.failed && nodes.some(node => !this.shapes.get(node));
  }
  close() {
    this.control.abort();
    for (const shape of this.shapes.values()) if (shape) this.painter.drop(shape);
  }
}
