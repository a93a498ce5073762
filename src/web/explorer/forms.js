// What edits change of the ground, about, for the shader to show at once: it adds these forms to the tiles until those
// with the edits have come. Each has points in a plane around its middle, and lengths in scene units.
import { aroundLines, blockOf, readLine } from "./edit_lines.js";
import { radius } from "./globe.js";
import { FORMS, POINTS } from "./shaders.js";

// Kinds of forms, as the shader numbers them.
const RAISED = 0,
  CRATER = 1,
  LEVEL = 2,
  WET = 3,
  DRY = 4,
  UPLAND = 5, // from here on they have outlines
  LAKE = 6,
  DRIED = 7,
  LAND = 8,
  SEA = 9;

const REACH = { [CRATER]: 3, [LEVEL]: 1.3 }; // in half widths
const THINNEST = 1.5; // pixels of a river
const PIXEL = 1 / 256; // in scene units

// Lines that only one of two lists has.
function without(lines, others) {
  const left = [...others];
  return lines.filter(line => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

// The edits that a ground of one text does not show, and those that it shows but the other text has not: { added,
// removed }; null where more than lines of the block differ.
export function differences(before, after, name) {
  const [old, now] = [before, after].map(text => blockOf(text, name)?.lines);
  if (!old || !now || before === after) return null;
  if (aroundLines(before, name).some((part, i) => part !== aroundLines(after, name)[i])) return null;
  const edits = lines => lines.map(line => readLine(line, name)).filter(Boolean);
  return { added: edits(without(now, old)), removed: edits(without(old, now)) };
}

// Of an edit that comes, or goes: { kind, points, width, height } in metres, or null where nothing is known of it.
// usual: the width of one that has none.
export function formOf({ operation, shape, points, values }, goes, usual) {
  const { width = usual, height, depth, altitude, kind } = values,
    sign = goes ? -1 : 1;
  switch (operation) {
    case "raise":
      return {
        kind: shape === "outline" ? UPLAND : RAISED,
        points,
        width,
        height: sign * (height ?? width / 12),
      };
    case "crater": {
      const wide = Math.max(width / 4000, 1), // as src/land/craters.c
        usualDepth = 0.2 * Math.min(width, 4000) * wide ** 0.3;
      return { kind: CRATER, points, width, height: sign * (depth ?? usualDepth) };
    }
    case "level":
      return goes || shape === "outline" ? null : { kind: LEVEL, points, width, altitude };
    case "lake":
      return { kind: goes ? DRIED : LAKE, points, width: 0, height: 0 };
    case "coast":
      return { kind: (kind === "sea") !== goes ? SEA : LAND, points, width: 0, height: height ?? 300 };
    case "carve":
    case "add_rivers":
      return { kind: goes ? DRY : WET, points, width, height: 0 };
    default:
      return null;
  }
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a, factor) => a.map(value => value * factor);
const minus = (a, b) => a.map((value, i) => value - b[i]);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = a => scaled(a, 1 / Math.hypot(...a));

// The plane that touches the ground in the middle of points of the scene: { middle, east, north }.
export function planeOf(points, round) {
  const mean = [0, 1, 2].map(i => points.reduce((sum, point) => sum + point[i], 0) / points.length);
  if (!round) return { middle: mean, east: [1, 0, 0], north: [0, 1, 0] };
  const centre = [0, 0, -round],
    out = unit(minus(mean, centre)),
    east = unit(cross(Math.abs(out[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0], out));
  return { middle: scaled(out, round).map((value, i) => value + centre[i]), east, north: cross(out, east) };
}

// Half the mean width of an outline, of a circle the radius.
function halfOf(points) {
  let area = 0,
    length = 0;
  points.forEach(([x, y], i) => {
    const [toX, toY] = points[(i + 1) % points.length];
    area += x * toY - toX * y;
    length += Math.hypot(toX - x, toY - y);
  });
  return Math.abs(area) / Math.max(length, 1e-12);
}

export class Forms {
  constructor(painter, round) {
    this.painter = painter;
    this.points = new Float32Array(2 * POINTS);
    this.texture = painter.table(this.points);
    painter.beginForms(round);
  }
  // Uniforms of forms for a view. pointAt(point): of the scene; altitudeAt(point): of the ground, in scene units above
  // its datum, null where it is not known; `metre`: in scene units, `tall`: of heights.
  uniforms(forms, view, { round, pointAt, altitudeAt, metre, tall }) {
    const parts = [],
      middles = [],
      easts = [],
      norths = [],
      sizes = [];
    let count = 0;
    for (const { kind, points, width, height, altitude } of forms.slice(0, FORMS)) {
      if (count + points.length > POINTS) break;
      const at = points.map(pointAt),
        { middle, east, north } = planeOf(at, round ? radius(view.zoom) : 0),
        flat = at.map(point => [dot(minus(point, middle), east), dot(minus(point, middle), north)]);
      let half = kind >= UPLAND ? halfOf(flat) : (width * metre) / 2,
        tallness = (height ?? 0) * tall;
      if (kind === WET || kind === DRY) half = Math.max(half, (THINNEST / 2) * PIXEL);
      if (kind === LEVEL) {
        tallness = altitudeAt(points, altitude);
        if (tallness === null) continue;
      }
      parts.push(kind, count, points.length);
      middles.push(...middle);
      easts.push(...east);
      norths.push(...north);
      const far = Math.max(...flat.map(point => Math.hypot(...point)));
      sizes.push(half, tallness, far + (kind >= UPLAND ? 0 : half * (REACH[kind] ?? 1)));
      this.points.set(flat.flat(), 2 * count);
      count += points.length;
    }
    if (!parts.length) return null;
    this.painter.fill(this.texture, this.points);
    return {
      formPoints: this.texture,
      formCount: parts.length / 3,
      formParts: parts,
      formMiddles: middles,
      formEasts: easts,
      formNorths: norths,
      formSizes: sizes,
    };
  }
}
