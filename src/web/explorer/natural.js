// Natural colours of a map's ground (map:cover): a picture for each node that is drawn, which lies over it. Until it
// has come, that of the nearest node above stands in.
const AT_ONCE = 2;
const KEPT = 160; // pictures

export class Natural {
  // fetch(node, signal) promises a bitmap; changed() is called as each arrives.
  constructor(painter, { fetch, changed, problem }) {
    Object.assign(this, { painter, fetch, changed, problem });
    this.pictures = new Map(); // of nodes: a texture, null while it is on its way; those used last are at the end
    this.control = new AbortController();
    this.running = 0;
  }

  // What lies over a node: { overlay, overlayArea }.
  over(node, tree) {
    let [x, y, side] = [0, 0, 1];
    for (let up = node; up; up = tree.parent(up)) {
      const texture = this.pictures.get(up);
      if (texture) {
        this.pictures.delete(up);
        this.pictures.set(up, texture);
        return { overlay: texture, overlayArea: [x, y, side, side] };
      }
      [x, y, side] = [(x + Number(up.x & 1n)) / 2, (y + Number(up.y & 1n)) / 2, side / 2];
    }
    return { overlay: this.painter.blank, overlayArea: [0, 0, 1, 1] };
  }

  // Asks for the first of the nodes that have none.
  want(nodes) {
    for (const node of nodes) if (this.running < AT_ONCE && !this.pictures.has(node)) this.ask(node);
    for (const [node, texture] of this.pictures) {
      if (this.pictures.size <= KEPT) break;
      if (!texture || nodes.includes(node)) continue;
      this.painter.forget(texture);
      this.pictures.delete(node);
    }
  }
  lacks(nodes) {
    return !this.failed && nodes.some(node => !this.pictures.get(node));
  }
  async ask(node) {
    this.running++;
    this.pictures.set(node, null);
    try {
      const bitmap = await this.fetch(node, this.control.signal);
      if (!this.control.signal.aborted) this.pictures.set(node, this.painter.picture(bitmap));
    } catch (error) {
      if (error.name !== "AbortError" && !this.failed) this.problem(error);
      this.failed = true;
    }
    this.running--;
    this.changed();
  }
  close() {
    this.control.abort();
    for (const texture of this.pictures.values()) this.painter.forget(texture ?? undefined);
  }
}
