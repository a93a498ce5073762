// The ground of one world: its tree of tiles, what is loaded, and the meshes that draw it for a view.
import { between, cellOf, cornerOf } from "./address.js";
import { TILES } from "./ask.js";
import { eased, rangeAround, rangeOf } from "./colour.js";
import { axesAt, faceAxes, globe } from "./globe.js";
import { Loader } from "./loader.js";
import { Natural } from "./natural.js";
import { standInOf } from "./source.js";
import { Strokes } from "./strokes.js";
import { seamsOf, Tree } from "./tree.js";
import { bordersOf, flat, heightsDrawn, inFrame } from "./view.js";

// Of a tile, along each side, for the range of colours; of a whole field four times as many
const SAMPLES = 12;
const FEW = 40; // samples that are too few to tell the range
const FIRST = 1; // levels by which the first tiles after an edit are coarser than the usual first, at least
const EASING = 0.15; // seconds in which the middle follows the ground
const DEEP = 40; // levels down to which altitudes of two maps are compared
const FAR = 1; // in scene units
const NO_SEA = -1e31;
const NO_BORDER = [1e6, 1e6, 1e6, 1e6];
const DEEPEST = 500; // of the sides of a map, in scene units
const QUADS = { moving: 32, software: 64, fine: 128 }; // along a side of a tile in 3D

// Of the square, from its upper left.
export const extentOf = tile => {
  const side = Math.max(tile.width, tile.height);
  return [tile.width / side, tile.height / side];
};

// Where a node lies in the whole map: corner and size.
const partOf = ({ z, x, y }) => [Number(x) / 2 ** z, Number(y) / 2 ** z, 2 ** -z, 2 ** -z];

// Heights and slopes on a coarse grid of a tile's cells.
function samplesOf(tile, z) {
  if (tile.samples) return tile.samples;
  const across = tile.width + 2 * tile.border,
    samples = [],
    [wide, high] = extentOf(tile),
    count = tile.border ? SAMPLES : 4 * SAMPLES;
  const factor = ((tile.scale * Math.max(tile.width, tile.height)) / 2) * 2 ** z;
  for (let j = 0; j < count; j++)
    for (let i = 0; i < count; i++) {
      const u = (i + 0.5) / count,
        v = (j + 0.5) / count;
      const x = Math.min(Math.max(Math.floor(u * tile.width) + tile.border, 1), across - 2);
      const y = Math.min(
          Math.max(Math.floor(v * tile.height) + tile.border, 1),
          tile.height + 2 * tile.border - 2,
        ),
        at = y * across + x;
      const slope = [
        tile.values[at + 1] - tile.values[at - 1],
        tile.values[at + across] - tile.values[at - across],
      ].map(rise => rise * factor);
      samples.push({ u: u * wide, v: v * high, height: tile.values[at] * tile.scale, slope });
    }
  return (tile.samples = samples);
}

export class Ground {
  // space says how cells lie in the scene; rises(zoom) tells how many of its units at zoom 0 a height of 1 is.
  constructor(source, { deepest, faces = 1, sea = null, rises, quads, painter, changed, problem }) {
    Object.assign(this, { source, sea, rises, quads, painter, changed });
    this.space = faces > 1 ? globe : flat;
    this.tree = new Tree({ deepest, space: this.space, kept: TILES, left: tile => this.leave(tile) });
    this.chunks = new Map(); // of nodes: the uniforms, and the shape on a planet
    this.shared = {
      range: [0, 1, -1, 1],
      trend: [0, 0],
      sea: NO_SEA,
      diverges: 0,
      rise: 0,
      overlay: painter.blank,
      opacity: 0,
      natural: 0,
    };
    this.arrivals = 0; // of tiles
    this.anchor = null;
    this.datum = 0; // altitude of the middle above the anchor's centre
    this.range = null; // of the colours, above the anchor's centre
    this.strokes = this.roads = null;
    this.natural = null; // pictures over each node, or null
    this.loader = new Loader(
      source,
      (node, tile) => {
        this.arrivals++;
        this.tree.give(node, tile);
        changed();
      },
      problem,
      changed,
    );
  }

