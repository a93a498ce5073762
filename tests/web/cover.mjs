import assert from "node:assert/strict";
import { test } from "node:test";
import { coverOf } from "../../src/web/explorer/cover.js";

const shares = (ground, place) => {
  const { foot, across, upwards } = coverOf(ground),
    away = place.map((value, k) => value - foot[k]);
  return [across, upwards].map(step => away[0] * step[0] + away[1] * step[1]);
};

test("a picture covers its ground from corner to corner, upright, mirrored and turned", () => {
  for (const [x, y, rightX, rightY, upX, upY] of [
    [0, 0, 4, 0, 0, 3],
    [0, 3, 4, 0, 0, -3],
    [4, 0, -4, 0, 0, 3],
    [2, 0, 4, 2, -1, 2],
    [0, 0, 0, 4, 3, 0],
  ])
    for (const [u, v] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [0.25, 0.75],
    ]) {
      const [s, t] = shares(
        [x, y, rightX, rightY, upX, upY],
        [x + u * rightX + v * upX, y + u * rightY + v * upY],
      );
      assert.ok(Math.abs(s - u) < 1e-12 && Math.abs(t - v) < 1e-12, `${s}, ${t}, not ${u}, ${v}`);
    }
});
