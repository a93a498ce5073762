// Where points of edits lie: digits in a recipe's line, coordinates of `render`, against places of the view. On a planet
// those are its longitude and latitude, 0 to 1 around it and 0.25 to 0.75 from pole to pole. Pure.
import { SIDE, toDigits } from "./address.js";
import { axesAt, geographic, placeOf } from "./globe.js";

const DIGITS = 17, // of a coordinate, which a double holds
  FINEST = 45, // zoom whose pixels doubles tell apart
  TURNED = 30, // zoom whose tenths of a pixel digits of turned points tell
  CIRCLES = 2; // zooms by which an equator is finer than a planet's diameter

// A coordinate of these digits, whatever way they are written.
export const coordinateOf = digits => BigInt(Math.round(Number(digits) * 2 ** 80)) * (SIDE >> 80n);

const digitsOf = (coordinate, zoom) => toDigits(coordinate, Math.min(zoom, FINEST)).slice(0, DIGITS + 2);

const lengthOf = (points, apart) =>
  points.slice(1).reduce((sum, point, i) => sum + apart(point, points[i]), 0);

export const flatPlaces = {
  placeAt: ([x, y]) => ({ face: 0, x: coordinateOf(x), y: coordinateOf(y) }),
  // A tenth of a pixel fine.
  digitsAt: ({ x, y }, zoom) => [x, y].map(value => digitsOf(value < 0n ? 0n : value, zoom)),
  // Of a line, in the view's sides.
  lengthOf: points => lengthOf(points, (a, b) => Math.hypot(...a.map((value, i) => value - b[i]))),
  // The place in the middle of points, and how far they are apart, in the view's sides.
  around(points) {
    const [left, top, right, bottom] = [Math.min, Math.max].flatMap(most =>
      [0, 1].map(i => most(...points.map(point => Number(point[i])))),
    );
    const [x, y] = [(left + right) / 2, (top + bottom) / 2].map(coordinateOf);
    return { place: { x, y }, side: Math.max(right - left, bottom - top) };
  },
};

export function directionOfDigits([x, y]) {
  const longitude = (Number(x) - 0.5) * 2 * Math.PI,
    latitude = (0.5 - Number(y)) * 2 * Math.PI;
  return [
    Math.cos(latitude) * Math.sin(longitude),
    Math.sin(latitude),
    Math.cos(latitude) * Math.cos(longitude),
  ];
}
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Exact for near directions, too.
export const angleBetween = (a, b) =>
  2 * Math.asin(Math.min(1, Math.hypot(...a.map((value, i) => value - b[i])) / 2));

// The axes of the plane around directions: east, north, and out of the planet in their middle.
export function axesAround(directions) {
  const out = [0, 1, 2].map(i => directions.reduce((sum, at) => sum + at[i], 0)),
    length = Math.hypot(...out);
  return axesAt(placeOf(length > 0 ? out.map(value => value / length) : directions[0]));
}

export const globePlaces = {
  placeAt: point => placeOf(directionOfDigits(point)),
  digitsAt(place, zoom) {
    const { latitude, longitude } = geographic(place),
      coordinate = value => coordinateOf(Math.min(Math.max(value, 0), 1));
    return [0.5 + longitude / 360, 0.5 - latitude / 360].map(value =>
      digitsOf(coordinate(value), zoom + CIRCLES),
    );
  },
  // The same in equators.
  lengthOf: points => lengthOf(points.map(directionOfDigits), (a, b) => angleBetween(a, b) / (2 * Math.PI)),
  around(points) {
    const directions = points.map(directionOfDigits),
      [, , middle] = axesAround(directions);
    return { place: placeOf(middle), side: Math.max(...directions.map(at => angleBetween(at, middle))) };
  },
};

// Points of a planet turned on it, along the shortest way, so that their middle comes to a point.
export function movedTo(points, point) {
  const directions = points.map(directionOfDigits),
    [, , from] = axesAround(directions),
    to = directionOfDigits(point),
    axis = [
      from[1] * to[2] - from[2] * to[1],
      from[2] * to[0] - from[0] * to[2],
      from[0] * to[1] - from[1] * to[0],
    ],
    cosine = dot(from, to);
  // Rodrigues' formula; the axis is as long as the angle's sine
  const turned = at => {
    const across = [
        axis[1] * at[2] - axis[2] * at[1],
        axis[2] * at[0] - axis[0] * at[2],
        axis[0] * at[1] - axis[1] * at[0],
      ],
      along = dot(axis, at) / (1 + cosine);
    return at.map((value, i) => cosine * value + across[i] + along * axis[i]);
  };
  return directions.map(at => globePlaces.digitsAt(placeOf(turned(at)), TURNED));
}

// Whether a point lies within corners, by the even number of sides to the east of others; on a planet (`round`) the
// shorter way around, from the point to the first corner and from each to the next.
export function isInside(point, corners, round = false) {
  const [px, py] = point.map(Number),
    near = [];
  for (const [x, y] of corners) {
    const from = near.at(-1)?.[0] ?? 0,
      away = Number(x) - px - from;
    near.push([from + (round ? away - Math.round(away) : away), Number(y) - py]);
  }
  let inside = false,
    [fromX, fromY] = near.at(-1);
  for (const [x, y] of near) {
    if (fromY > 0 !== y > 0 && fromX - (fromY * (x - fromX)) / (y - fromY) > 0) inside = !inside;
    [fromX, fromY] = [x, y];
  }
  return inside;
}

// Whether the planet hides a point of its surface from the eye. Scene's units.
export function isHidden(eye, point, radius) {
  const out = [point[0], point[1], point[2] + radius];
  return dot(out, [eye[0] - point[0], eye[1] - point[1], eye[2] - point[2]]) <= 0;
}