  // Has those of another ground's tiles that are the same here. `first`: the level on which others begin.
  takeTiles(other, isSame, first) {
    this.before = other; // until it is dressed
    const nodes = [...(other.tree.nodes?.values() ?? [])],
      former = new Map(nodes.map(({ key, tile }) => [key, tile]));
    this.tree.standIn = (mother, { key, x, y }) =>
      standInOf(mother.tile, Number(x & 1n), Number(y & 1n), former.get(mother.key), former.get(key));
    this.begins = { first, known: ({ key }) => Boolean(former.get(key)) };
    for (const { face, z, x, y, tile } of nodes)
      if (tile && !tile.standsIn && isSame({ face, z, x, y })) {
        tile.grounds = (tile.grounds ?? 1) + 1;
        this.tree.give(this.tree.node(face, z, x, y), tile);
      }
  }
  leave(tile) {
    tile.grounds = (tile.grounds ?? 1) - 1;
    if (!tile.grounds) this.painter.forget(tile.image?.texture);
  }

  // How a node lies before the eye. Cells keep the screen's density of texels whatever their tile.
  measure(view, frame, node, density) {
    const box = this.space.box(view, node, frame),
      height = this.heightsOf(view, node, box);
    const seen = this.space.measure(view, node, frame, { box, height });
    if (!seen.visible) return { visible: false, texel: 0, order: 0 };
    const away = Math.hypot(box.low[0] + box.high[0], box.low[1] + box.high[1]) / 2;
    const cells = node.tile ? Math.max(node.tile.width, node.tile.height) : 256;
    return {
      visible: true,
      texel: (((box.side / cells) * frame.focal) / seen.depth) * density,
      order: away / Math.max(box.side, 1e-9),
    };
  }
  // The lowest and highest of a node in the scene, as far as they are known.
  heightsOf(view, node, box) {
    const factor = this.shared.rise * 2 ** view.zoom;
    if (!factor || !this.anchor) return [0, 0];
    const known = this.tree.heights(node);
    if (!known) return [-box.side, box.side];
    const base = this.tree.rise(this.anchor, known.from) - this.datum;
    return heightsDrawn(base + known.low, base + known.high, this.seaAbove() - this.datum, factor);
  }

  // Before the eye is placed, which stays above this ground.
  prepare(view, { seconds, rise, beside }) {
    this.shared.rise = rise * this.rises(view.zoom);
    this.settle(view, seconds, beside);
  }
  // `idle`: another ground is to come first.
  update(view, frame, { density, diving = 0, idle = false }) {
    const measure = node => this.measure(view, frame, node, density);
    const start = Math.floor(view.zoom) - Math.max(0, Math.ceil(Math.log2(Math.max(frame.reach, 0.5))));
    const { draw, want } = this.tree.choose(view, this.firstLevel(view, start, measure), measure);
    if (diving > 0) want.unshift(...this.below(view, start, Math.floor(view.zoom) + 1 + Math.round(diving)));
    if (idle) this.loader.rest();
    else this.loader.want(want);
    this.drawn = draw;
    if (!this.anchor && draw.length) {
      // the tile in the middle is still on its way
      this.anchor = draw[0];
      this.datum = 0;
    }
    if (this.anchor) this.anchor.used = this.tree.moment; // all heights are relative to it
    this.tree.trim().forEach(node => this.leave(node.tile));
    this.complete = want.length === 0 && draw.length > 0 && !this.waiting;
    this.quick = Boolean(this.tree.standIn) && this.tree.whole && this.arrivals > 0;
    if (this.complete) this.tree.standIn = null;
    return draw.length > 0;
  }
  // After an edit the coarsest level that shows it comes first, which needs the least land. Finer ground moves with it
  // only as far as the same level is known from before.
  firstLevel(view, start, measure) {
    if (!this.tree.standIn) return start;
    const { first, known } = this.begins;
    return this.tree.coarsest(view, first, start - FIRST, measure, known);
  }
  // The chain of cells below the pointer, which a dive needs first.
  below(view, from, to) {
    const chain = [],
      { face, x, y } = view.towards ?? view;
    for (let z = Math.max(from, 0); z <= Math.min(to, this.tree.deepest); z++) {
      const node = this.tree.node(face, z, cellOf(x, z), cellOf(y, z));
      if (!node.tile) chain.push(node);
    }
    return chain.slice(0, 3);
  }

