// The quadtree of tiles: which to draw, which to fetch, which to drop. Pure: it knows neither the network nor
// the screen. A node is drawn until all of its visible children are there, so that there are no holes and
// coarse ground comes first.
import { cellOf, keyOf } from "./address.js";
import { flat } from "./view.js";

export const FINEST = 1.5; // pixels a texel may cover before its node is split
const PARTS = 8; // a tile is divided so often along each side for the heights of what lies below it
const FAR = 24; // levels up to a common ancestor, beyond which sums of rises lose digits

export class Tree {
  // `kept`: nodes that keep their tiles, besides those in use; `left`(tile) hears of those that others
  // replace
  constructor({ deepest, space = flat, kept = Infinity, left = () => {} }) {
    Object.assign(this, { deepest, space, kept, left });
    // Of a mother and a node: a tile that is drawn until the node's comes. null: the mother is drawn.
    this.standIn = null;
    this.nodes = new Map();
    this.moment = 0;
    this.count = 0;
  }

  node(face, z, x, y) {
    const key = keyOf(face, z, x, y);
    let node = this.nodes.get(key);
    if (!node) {
      node = {
        face,
        z,
        x,
        y,
        key,
        tile: null,
        trace: null,
        failed: false,
        used: this.moment,
        looked: this.moment,
      };
      this.nodes.set(key, node);
    }
    return node;
  }
  parent(node) {
    return node.z ? this.node(node.face, node.z - 1, node.x >> 1n, node.y >> 1n) : null;
  }
  children(node) {
    const x = node.x << 1n,
      y = node.y << 1n;
    return [
      [x, y],
      [x + 1n, y],
      [x, y + 1n],
      [x + 1n, y + 1n],
    ].map(([cx, cy]) => this.node(node.face, node.z + 1, cx, cy));
  }
  // The deepest node with a tile above a place, not deeper than `level`.
  above(face, x, y, level) {
    for (let z = Math.min(level, this.deepest); z >= 0; z--) {
      const node = this.nodes.get(keyOf(face, z, cellOf(x, z), cellOf(y, z)));
      if (node?.tile) return node;
    }
    return null;
  }

  // The first level of `first` … `last` at which all that is seen around a place is `known`, or else the last.
  coarsest(view, first, last, measure, known) {
    let level = Math.max(0, Math.min(first, last));
    const isSeen = node => measure(node).visible;
    while (level < last && !this.space.around(this, view, level).every(node => known(node) || !isSeen(node)))
      level++;
    return level;
  }

  give(node, tile) {
    if (!node.tile) this.count++;
    else this.leaveStandIns(node);
    node.tile = tile;
    node.used = this.moment;
  }

  // The node's, and those that were made of it.
  leaveStandIns(node) {
    if (!node.tile?.standsIn) return;
    this.left(node.tile);
    for (const child of this.children(node)) {
      if (!child.tile?.standsIn) continue;
      this.leaveStandIns(child);
      child.tile = null;
      this.count--;
    }
  }

