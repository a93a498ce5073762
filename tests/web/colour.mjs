// The explorer's own palette with each kind of colour vision.
import assert from "node:assert";
import { test } from "node:test";
import {
  eased,
  groundRamp,
  isDiverging,
  RAMP,
  rampOf,
  rangeAround,
  rangeOf,
  standard,
} from "../../src/web/explorer/colour.js";

// Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision
// deficiency", table 1, severity 1.
const visions = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
const light = value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const root = t => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
function lab([r, g, b]) {
  const [x, y, z] = [
    (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
  ].map(root);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

for (const vision in visions)
  test(`heights a fifth apart, and sea and land, differ with ${vision}`, () => {
    const ramp = rampOf(standard.atlas),
      m = visions[vision];
    const seen = position => {
      const i = Math.round(((position + 1) / 2) * (RAMP - 1)) * 4,
        rgb = [0, 1, 2].map(k => light(ramp[i + k] / 255));
      return lab(
        [0, 1, 2].map(k =>
          Math.min(Math.max(m[3 * k] * rgb[0] + m[3 * k + 1] * rgb[1] + m[3 * k + 2] * rgb[2], 0), 1),
        ),
      );
    };
    const apart = (a, b) => Math.hypot(...seen(a).map((value, i) => value - seen(b)[i]));
    for (let a = 0; a <= 1; a += 0.02)
      for (let b = a + 0.2; b <= 1; b += 0.02) assert.ok(apart(a, b) > 6, `${a} ${b} ${apart(a, b)}`);
    for (const sea of [-0.01, -0.05, -0.2, -1])
      for (const land of [0, 0.1, 0.3]) assert.ok(apart(sea, land) > 10, `${sea} ${land}`);
  });

test("a hillside is shaded by what differs from its slope", () => {
  const bumps = Array.from({ length: 100 }, (_, i) => [5 + (i % 2 ? 0.5 : -0.5), 2]),
    flat = Array.from({ length: 100 }, (_, i) => [i % 2 ? 0.5 : -0.5, 0]);
  const heights = [0, 1, 2, 3],
    side = rangeOf(heights, bumps, -Infinity),
    level = rangeOf(heights, flat, -Infinity);
  assert.ok(Math.abs(level.east) < 1e-12 && Math.abs(level.steep - 0.5) < 1e-12, JSON.stringify(level));
  assert.ok(side.east > 3 && side.south > 1 && side.steep < 1.5, JSON.stringify(side)); // 5.4 without
});

test("colours follow a dive smoothly, and a jump at once", () => {
  const range = span => ({ low: 0, high: span, deep: -span, east: 0, south: 0, steep: 1 }),
    near = eased(range(1), range(0.5), 0.1);
  assert.ok(near.high < 0.95 && near.high > 0.55);
  assert.deepEqual(eased(range(1), range(1e-20), 0.1), range(1e-20));
});

const viridis = [
    [0, 68, 1, 84],
    [0.25, 59, 82, 139],
    [0.5, 33, 145, 140],
    [0.75, 94, 201, 98],
    [1, 253, 231, 37],
  ],
  black = [
    [-1, 0, 0, 0],
    [0, 0, 0, 0],
    [1, 255, 255, 255],
  ];
const cyclic = [
  [0, 122, 224, 205],
  [0.125, 167, 192, 109],
  [0.25, 175, 142, 42],
  [0.5, 138, 67, 91],
  [0.75, 118, 142, 220],
  [1, 122, 224, 205],
];
const mars = [
  [-1, 74, 42, 32],
  [0, 125, 70, 48],
  [0.35, 176, 100, 63],
  [0.65, 207, 138, 91],
  [1, 240, 207, 168],
];
const diverging = [
  [-1, 31, 78, 156],
  [-0.5, 125, 169, 214],
  [0, 244, 244, 242],
  [0.5, 226, 150, 121],
  [1, 163, 29, 45],
];

test("the sea is told from the land in any palette", () => {
  const apart = (one, i, other, j) => Math.hypot(...[0, 1, 2].map(c => one[i * 4 + c] - other[j * 4 + c]));
  for (const stops of [viridis, black, mars, cyclic]) {
    const ramp = groundRamp(stops),
      own = rampOf(stops),
      half = RAMP / 2;
    assert.deepEqual(ramp.subarray(half * 4), own.subarray(half * 4));
    for (const sea of [0, 128, half - 1])
      for (let land = half; land < RAMP; land++)
        assert.ok(apart(ramp, sea, ramp, land) > 35, `${sea} ${land}`);
    assert.ok(apart(ramp, half - 1, ramp, half) > 70); // the shore
  }
  for (const stops of [standard.atlas, diverging]) assert.deepEqual(groundRamp(stops), rampOf(stops));
});

test("a palette diverges from 0 where its colours do", () => {
  assert.deepEqual([viridis, black, mars, diverging, standard.atlas].map(isDiverging), [
    false,
    false,
    false,
    true,
    false,
  ]);
  const { low, high, deep, steep } = rangeAround(
    -2,
    { low: -3, high: 5, deep: -9, steep: 7 },
    [-3, -2, 1, 2],
  );
  assert.deepEqual({ low, high, deep, steep }, { low: -2, high: 2, deep: -6, steep: 7 });
});