  // The anchor is the tile of the zoom's level in the middle, or the deepest there is above; all heights are
  // relative to its centre.
  settle(view, seconds, beside) {
    const anchor = this.tree.above(view.face, view.x, view.y, Math.max(0, Math.floor(view.zoom)));
    if (!anchor) return;
    if (this.anchor && this.anchor !== anchor && this.anchor.tile) {
      const shift = this.tree.rise(this.anchor, anchor);
      this.datum -= shift;
      for (const name of ["low", "high", "deep"]) if (this.range) this.range[name] -= shift;
    } else if (!this.anchor?.tile) {
      this.datum = NaN;
      this.range = null;
    }
    this.anchor = anchor;
    const target = (this.target = this.targetBeside(
      beside,
      view,
      Math.max(this.heightIn(anchor, view), this.seaAbove()),
    ));
    const share = 1 - Math.exp(-seconds / EASING);
    this.datum =
      Number.isFinite(this.datum) && this.settled ? this.datum + (target - this.datum) * share : target;
    this.settled = true;
    this.moving = Math.abs(target - this.datum) * 2 ** view.zoom * this.shared.rise > 0.002;
    if (!this.moving) this.datum = target;
  }
  // Of two grounds that are compared the middle is that of the first, so that both are seen from one eye; but
  // where the second lies so far above or below it that it would not be in view, it has its own. Doubles do
  // not tell altitudes apart deep down.
  targetBeside(first, view, own) {
    if (!first?.anchor?.tile || !(view.zoom < DEEP)) return own;
    const target = first.target + (first.anchor.tile.centre - this.anchor.tile.centre);
    return Math.abs(target - own) * 2 ** view.zoom * this.shared.rise < FAR ? target : own;
  }
  seaAbove() {
    return this.sea === null || !this.anchor ? -Infinity : this.sea - this.anchor.tile.centre;
  }
  // The height above a node's centre at a place, between four cells; or `own`, that of its cell.
  heightIn(node, { x, y }, own = false) {
    const { tile } = node,
      [wide, high] = extentOf(tile),
      level = node.z;
    const u = between(cornerOf(node.x, level), x, level) / wide,
      v = between(cornerOf(node.y, level), y, level) / high;
    const across = tile.width + 2 * tile.border,
      down = tile.height + 2 * tile.border;
    const a = Math.min(Math.max(u * tile.width + tile.border - 0.5, 0), across - 1.001),
      b = Math.min(Math.max(v * tile.height + tile.border - 0.5, 0), down - 1.001);
    if (own) return tile.scale * tile.values[Math.round(b) * across + Math.round(a)];
    const i = Math.floor(a),
      j = Math.floor(b),
      s = a - i,
      t = b - j,
      at = j * across + i,
      { values } = tile;
    return (
      tile.scale *
      ((values[at] * (1 - s) + values[at + 1] * s) * (1 - t) +
        (values[at + across] * (1 - s) + values[at + across + 1] * s) * t)
    );
  }
  // The height of the ground in the scene at a point of it, with the exaggeration.
  sceneHeight(view, [east, north]) {
    return this.placeHeight(view, this.space.panned(view, east, north));
  }
  placeHeight(view, place) {
    const node = this.anchor && this.tree.above(place.face ?? 0, place.x, place.y, Math.floor(view.zoom) + 2);
    return node && this.shared.rise
      ? (Math.max(this.tree.rise(this.anchor, node) + this.heightIn(node, place), this.seaAbove()) -
          this.datum) *
          2 ** view.zoom *
          this.shared.rise
      : 0;
  }
  // Above the anchor's centre, which keeps its digits at any depth.
  heightAt(place, zoom) {
    const node = this.anchor && this.tree.above(place.face ?? 0, place.x, place.y, Math.floor(zoom) + 3);
    return node ? this.tree.rise(this.anchor, node) + this.heightIn(node, place) : null;
  }
  // What the tiles know of a place: of a field its cell's own value.
  known(place, zoom) {
    const node = this.tree.above(place.face ?? 0, place.x, place.y, Math.floor(zoom) + 3),
      own = Boolean(this.source.only);
    return node ? { altitude: node.tile.centre + this.heightIn(node, place, own) } : {};
  }