  // measure(node) → { visible, texel, order }: texel is the size of its texels in pixels, order is smaller
  // where more wanted. `start` is a level at which few nodes cover what is seen. Returns { draw, want }, both
  // in order.
  choose(view, start, measure) {
    this.moment++;
    const draw = [],
      want = [],
      seen = new Map();
    const look = node => {
      if (!seen.has(node)) seen.set(node, measure(node));
      node.looked = this.moment;
      return seen.get(node);
    };
    const top = Math.max(0, Math.min(start, this.deepest));
    let level = top,
      roots;
    for (; ; level--) {
      roots = this.space.around(this, view, level).filter(node => look(node).visible);
      for (const node of roots) if (lacks(node)) want.push(node);
      if (level === 0 || roots.every(node => node.tile || node.failed)) break;
    }
    this.whole = level === top && roots.every(node => node.tile); // nothing is coarser than was asked for
    const visit = node => {
      node.used = this.moment;
      const { texel } = look(node);
      if (texel > FINEST && node.z < this.deepest) {
        const children = this.children(node).filter(child => look(child).visible);
        const lacking = children.filter(child => lacks(child) && !child.failed);
        if (this.standIn && this.whole)
          for (const child of children) if (!child.tile) this.give(child, this.standIn(node, child));
        const missing = children.filter(child => !child.tile);
        for (const child of children) child.used = this.moment; // also while it waits for those beside it
        want.push(...lacking);
        if (!missing.length) return children.forEach(visit);
      }
      draw.push(node);
    };
    for (const node of roots) if (node.tile) visit(node);
    // Heights add up along what is above two nodes: what was asked for there is still wanted, or they would
    // depend on which tile came first.
    const above = new Set();
    for (const node of draw)
      for (
        let up = node;
        up && !above.has(up);
        up = up.z ? this.nodes.get(keyOf(up.face, up.z - 1, up.x >> 1n, up.y >> 1n)) : null
      ) {
        up.used = this.moment;
        above.add(up);
      }
    const pending = [...above].filter(node => !known(node) && !node.failed && !want.includes(node));
    want.sort((a, b) => a.z - b.z || look(a).order - look(b).order);
    return { draw, want: [...want, ...pending] };
  }

  // Drops the tiles that were not used for longest; returns their nodes. Level 0 and 1 always stay, so that
  // there is always something to draw. What is known of a dropped tile's heights stays: without, it might
  // look visible again, be fetched, be seen to be hidden, be dropped, and so on.
  trim() {
    const dropped = [];
    if (this.count > this.kept) {
      const old = [...this.nodes.values()]
        .filter(node => node.tile && node.z > 1 && node.used < this.moment)
        .sort((a, b) => a.used - b.used);
      for (const node of old.slice(0, this.count - this.kept)) {
        dropped.push({ ...node });
        const { low, high, centre, rise } = node.tile;
        node.trace = { low, high, centre, rise };
        node.tile = null;
        this.count--;
      }
    }
    if (this.nodes.size > 8 * this.kept)
      for (const [key, node] of this.nodes)
        if (!node.tile && Math.max(node.used, node.looked) < this.moment - 60) this.nodes.delete(key);
    return dropped;
  }

  // What is known of a node's heights: the lowest and highest above the centre of `from`, the node itself or
  // the nearest above it that had a tile; null where none had.
  heights(node) {
    let from = node;
    while (!known(from) && from.z) from = this.parent(from);
    if (!known(from)) return null;
    return { from, ...(from === node || !from.tile ? known(from) : below(from, node)) };
  }

  // The altitude of `to`'s centre above that of `from`'s. Each tile knows how far its centre is above its
  // parent's; what both have in common is never added. Where they meet only far above (on both sides of the
  // middle of the map, say), the sums would cancel: there the cells that neighbours share tell it.
  rise(from, to) {
    let a = from,
      b = to,
      sum = 0;
    const above = (node, level) =>
      node.z < level ? node : this.nodes.get(keyOf(node.face, level - 1, node.x >> 1n, node.y >> 1n));
    while (a !== b) {
      const level = Math.max(a.z, b.z),
        upA = above(a, level),
        upB = above(b, level);
      const highest = level === 0 || !upA || !upB || !known(upA) || !known(upB);
      const across =
        a.tile && b.tile && a.z === b.z && (highest || apart(a, b) > FAR)
          ? this.acrossNeighbours(a, b)
          : null;
      if (across !== null) return sum + across;
      if (highest) return sum + known(b).centre - known(a).centre;
      if (upA !== a) sum -= known(a).rise;
      if (upB !== b) sum += known(b).rise;
      a = upA;
      b = upB;
    }
    return sum;
  }

  acrossNeighbours(a, b) {
    const dx = Number(b.x - a.x),
      dy = Number(b.y - a.y);
    if (a.face !== b.face || Math.abs(dx) > 1 || Math.abs(dy) > 1) return null;
    if (dx && dy) {
      const between =
        this.nodes.get(keyOf(a.face, a.z, b.x, a.y)) ?? this.nodes.get(keyOf(a.face, a.z, a.x, b.y));
      return between?.tile ? this.acrossNeighbours(a, between) + this.acrossNeighbours(between, b) : null;
    }
    return sharedRise(a.tile, b.tile, dx, dy);
  }
}

