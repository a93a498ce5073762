// Fetches what is wanted, first things first, a few at a time. What is no longer wanted is aborted after a
// moment, so that a short movement back and forth loses nothing.
import { lacks } from "./tree.js";

const AT_ONCE = 5; // browsers open six connections to a server; events have one
const PATIENCE = 300;
const AGAIN = 2000; // until what failed is asked for once more

export class Loader {
  constructor(source, arrived, failed, again) {
    Object.assign(this, { source, arrived, failed, again, running: new Map(), waiting: [] });
  }
  get busy() {
    return this.running.size > 0 || this.waiting.length > 0;
  }

  want(nodes, now = performance.now()) {
    this.waiting = nodes;
    const wanted = new Set(nodes);
    for (const [node, job] of this.running) {
      if (wanted.has(node)) job.wanted = now;
      else if (now - job.wanted > PATIENCE) job.control.abort();
    }
    this.start(now);
  }
  // Nothing is wanted any more.
  rest() {
    this.waiting = [];
    for (const job of this.running.values()) job.control.abort();
  }
  start(now = performance.now()) {
    for (const node of this.waiting) {
      if (this.running.size >= AT_ONCE) return;
      if (lacks(node) && !this.running.has(node) && !(node.failed && now - node.failed < AGAIN))
        this.fetch(node, now);
    }
  }
  async fetch(node, now) {
    const job = { control: new AbortController(), wanted: now };
    this.running.set(node, job);
    try {
      const tile = await this.source.tile(node.face, node.z, node.x, node.y, job.control.signal);
      node.failed = false;
      if (!this.closed) this.arrived(node, tile);
    } catch (error) {
      if (!this.closed && error.name !== "AbortError") {
        node.failed = performance.now();
        this.failed(error);
        setTimeout(() => this.closed || this.again(), AGAIN + 20);
      }
    } finally {
      this.running.delete(node);
      this.waiting = this.waiting.filter(other => other !== node);
      if (!this.closed) this.start();
    }
  }
  close() {
    this.closed = true;
    for (const job of this.running.values()) job.control.abort();
    this.source.close();
  }
}