  // A sample of the altitudes (above the anchor's centre) and slopes that are seen.
  seen(view, frame) {
    const heights = [],
      slopes = [],
      around = [],
      sea = this.seaAbove();
    for (const node of this.anchor ? (this.drawn ?? []) : []) {
      const base = this.tree.rise(this.anchor, node);
      for (const sample of samplesOf(node.tile, node.z)) {
        const from = this.space
          .pointOf(view, node, sample.u, sample.v)
          .map((value, i) => value - frame.eye[i]);
        const [depth, x, y] = [frame.forward, frame.right, frame.up].map(
          axis => from[0] * axis[0] + from[1] * axis[1] + from[2] * axis[2],
        );
        around.push(sample.slope);
        if (depth <= 0 || depth > 5 * frame.distance || !inFrame(frame, depth, x, y)) continue;
        heights.push(base + sample.height);
        if (!(base + sample.height < sea)) slopes.push(sample.slope);
      }
    }
    return heights.length < FEW
      ? { heights: [...heights, ...this.heightsAcross(view, frame)], slopes: [...slopes, ...around] }
      : { heights, slopes };
  }
  // The heights at a grid of pixels, where coarse ground stands in that has few samples in view.
  heightsAcross(view, frame) {
    const heights = [];
    for (let i = 0; i < SAMPLES ** 2; i++) {
      const pixel = [
        (((i % SAMPLES) + 0.5) / SAMPLES) * frame.width,
        ((Math.floor(i / SAMPLES) + 0.5) / SAMPLES) * frame.height,
      ];
      const point = this.space.groundAt(frame, ...pixel, view);
      const height =
        point && Math.hypot(...point) < 5 * frame.distance
          ? this.heightAt(this.space.panned(view, ...point), view.zoom)
          : null;
      if (height !== null) heights.push(height);
    }
    return heights;
  }
  // Whether a palette that diverges does so here.
  get goesBelow() {
    return this.sea === null && this.source.only?.low + this.source.only?.centre < 0;
  }
  // Colours ease towards the range of what is seen.
  spread({ heights, slopes, diverges }, seconds) {
    const seen = rangeOf(heights, slopes, this.seaAbove());
    if (!seen) return;
    this.diverging = diverges && this.sea === null;
    const target = this.diverging ? rangeAround(-this.anchor.tile.centre, seen, heights) : seen;
    this.heights = heights.map(height => height + this.anchor.tile.centre);
    this.coast = this.diverging || target.low === this.seaAbove();
    this.range = eased(this.range, target, seconds);
    const span = target.high - target.low,
      far = (name, span) =>
        Math.abs(target[name] - this.range[name]) > Math.max(span * 0.003, Math.abs(target[name]) * 1e-9);
    this.easing =
      far("low", span) ||
      far("high", span) ||
      (this.coast && far("deep", target.low - target.deep)) ||
      Math.abs(this.range.steep / target.steep - 1) > 0.003;
    if (!this.easing) this.range = target;
  }

