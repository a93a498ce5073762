// The space of a planet: six faces of a cube, projected from the middle (gnomonic, as src/rivermap/globe.c
// does). The same views, tree and tiles as on a flat map; only where a cell lies differs. Sides of faces are
// 2 radii long in the middle. Planet's axes: x right, y up, z to the viewer of the front. Scene's axes: east,
// north, up at the place in the middle. Doubles carry it to level 40. Pure.
import { BITS, between, cellOf, cornerOf, SIDE } from "./address.js";
import { measureBox } from "./view.js";

const basis = [
  // of a face: its middle, right and up
  [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ],
  [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ],
  [
    [0, 0, -1],
    [-1, 0, 0],
    [0, 1, 0],
  ],
  [
    [-1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
  ],
  [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, -1],
  ],
  [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sum = (a, s, b, t) => [a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t];
const unit = a => {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export const faceAxes = face => basis[face - 1];
const share = coordinate => between(0n, coordinate, 0);
export const radius = zoom => 2 ** zoom / 2;

export function directionOf(face, u, v) {
  const [middle, right, up] = basis[face - 1];
  return unit(sum(sum(middle, 1, right, 2 * u - 1), 1, up, 1 - 2 * v));
}
export function placeOf(direction) {
  let face = 1,
    most = -1;
  basis.forEach(([middle], i) => {
    if (dot(middle, direction) > most) {
      most = dot(middle, direction);
      face = i + 1;
    }
  });
  const [, right, up] = basis[face - 1];
  const whole = value => {
    const scaled = BigInt(Math.round(Math.min(Math.max(value, 0), 1) * 2 ** 52)) << BigInt(BITS - 52);
    return scaled < SIDE ? scaled : SIDE - 1n;
  };
  return {
    face,
    x: whole((dot(right, direction) / most + 1) / 2),
    y: whole((1 - dot(up, direction) / most) / 2),
  };
}

// Degrees, as on the map that `render` draws without rotation.
export function geographic({ face, x, y }) {
  const [right, up, front] = directionOf(face, share(x), share(y)),
    degrees = 180 / Math.PI;
  return {
    latitude: Math.atan2(up, Math.hypot(right, front)) * degrees,
    longitude: Math.atan2(right, front) * degrees,
  };
}
// The same as texts that tell a tenth of a pixel at this zoom.
export function geographicTexts(place, zoom) {
  const { latitude, longitude } = geographic(place),
    digits = Math.min(Math.max(Math.ceil((zoom + 5) * Math.log10(2)), 1), 13);
  return {
    latitude: Math.abs(latitude).toFixed(digits) + (latitude < 0 ? "° S" : "° N"),
    longitude: Math.abs(longitude).toFixed(digits) + (longitude < 0 ? "° W" : "° E"),
  };
}

// The scene's axes at a place, in the planet's.
export function axesAt({ face, x, y }) {
  const up = directionOf(face || 1, share(x), share(y)),
    pole = Math.abs(up[1]) > 0.999999 ? [0, 0, -Math.sign(up[1])] : [0, 1, 0];
  const east = unit(cross(pole, up));
  return [east, cross(up, east), up];
}
let last = {};
function axesOf(view) {
  if (last.face !== view.face || last.x !== view.x || last.y !== view.y)
    last = { face: view.face, x: view.x, y: view.y, axes: axesAt(view) };
  return last.axes;
}

const quartersOf = ({ face, z, x, y }) =>
  [
    [0n, 0n],
    [1n, 0n],
    [0n, 1n],
    [1n, 1n],
  ].map(([i, j]) => ({ face, z: z + 1, x: (x << 1n) + i, y: (y << 1n) + j }));

export const globe = {
  panned(view, east, north) {
    const far = Math.hypot(east, north),
      angle = far / radius(view.zoom);
    if (!(angle > 0)) return view;
    const [e, n, up] = axesOf(view),
      along = sum(e, east / far, n, north / far);
    return { ...view, ...placeOf(sum(up, Math.cos(angle), along, Math.sin(angle))) };
  },
  // How far it is to a place, and in which direction one leaves.
  towards(from, to, zoom) {
    const [e, n, up] = axesOf(from),
      target = directionOf(to.face, share(to.x), share(to.y));
    const east = dot(target, e),
      north = dot(target, n),
      off = Math.hypot(east, north);
    const angle = Math.atan2(off, dot(target, up));
    return { distance: angle * radius(zoom), east: off ? east / off : 1, north: off ? north / off : 0 };
  },
  groundAt(frame, pixelX, pixelY, view) {
    const x = (pixelX - frame.middle[0]) / frame.focal,
      y = (frame.middle[1] - pixelY) / frame.focal;
    const ray = unit([0, 1, 2].map(i => frame.forward[i] + frame.right[i] * x + frame.up[i] * y));
    const r = radius(view.zoom),
      from = [frame.eye[0], frame.eye[1], frame.eye[2] + r],
      b = dot(from, ray);
    const high = Math.hypot(...from) - r,
      inside = b * b - high * (high + 2 * r);
    if (inside < 0 || b > 0) return null;
    const hit = sum(from, 1, ray, -b - Math.sqrt(inside)),
      off = Math.hypot(hit[0], hit[1]),
      arc = Math.atan2(off, hit[2]) * r;
    return off ? [(hit[0] / off) * arc, (hit[1] / off) * arc] : [0, 0];
  },
  pointAt(view, { face, x, y }, height) {
    const [e, n, up] = axesOf(view),
      r = radius(view.zoom),
      at = directionOf(face || 1, share(x), share(y));
    return [dot(at, e) * (r + height), dot(at, n) * (r + height), dot(at, up) * (r + height) - r];
  },
  // The point of the surface at u and v of a cell, in the scene.
  pointOf(view, node, u, v) {
    const [e, n, up] = axesOf(view),
      side = 2 ** -node.z,
      r = radius(view.zoom);
    const at = directionOf(
      node.face,
      share(cornerOf(node.x, node.z)) + u * side,
      share(cornerOf(node.y, node.z)) + v * side,
    );
    const off = [at[0] - up[0], at[1] - up[1], at[2] - up[2]];
    return [dot(off, e) * r, dot(off, n) * r, dot(off, up) * r];
  },
  box(view, node, frame) {
    const r = radius(view.zoom),
      side = 2 ** (view.zoom - node.z),
      low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity];
    const eye = [frame.eye[0], frame.eye[1], frame.eye[2] + r];
    let facing = -Infinity;
    for (let i = 0; i < 9; i++) {
      const at = globe.pointOf(view, node, (i % 3) / 2, Math.floor(i / 3) / 2);
      facing = Math.max(facing, dot([at[0], at[1], at[2] + r], eye) / (r * r));
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], at[k]);
        high[k] = Math.max(high[k], at[k]);
      }
    }
    const bulge = (side * 2 ** -node.z) / 10; // of the surface between those points
    return {
      low: low.map(value => value - bulge),
      high: high.map(value => value + bulge),
      side,
      hidden: facing < 1 - 2 ** (1.3 - node.z),
    };
  },
  // Cells that are wide beside what is seen are seen where a quarter of them is: the box around a curved one
  // is much larger.
  measure(view, node, frame, { box = globe.box(view, node, frame), height }) {
    if (box.hidden) return { visible: false };
    const far = Math.hypot(...[0, 1].map(k => Math.max(Math.abs(box.low[k]), Math.abs(box.high[k]))));
    // Heights lean outward
    const lean = Math.max(...height.map(Math.abs)) * Math.min(1, far / radius(view.zoom));
    const seen = measureBox(
      frame,
      [box.low[0] - lean, box.low[1] - lean, box.low[2] + height[0]],
      [box.high[0] + lean, box.high[1] + lean, box.high[2] + height[1]],
    );
    if (!seen.visible || box.side < frame.reach) return seen;
    return {
      ...seen,
      visible: quartersOf(node).some(quarter => globe.measure(view, quarter, frame, { height }).visible),
    };
  },
  beside({ face, z, x, y }, right, down) {
    const side = 2 ** -z,
      [u, v] = [share(cornerOf(x, z)) + (right + 0.5) * side, share(cornerOf(y, z)) + (down + 0.5) * side];
    const there =
      u > 0 && v > 0 && u < 1 && v < 1 ? { face, x: x + BigInt(right), y: y + BigInt(down) } : null;
    if (there) return { ...there, z };
    const across = placeOf(directionOf(face, u, v));
    return { face: across.face, z, x: cellOf(across.x, z), y: cellOf(across.y, z) };
  },
  around(tree, view, level) {
    const cells = new Set();
    if (level <= 1) {
      const all = [];
      for (let face = 1; face <= 6; face++)
        for (let i = 0; i < 4 ** level; i++)
          all.push(tree.node(face, level, BigInt(i % 2 ** level), BigInt(Math.floor(i / 2 ** level))));
      return all;
    }
    // Cells at a face's corner are half as wide as in its middle
    const step = 2 ** (view.zoom - level) * 0.45;
    for (let i = -3; i <= 3; i++)
      for (let j = -3; j <= 3; j++) {
        const { face, x, y } = globe.panned(view, i * step, j * step);
        cells.add(tree.node(face || 1, level, cellOf(x, level), cellOf(y, level)));
      }
    return [...cells];
  },
};

// What a chunk's grid needs besides u and v: each vertex as a difference from the chunk's middle, in sides of
// the chunk, and its direction from the planet's centre.
export function curve(node, spots) {
  const side = 2 ** -node.z,
    u0 = share(cornerOf(node.x, node.z)),
    v0 = share(cornerOf(node.y, node.z));
  const middle = directionOf(node.face, u0 + side / 2, v0 + side / 2),
    count = spots.length / 3;
  const places = new Float32Array(count * 3),
    outward = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) {
    const at = directionOf(node.face, u0 + spots[i * 3] * side, v0 + spots[i * 3 + 1] * side);
    for (let k = 0; k < 3; k++) {
      places[i * 3 + k] = (at[k] - middle[k]) / 2 / side;
      outward[i * 3 + k] = at[k];
    }
  }
  return { places, outward };
}