// A node's tile, or what is left of it.
const known = node => node.tile ?? node.trace;

// Whether its tile has not come yet.
export const lacks = node => !node.tile || Boolean(node.tile.standsIn);

// The lowest and highest of each part of a tile, with the cells around it.
function partsOf(tile) {
  if (tile.parts) return tile.parts;
  const { width, height, border, values, scale } = tile,
    across = width + 2 * border,
    lows = [],
    highs = [];
  const ends = (i, side) => [
    Math.max(Math.floor((i * side) / PARTS) + border - 1, 0),
    Math.min(Math.ceil(((i + 1) * side) / PARTS) + border + 1, side + 2 * border),
  ];
  for (let j = 0; j < PARTS; j++)
    for (let i = 0; i < PARTS; i++) {
      const [left, right] = ends(i, width),
        [first, end] = ends(j, height);
      let low = Infinity,
        high = -Infinity;
      for (let y = first; y < end; y++)
        for (let at = y * across + left; at < y * across + right; at++) {
          low = Math.min(low, values[at]);
          high = Math.max(high, values[at]);
        }
      lows.push(low * scale);
      highs.push(high * scale);
    }
  return (tile.parts = { lows, highs });
}
// The lowest and highest of the part of `from`'s tile in which a deeper node lies, and a margin for what that
// will show.
function below(from, node) {
  const { lows, highs } = partsOf(from.tile),
    levels = node.z - from.z,
    side = Math.max(PARTS >> Math.min(levels, 30), 1);
  const first = (node, above) =>
    Number(((node - (above << BigInt(levels))) * BigInt(PARTS)) >> BigInt(levels));
  const left = first(node.x, from.x),
    top = first(node.y, from.y);
  let low = Infinity,
    high = -Infinity;
  for (let j = top; j < top + side; j++)
    for (let i = left; i < left + side; i++) {
      low = Math.min(low, lows[j * PARTS + i]);
      high = Math.max(high, highs[j * PARTS + i]);
    }
  const margin = (high - low) * 0.2 + (from.tile.high - from.tile.low) * 0.02;
  return { low: low - margin, high: high + margin };
}

const SIDES = [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ],
  CORNERS = [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ];

// Which sides (left, right, upper, lower) and corners of each node that is drawn meet a coarser one, as 0 or
// 1: there it must look as its parent does. Returns a Map of nodes to { sides, corners }.
export function seamsOf(drawn, space) {
  const keys = new Set(drawn.map(node => node.key)),
    least = Math.min(...drawn.map(node => node.z));
  const meets =
    node =>
    ([right, down]) => {
      const beside = space.beside(node, right, down);
      for (let up = 0; beside && up <= node.z - least; up++)
        if (keys.has(keyOf(beside.face, node.z - up, beside.x >> BigInt(up), beside.y >> BigInt(up))))
          return up > 0 ? 1 : 0;
      return 0;
    };
  return new Map(
    drawn.map(node => [node, { sides: SIDES.map(meets(node)), corners: CORNERS.map(meets(node)) }]),
  );
}

// How many levels up the ancestor is that both have.
const apart = (a, b) => ((a.x ^ b.x) | (a.y ^ b.y)).toString(2).length;

// From the two columns or rows of cells that neighbours both have. Heights are relative to each tile's
// centre.
function sharedRise(a, b, dx, dy) {
  if (!a.border || a.width !== b.width) return null;
  const side = a.width + 2 * a.border,
    last = side - 2 * a.border;
  let sum = 0,
    count = 0;
  for (let across = 0; across < 2 * a.border; across++)
    for (let along = a.border; along < side - a.border; along++) {
      const here = dx > 0 || dy > 0 ? last + across : across,
        there = dx > 0 || dy > 0 ? across : last + across;
      const [i, j] = dx
        ? [along * side + here, along * side + there]
        : [here * side + along, there * side + along];
      sum += a.values[i] * a.scale - b.values[j] * b.scale;
      count++;
    }
  return sum / count;
}