  // Gives each node that is drawn what its shader needs.
  place(view) {
    const scale = 2 ** view.zoom,
      kept = new Set(this.drawn),
      { shared } = this;
    const sea = this.seaAbove(),
      above = value => Math.max(-1e30, Math.min(1e30, (value - this.datum) * scale));
    shared.sea = Number.isFinite(sea) ? above(sea) : NO_SEA;
    shared.diverges = this.diverging ? 1 : 0;
    if (this.range) {
      shared.range = [
        above(this.range.low),
        above(this.range.high),
        above(this.range.deep),
        0.62 / this.range.steep,
      ];
      shared.trend = [this.range.east, this.range.south];
    }
    for (const [node, chunk] of this.chunks) {
      if (kept.has(node)) continue;
      if (chunk.shape) this.painter.drop(chunk.shape);
      this.chunks.delete(node);
    }
    if (this.drawn.length !== this.seams?.size || this.drawn.some(node => !this.seams.has(node)))
      this.seams = seamsOf(this.drawn, this.space);
    for (const node of this.drawn) {
      let chunk = this.chunks.get(node);
      if (!chunk)
        this.chunks.set(
          node,
          (chunk =
            this.space === globe
              ? {
                  shape: this.painter.curved(
                    node.z < 3 ? 48 : this.painter.software ? QUADS.moving : QUADS.software,
                    node,
                  ),
                }
              : {}),
        );
      this.dress(chunk, view, node, scale, sea);
    }
  }
  // The nearest first, so that what they hide is not shaded.
  paint(uniforms, { fine, moving }) {
    const { painter, shared, forms } = this,
      program = painter.ground(this.space === globe, Boolean(forms));
    painter.use(program, uniforms, shared, forms ?? {});
    const flat = painter.grid(
      !shared.rise ? 1 : (this.quads ?? QUADS[!fine ? "moving" : painter.software ? "software" : "fine"]),
    ).shape;
    for (const node of [...this.drawn].sort((a, b) => b.z - a.z)) {
      const chunk = this.chunks.get(node);
      painter.draw(program, chunk.shape ?? flat, chunk.uniforms);
    }
    for (const lines of this.lines)
      lines.paint(this.drawn, this.chunks, { ...uniforms, ...shared }, { partOf, moving });
    this.natural?.want(this.drawn);
  }
  // Lines over the ground, of Strokes' { key, least, fetch, colours }; null takes them away. A ground has two kinds:
  // "strokes", what is laid over it, and "roads".
  stroke(strokes, kind = "strokes") {
    this[kind]?.close();
    this[kind] =
      strokes &&
      new Strokes(this.painter, { ...strokes, globe: this.space === globe, changed: this.changed });
    this.changed();
  }
  get lines() {
    return [this.roads, this.space === globe ? null : this.strokes].filter(Boolean);
  }
  get waiting() {
    return [this.natural, ...this.lines].some(each => each?.lacks(this.drawn ?? []));
  }
  heightsFor(node, scale, sea) {
    const { tile } = node,
      image = (tile.image ??= this.painter.tile(tile, this.sea ?? NO_SEA));
    const base = image.zero ? sea : this.tree.rise(this.anchor, node);
    return [image.scale * scale, (base - this.datum) * scale, image.scale * 2 ** node.z];
  }
  dress(chunk, view, node, scale, sea) {
    const { tile } = node,
      [wide, high] = extentOf(tile),
      side = 2 ** (view.zoom - node.z),
      { rise } = this.shared;
    const ownHeights = this.heightsFor(node, scale, sea),
      { texture: own, area } = tile.image,
      mother = this.tree.parent(node);
    chunk.uniforms = {
      ownHeights,
      own,
      area,
      texelSide: side / Math.max(tile.width, tile.height),
      extent: [side * wide, side * high],
      skirt: rise ? side * Math.max(0.04, rise) : 0,
      ...(this.space === globe ? { borders: NO_BORDER, foot: 0 } : this.standing(node, side, scale, sea)),
      ...(this.space === globe
        ? this.turned(view, node)
        : { corner: flat.pointOf(view, node, 0, 0), axisU: [1, 0, 0], axisV: [0, -1, 0] }),
      coarseSides: this.seams.get(node).sides,
      coarseCorners: this.seams.get(node).corners,
      overlayArea: this.space === globe ? [0, 0, 1, 1] : partOf(node),
      ...this.natural?.over(node, this.tree),
      hasMother: 0,
      mother: own,
      motherArea: area,
      motherHeights: ownHeights,
    };
    if (!mother?.tile) return;
    const motherHeights = this.heightsFor(mother, scale, sea),
      {
        texture,
        area: [x, y, w, h],
      } = mother.tile.image;
    Object.assign(chunk.uniforms, {
      hasMother: 1,
      mother: texture,
      motherHeights,
      motherArea: [x + (w / 2) * Number(node.x & 1n), y + (h / 2) * Number(node.y & 1n), w / 2, h / 2],
    });
  }
  // Where a flat map ends it has sides, as a block has, down to `foot`.
  standing(node, side, scale, sea) {
    const { tile } = node,
      { rise } = this.shared,
      whole = side * 2 ** node.z;
    const lowest = tile.border
      ? (Math.max(sea, -1e30) - this.datum) * scale * rise - whole * 0.6 * rise
      : (tile.low + this.tree.rise(this.anchor, node) - this.datum) * scale * rise;
    return {
      borders: bordersOf(node, side),
      foot: Math.max(lowest, -DEEPEST) - Math.min(whole * 0.03, DEEPEST),
    };
  }
  // How a chunk of a planet lies now.
  turned(view, node) {
    const axes = axesAt(view),
      [, right, up] = faceAxes(node.face);
    const inScene = vector =>
      axes.map(axis => axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2]);
    return {
      corner: globe.pointOf(view, node, 0.5, 0.5),
      axes: [0, 1, 2].flatMap(i => axes.map(axis => axis[i])),
      axisU: inScene(right),
      axisV: inScene(up.map(value => -value)),
    };
  }

  // Pictures over each node, of Natural's { fetch, problem }; null takes them away.
  colourNaturally(source) {
    if (source) this.shared.opacity = 1; // cover() may have taken it away since
    if (Boolean(source) === Boolean(this.natural)) return;
    this.natural?.close();
    this.natural = source && new Natural(this.painter, { ...source, changed: this.changed });
    if (this.before?.natural) this.natural?.takeFrom(this.before.natural);
    this.shared.natural = source ? 1 : 0;
    this.changed();
  }
  // A picture over the whole ground.
  cover(texture, opacity) {
    if (this.shared.overlay !== texture) this.painter.forget(this.shared.overlay);
    this.shared.overlay = texture ?? this.painter.blank;
    this.shared.opacity = opacity;
    this.changed();
  }
  // Between contour lines, in scene units: 1, 2 or 5 times a power of ten of altitude, a tenth of the range
  // or so.
  contourStep(view) {
    if (!this.range) return 0;
    const step = (this.range.high - this.range.low) / 12,
      power = 10 ** Math.floor(Math.log10(step)),
      share = step / power;
    return (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1) * power * 2 ** view.zoom;
  }
  // How far the datum is above a contour line, so that lines stay where they are as one moves.
  contourPhase(view) {
    const step = this.contourStep(view) / 2 ** view.zoom,
      altitude = this.datum + (step > 1e-12 ? this.anchor.tile.centre : 0);
    return step ? (altitude % step) * 2 ** view.zoom : 0;
  }

  close() {
    for (const lines of [this.strokes, this.roads, this.natural]) lines?.close();
    this.painter.forget(this.shared.overlay);
    this.loader.close();
    for (const node of this.tree.nodes.values()) if (node.tile) this.leave(node.tile);
    for (const { shape } of this.chunks.values()) if (shape) this.painter.drop(shape);
  }
}
