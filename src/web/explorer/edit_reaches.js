// Where edits may change the ground, so that a page keeps all other tiles: on a flat map in boxes, on a planet in caps.
// Pure.
import { readLine } from "./edit_lines.js";
import { angleBetween, axesAround, directionOfDigits } from "./edit_places.js";
import { directionOf } from "./globe.js";

const HALF = 8, // cells of the level that an edit enters, at least, in half its width (src/land/edits.h)
  ENTERING = { raise: 4, carve: 0.5 }, // the same of those that enter earlier (src/land/edits.c)
  LONGEST = 96, // cells there of what is looked at as a whole, at most
  CELLS = 128, // there, beyond which nothing changes
  WIDTHS = 4, // the same, for what has a width
  DEFAULTS = { crater: 256, carve: 32768 }; // widths in the map's side, if no width is given

const isShape = ({ operation }) => operation === "lake" || operation === "coast";

// A river enters the coarsest level, which no other edit changes.
const isEverywhere = ({ operation }) => operation === "add_rivers";
// Towns change no ground.
const isNowhere = ({ operation }) => operation === "add_places";

// Half the mean width of an outline, of a circle the radius.
function halfOf(points) {
  let area = 0,
    length = 0;
  points.forEach(([x0, y0], i) => {
    const [x1, y1] = points[(i + 1) % points.length],
      [ax, ay] = points[0];
    area += (x0 - ax) * (y1 - y0) - (y0 - ay) * (x1 - x0);
    length += Math.hypot(x1 - x0, y1 - y0);
  });
  return length > 0 ? Math.abs(area) / length : 0;
}

// Of places in shares of the map's side, or of the equator, which is `side` metres: how many levels halve that until an
// edit enters, and how far beyond its points it may change the ground then.
function sizesOf(edit, points, side) {
  const [across, down] = [0, 1].map(i => {
    const values = points.map(point => point[i]);
    return Math.max(...values) - Math.min(...values);
  });
  const width = isShape(edit)
    ? 2 * halfOf(points)
    : (edit.values.width ?? side / (DEFAULTS[edit.operation] ?? 64)) / side;
  let depth = Math.ceil(Math.log2((ENTERING[edit.operation] ?? HALF) / (width / 2)));
  if (isShape(edit)) depth = Math.min(depth, Math.floor(Math.log2(LONGEST / Math.max(across, down))));
  return { depth, room: Math.max(WIDTHS * width, CELLS * 2 ** -depth) + width / 2 };
}

// Where an edit may change a flat map, in shares of its side: a box, and the number of levels to which the side is
// halved for the cells of the first level on which it does.
export function reachOf(edit, side) {
  const points = edit.points.map(point => point.map(Number)),
    [xs, ys] = [0, 1].map(i => points.map(point => point[i])),
    { depth, room } = sizesOf(edit, points, side);
  return {
    left: Math.min(...xs) - room,
    right: Math.max(...xs) + room,
    top: Math.min(...ys) - room,
    bottom: Math.max(...ys) + room,
    depth,
  };
}

export const FACES = 3; // levels by which a face's cells are finer than the equator's parts of the same level, at most
const BENT = 1.1; // lengths in the plane around an edit are so far from those on the planet, at most

// The same on a planet, whose equator is `side` metres long: a cap, its middle and the angle of its radius.
export function capOf(edit, side) {
  const directions = edit.points.map(directionOfDigits),
    [east, north, middle] = axesAround(directions),
    points = directions.map(at =>
      [east, north].map(axis => axis.reduce((sum, value, i) => sum + value * at[i], 0) / (2 * Math.PI)),
    ),
    { depth, room } = sizesOf(edit, points, side);
  const far = Math.max(...directions.map(at => angleBetween(at, middle)));
  return { middle, angle: BENT * (far + 2 * Math.PI * room), depth: depth - FACES };
}
const meet = (a, b) =>
  a.middle
    ? angleBetween(a.middle, b.middle) <= a.angle + b.angle
    : a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

// The reaches of all that differs between two lists of lines, and of the edits that may follow it; null where that
// is not known. reach(edit): of one.
export function changedReaches(before, after, name, reach) {
  let first = 0,
    last = 0;
  while (first < Math.min(before.length, after.length) && before[first] === after[first]) first++;
  while (last < Math.min(before.length, after.length) - first && before.at(-1 - last) === after.at(-1 - last))
    last++;
  const isTold = line => line.trim() && !/^\s*--/.test(line);
  const edits = lines => lines.filter(isTold).map(line => readLine(line, name));
  const changed = [
      ...edits(before.slice(first, before.length - last)),
      ...edits(after.slice(first, after.length - last)),
    ],
    others = edits(after.slice(after.length - last));
  if ([...changed, ...others].includes(null)) return null;
  if (changed.some(isEverywhere)) return null;
  const found = changed.filter(edit => !isNowhere(edit)).map(reach);
  let waiting = others.filter(edit => !isEverywhere(edit) && !isNowhere(edit)).map(reach);
  for (let more = true; more; ) {
    const met = waiting.filter(each => found.some(other => meet(each, other)));
    waiting = waiting.filter(each => !met.includes(each));
    found.push(...met);
    more = met.length > 0;
  }
  return found;
}

const PIXELS = 8; // a tile has 2^8 pixels along its side
const MARGIN = 4 / 256; // sides of a tile beyond it that it knows

// The coarsest level whose tiles may look another.
export const firstLevel = reaches => Math.max(0, Math.min(...reaches.map(({ depth }) => depth - PIXELS)));

function boxOf({ z, x, y }) {
  const side = 2 ** -z,
    left = Number(x) * side,
    top = Number(y) * side,
    room = MARGIN * side;
  return { left: left - room, right: left + side + room, top: top - room, bottom: top + side + room };
}
// Around a tile of a planet's face.
function capOfTile({ face, z, x, y }) {
  const side = 2 ** -z,
    at = (u, v) => directionOf(face, (Number(x) + u) * side, (Number(y) + v) * side),
    ends = [-MARGIN, 1 + MARGIN],
    middle = at(0.5, 0.5);
  return {
    middle,
    angle: Math.max(...ends.flatMap(u => ends.map(v => angleBetween(middle, at(u, v))))),
  };
}

// Whether a tile may look another where these reaches changed.
export function isReached(node, reaches) {
  const tile = node.face ? capOfTile(node) : boxOf(node);
  return reaches.some(reach => node.z + PIXELS >= reach.depth && meet(tile, reach));
}
