// Natural colours of a map's ground (map:cover): a picture for each node that is drawn, which lies over it. Until it
// has come, that of the nearest node above stands in, or what was there before an edit.
const AT_ONCE = 2;
const KEPT = 160; // pictures

export class Natural {
  // fetch(node, signal) promises a bitmap; changed() is called as each arrives.
  constructor(painter, { fetch, changed, problem }) {
    Object.assign(this, { painter, fetch, changed, problem });
    this.pictures = new Map(); // of nodes: a texture, null while it is on its way; those used last are at the end
    this.former = new Map(); // of keys of nodes: what was there before an edit
    this.control = new AbortController();
    this.running = 0;
  }
  // Two may have the same texture, the one before an edit and the one after it.
  hold(texture) {
    texture.holders = (texture.holders ?? 0) + 1;
    return texture;
  }
  release(texture) {
    if (texture && !--texture.holders) this.painter.forget(texture);
  }
  // Shows the pictures of another one, of the map before an edit, until it has its own.
  takeFrom({ pictures, former }) {
    const own = [...pictures].map(([{ key }, texture]) => [key, texture]);
    for (const [key, texture] of [...former, ...own]) {
      if (!texture) continue;
      this.release(this.former.get(key));
      this.former.set(key, this.hold(texture));
    }
  }

  // What lies over a node: { overlay, overlayArea }.
  over(node, tree) {
    let [x, y, side] = [0, 0, 1];
    for (let up = node; up; up = tree.parent(up)) {
      const own = this.pictures.get(up),
        texture = own ?? this.former.get(up.key);
      if (own) {
        this.pictures.delete(up);
        this.pictures.set(up, own);
      }
      if (texture) return { overlay: texture, overlayArea: [x, y, side, side] };
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
      this.release(texture);
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
      if (!this.control.signal.aborted) {
        this.pictures.set(node, this.hold(this.painter.picture(bitmap)));
        this.release(this.former.get(node.key));
        this.former.delete(node.key);
      }
    } catch (error) {
      if (error.name !== "AbortError" && !this.failed) this.problem(error);
      this.failed = true;
    }
    this.running--;
    this.changed();
  }
  close() {
    this.control.abort();
    for (const texture of [...this.pictures.values(), ...this.former.values()]) this.release(texture);
  }
}
