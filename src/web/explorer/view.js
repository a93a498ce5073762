// The view: a place under the middle of the screen, a zoom, a tilt and a turn, and how they move. A scene's
// unit is 2^-zoom of the map's side, 256 pixels at the middle; x points east, y north, z up. Pure.
import { BITS, between, cellOf, cornerOf, moved, within } from "./address.js";

export const UNIT = 256;
const FIELD_OF_VIEW = (40 * Math.PI) / 180;
const FURTHEST = 60; // how far one sees, in distances of the eye from the middle
export const radians = degrees => (degrees * Math.PI) / 180;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export const wholeZoom = (width, height) => Math.log2(Math.max(64, Math.min(width, height) * 0.92) / UNIT);

// Between a view's zoom, which is a level, and that of recipes: the map's side to the screen's shorter one.
export const factorOf = (level, width, height) => (2 ** level * UNIT) / Math.min(width, height);
export const levelOf = (factor, width, height) => Math.log2((factor * Math.min(width, height)) / UNIT);

export function wholeView(width, height) {
  return {
    face: 0,
    x: 1n << BigInt(BITS - 1),
    y: 1n << BigInt(BITS - 1),
    zoom: wholeZoom(width, height),
    tilt: 0,
    turn: 0,
  };
}

// Where the eye is and what it sees. `middle` is the pixel that shows the view's place: panels cover some of
// the screen.
export function frameOf(view, width, height, middle = [width / 2, height / 2]) {
  const tilt = radians(view.tilt),
    turn = radians(view.turn);
  const sin = Math.sin(tilt),
    cos = Math.cos(tilt),
    ahead = [Math.sin(turn), Math.cos(turn)];
  const focal = height / 2 / Math.tan(FIELD_OF_VIEW / 2),
    distance = focal / UNIT;
  const eye = [-ahead[0] * distance * sin, -ahead[1] * distance * sin, distance * cos];
  // Of the rays through the upper edge, from straight down
  const highest = tilt + Math.atan(middle[1] / focal);
  const far =
    highest > 1.5
      ? FURTHEST * distance
      : Math.min(FURTHEST * distance, distance * (sin + cos * Math.tan(highest)));
  return {
    eye,
    focal,
    distance,
    width,
    height,
    middle,
    reach: Math.hypot(far, ((far + distance) * Math.max(middle[0], width - middle[0])) / focal),
    right: [ahead[1], -ahead[0], 0],
    up: [ahead[0] * cos, ahead[1] * cos, sin],
    forward: [ahead[0] * sin, ahead[1] * sin, -cos],
    // Left, right, below, above, at depth 1
    sides: [-middle[0] / focal, (width - middle[0]) / focal, (middle[1] - height) / focal, middle[1] / focal],
    furthest: FURTHEST * distance,
  };
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// The same with the eye at another height, which looks at the view's place from there.
export function lifted(frame, height) {
  const eye = [frame.eye[0], frame.eye[1], height],
    length = Math.hypot(...eye),
    forward = eye.map(value => -value / length),
    [x, y, z] = frame.right;
  return {
    ...frame,
    eye,
    forward,
    up: [y * forward[2] - z * forward[1], z * forward[0] - x * forward[2], x * forward[1] - y * forward[0]],
  };
}

export const inFrame = ({ sides }, depth, x, y) =>
  x >= depth * sides[0] && x <= depth * sides[1] && y >= depth * sides[2] && y <= depth * sides[3];

// The pixel of a point of the scene; null behind the eye.
export function pixelOf(frame, point) {
  const from = point.map((value, i) => value - frame.eye[i]),
    depth = dot(from, frame.forward);
  return depth > 0
    ? [
        frame.middle[0] + (frame.focal * dot(from, frame.right)) / depth,
        frame.middle[1] - (frame.focal * dot(from, frame.up)) / depth,
      ]
    : null;
}

// The matrices of a frame, column by column, as WebGL has them.
export function matricesOf({ eye, right, up, forward, focal, width, height, middle, distance, furthest }) {
  const near = distance * 0.02,
    far = furthest * 1.5,
    back = forward.map(value => -value);
  return {
    viewMatrix: [
      ...[0, 1, 2].flatMap(i => [right[i], up[i], back[i], 0]),
      -dot(right, eye),
      -dot(up, eye),
      -dot(back, eye),
      1,
    ],
    projectionMatrix: [
      (2 * focal) / width,
      0,
      0,
      0,
      0,
      (2 * focal) / height,
      0,
      0,
      1 - (2 * middle[0]) / width,
      (2 * middle[1]) / height - 1,
      (far + near) / (near - far),
      -1,
      0,
      0,
      (2 * far * near) / (near - far),
      0,
    ],
  };
}

// How a box lies before the eye: whether any of it may be seen, and how near its nearest corner is along the
// line of sight.
export function measureBox(frame, low, high) {
  let nearest = Infinity,
    left = 0,
    right = 0,
    above = 0,
    below = 0,
    behind = 0,
    beyond = 0;
  for (let corner = 0; corner < 8; corner++) {
    const from = [0, 1, 2].map(i => ((corner >> i) & 1 ? high : low)[i] - frame.eye[i]);
    const depth = dot(from, frame.forward),
      x = dot(from, frame.right),
      y = dot(from, frame.up);
    nearest = Math.min(nearest, depth);
    left += x < depth * frame.sides[0];
    right += x > depth * frame.sides[1];
    below += y < depth * frame.sides[2];
    above += y > depth * frame.sides[3];
    behind += depth <= 0;
    beyond += depth > frame.furthest;
  }
  const outside = [left, right, above, below, behind, beyond].some(count => count === 8);
  return { visible: !outside, depth: Math.max(nearest, frame.distance * 0.02) };
}

// The lowest and highest in the scene of ground between two altitudes: what lies below the sea is drawn at
// its level.
export const heightsDrawn = (low, high, sea, factor) =>
  [low, high].map(height => clamp(Math.max(height, sea) * factor, -1e6, 1e6));

// The space of a flat map; globe.js has that of a planet. Points of the ground are [east, north] in scene
// units.
export const flat = {
  panned: (view, east, north) => ({
    ...view,
    x: moved(view.x, east, view.zoom),
    y: moved(view.y, -north, view.zoom),
  }),
  // How far it is to a place, and in which direction.
  towards(from, to, zoom) {
    const east = between(from.x, to.x, zoom),
      north = -between(from.y, to.y, zoom),
      distance = Math.hypot(east, north);
    return { distance, east: distance ? east / distance : 1, north: distance ? north / distance : 0 };
  },
  // The point of the ground (z = 0) below a pixel; null above the horizon.
  groundAt(frame, pixelX, pixelY) {
    const x = (pixelX - frame.middle[0]) / frame.focal,
      y = (frame.middle[1] - pixelY) / frame.focal;
    const ray = [0, 1, 2].map(i => frame.forward[i] + frame.right[i] * x + frame.up[i] * y);
    if (ray[2] > -0.02) return null;
    const t = frame.eye[2] / -ray[2];
    return [frame.eye[0] + ray[0] * t, frame.eye[1] + ray[1] * t];
  },
  // Where a place lies, `height` above the datum.
  pointAt: (view, { x, y }, height) => [
    between(view.x, x, view.zoom),
    -between(view.y, y, view.zoom),
    height,
  ],
  // Where u and v of a cell lie, without their height.
  pointOf(view, node, u, v) {
    const side = 2 ** (view.zoom - node.z);
    return [
      between(view.x, cornerOf(node.x, node.z), view.zoom) + u * side,
      -between(view.y, cornerOf(node.y, node.z), view.zoom) - v * side,
      0,
    ];
  },
  box(view, node) {
    const side = 2 ** (view.zoom - node.z),
      [west, north] = flat.pointOf(view, node, 0, 0);
    return { low: [west, north - side, 0], high: [west + side, north, 0], side, hidden: false };
  },
  // How a cell lies before the eye, with its lowest and highest in the scene.
  measure: (view, node, frame, { box, height }) =>
    measureBox(
      frame,
      [box.low[0], box.low[1], box.low[2] + height[0]],
      [box.high[0], box.high[1], box.high[2] + height[1]],
    ),
  // The cell of the same level beside one; null beyond the border.
  beside({ z, x, y }, right, down) {
    const to = { face: 0, z, x: x + BigInt(right), y: y + BigInt(down) };
    return to.x < 0n || to.y < 0n || to.x >> BigInt(z) || to.y >> BigInt(z) ? null : to;
  },
  // The cells of a level around the place.
  around(tree, view, level) {
    const last = (1n << BigInt(level)) - 1n,
      x = cellOf(view.x, level),
      y = cellOf(view.y, level),
      nodes = [];
    for (let j = y - 1n; j <= y + 1n; j++)
      for (let i = x - 1n; i <= x + 1n; i++)
        if (i >= 0n && j >= 0n && i <= last && j <= last) nodes.push(tree.node(0, level, i, j));
    return nodes;
  },
};

// How far the sides of a cell, left, right, above and below, are from the map's border, in scene units;
// `side` is the cell's.
export function bordersOf({ z, x, y }, side) {
  const last = (1n << BigInt(z)) - 1n;
  return [x, last - x, y, last - y].map(cells => Math.min(Number(cells) * side, 1e6));
}

export function limited(view, limits) {
  return {
    ...view,
    zoom: clamp(view.zoom, limits.least, limits.most),
    tilt: clamp(view.tilt, 0, limits.tilt ?? 80),
    turn: ((((view.turn + 180) % 360) + 360) % 360) - 180,
    x: within(view.x),
    y: within(view.y),
  };
}

// Changes the zoom and keeps the point of the ground where it is.
export function zoomedAbout(view, point, levels, limits, space = flat) {
  const zoom = clamp(view.zoom + levels, limits.least, limits.most),
    kept = 1 - 2 ** (view.zoom - zoom);
  return { ...space.panned(view, point[0] * kept, point[1] * kept), zoom };
}

// A smooth flight (van Wijk and Nuij 2003, "Smooth and efficient zooming and panning", section 4): out until
// both places are near each other, across, and in again. Each half is measured from the place that it is near
// to, so that both ends are exact at any depth. Returns { length, at(0 … 1) → view }.
export function flight(from, to, space = flat, screen = 4, rho = 1.4) {
  const base = Math.min(from.zoom, to.zoom);
  const out = space.towards(from, to, base),
    home = space.towards(to, from, base),
    { distance } = out;
  const start = screen * 2 ** (base - from.zoom),
    end = screen * 2 ** (base - to.zoom);
  const turn = ((to.turn - from.turn + 540) % 360) - 180;
  const eased = (a, b, t) => a + (b - a) * t * t * (3 - 2 * t);
  const common = t => ({ tilt: eased(from.tilt, to.tilt, t), turn: from.turn + eased(0, turn, t) });
  if (!(distance > 1e-9 * Math.min(start, end))) {
    return {
      length: (Math.abs(to.zoom - from.zoom) * Math.LN2) / rho + 0.3,
      at: t => ({ ...(t < 0.5 ? from : to), ...common(t), zoom: eased(from.zoom, to.zoom, t) }),
    };
  }
  // The path as seen from one end: its width and the distance covered at s.
  const path = (near, other) => {
    const b =
      (other * other - near * near + rho ** 4 * distance * distance) / (2 * near * rho * rho * distance);
    const r = b > 0 ? -Math.log(b + Math.sqrt(b * b + 1)) : Math.log(Math.sqrt(b * b + 1) - b);
    return {
      r,
      width: s => (near * Math.cosh(r)) / Math.cosh(rho * s + r),
      covered: s => (near / (rho * rho)) * (Math.cosh(r) * Math.tanh(rho * s + r) - Math.sinh(r)),
    };
  };
  const there = path(start, end),
    back = path(end, start);
  const length = (-back.r - there.r) / rho;
  const zoomOf = width => base - Math.log2(width / screen);
  const at = t => {
    const s = eased(0, length, t),
      half = s < length / 2;
    const side = half ? there : back,
      along = half ? s : length - s,
      origin = half ? from : to,
      way = half ? out : home;
    const covered = side.covered(along),
      at = space.panned({ ...origin, zoom: base }, way.east * covered, way.north * covered);
    return { ...at, ...common(t), zoom: zoomOf(side.width(along)) };
  };
  return { length, at };
}
