// Places on the map as dots with names: the greatest first, a name only where there is room.
import { BITS, cornerOf } from "./address.js";
import { drawn, get } from "./dom.js";
import { isHidden } from "./edit_places.js";
import { globe, radius } from "./globe.js";

const LETTER = 0.56; // width of one, in heights of the text
const GAP = 3; // pixels between a dot and its name, and around a name
const APART = 1.2; // heights of a name between it and the next: a map full of names shows nothing else
const FAR = 3; // levels by which a tile is coarser than the view whose places are too far away

const ACROSS = 2n; // levels: 4 × 4 tiles

// The block of tiles of a node's level whose places and roads come together, since each window costs the land around
// it: its x and y count blocks, and it is a cell of level `cell`.
export const blockOf = ({ face, z, x, y }) => {
  const up = z < ACROSS ? BigInt(z) : ACROSS;
  return { face, z, x: x >> up, y: y >> up, cell: z - Number(up) };
};
export const nameOf = ({ face, z, x, y }) => [face, z, x.toString(16), y.toString(16)].join("/");
// Where a node lies in its block: corner and size.
export const partOfBlock = ({ z, x, y }) => {
  const up = z < ACROSS ? BigInt(z) : ACROSS,
    within = (1n << up) - 1n,
    side = 1 / Number(1n << up);
  return [Number(x & within) * side, Number(y & within) * side, side, side];
};

// Places of a block, with x and y in parts of its side, as places of the map.
export const placesOf = (places, { face, cell: z, x, y }) =>
  places.map(place => ({
    ...place,
    key: place.name + "/" + place.population,
    face,
    x: cornerOf(x, z) + (BigInt(Math.round(place.x * 2 ** 14)) << BigInt(BITS - z - 14)),
    y: cornerOf(y, z) + (BigInt(Math.round(place.y * 2 ** 14)) << BigInt(BITS - z - 14)),
  }));

const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// Where the names of dots go that have room: [{ x, y, radius, name, size, key }] → the same with `at`, the left end
// of the name's base line, or null. Earlier ones come first; a name covers no other name and no dot, and stays in
// the picture.
export function laidOut(dots, width, height) {
  const boxes = dots.map(({ x, y, radius }) => [x - radius, y - radius, x + radius, y + radius]);
  return dots.map((dot, i) => {
    const { x, y, radius, name, size } = dot,
      wide = name.length * size * LETTER,
      away = radius + GAP;
    const lefts = [
      [x + away, y - size / 2],
      [x - wide / 2, y - away - size],
      [x - wide / 2, y + away],
      [x - away - wide, y - size / 2],
    ];
    const isFree = box =>
      box[0] >= 0 &&
      box[1] >= 0 &&
      box[2] <= width &&
      box[3] <= height &&
      !boxes.some((other, k) => k !== i && meet(box, other));
    for (const [left, top] of lefts) {
      const box = [left - GAP, top - 1, left + wide + GAP, top + size + 1];
      if (!isFree(box)) continue;
      boxes.push([
        box[0] - APART * size,
        box[1] - 0.6 * APART * size,
        box[2] + APART * size,
        box[3] + 0.6 * APART * size,
      ]);
      return { ...dot, at: [left, top + size * 0.82] };
    }
    return { ...dot, at: null };
  });
}

export class Names {
  // app: camera, stage, ground
  constructor(app) {
    this.app = app;
    this.shapes = new Map(); // of places: their dot and their name
  }
  // Places of the tiles that are drawn, each once, the greatest first; tiles without their own have those of the
  // nearest above.
  seen(view) {
    const { ground } = this.app,
      { places } = ground.roads,
      found = new Map();
    for (const node of ground.drawn ?? []) {
      if (node.z < Math.floor(view.zoom) - FAR) continue;
      for (let up = node; up; up = ground.tree.parent(up)) {
        const own = places.get(nameOf(blockOf(up)));
        for (const place of own ?? []) if (!found.has(place.key)) found.set(place.key, place);
        if (own) break;
      }
    }
    return [...found.values()].sort((a, b) => b.population - a.population || (a.key < b.key ? -1 : 1));
  }
  // Dots and names go where their places are on the screen.
  follow() {
    const { camera, stage, ground } = this.app,
      { view } = camera;
    if (!ground?.roads || stage.grounds.at(-1) !== ground) return this.show([]);
    const frame = stage.frame(view),
      { width, height } = stage,
      isBehind = place =>
        ground.space === globe && isHidden(frame.eye, globe.pointAt(view, place, 0), radius(view.zoom)),
      dots = [];
    for (const place of this.seen(view)) {
      if (isBehind(place)) continue;
      const at = stage.pixelAt(view, place, frame);
      if (!at || stage.isFirst(at) || at[0] < 0 || at[1] < 0 || at[0] > width || at[1] > height) continue;
      dots.push({
        x: at[0],
        y: at[1],
        radius: 1 + place.radius * 0.7,
        size: 10 + Math.min(place.radius, 5),
        name: place.name,
        key: place.key,
      });
    }
    this.show(laidOut(dots, width, height));
  }
  show(dots) {
    const svg = get("names"),
      left = new Set(this.shapes.keys());
    for (const { key, x, y, radius, size, name, at } of dots) {
      left.delete(key);
      let shapes = this.shapes.get(key);
      if (!shapes) {
        shapes = { dot: drawn("circle", {}), text: drawn("text", {}) };
        shapes.text.textContent = name;
        this.shapes.set(key, shapes);
        svg.append(shapes.dot, shapes.text);
      }
      const put = (shape, values) => {
        for (const name in values) shape.setAttribute(name, values[name]);
      };
      put(shapes.dot, { cx: x.toFixed(1), cy: y.toFixed(1), r: radius.toFixed(1) });
      shapes.text.style.display = at ? "" : "none";
      if (at) put(shapes.text, { x: at[0].toFixed(1), y: at[1].toFixed(1), "font-size": size });
    }
    for (const key of left) {
      const { dot, text } = this.shapes.get(key);
      dot.remove();
      text.remove();
      this.shapes.delete(key);
    }
  }
}
