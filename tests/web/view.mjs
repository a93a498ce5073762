import assert from "node:assert/strict";
import { test } from "node:test";
import { between, fromDigits } from "../../src/web/explorer/address.js";
import {
  bordersOf,
  flat,
  flight,
  frameOf,
  heightsDrawn,
  lifted,
  limited,
  measureBox,
  pixelOf,
  wholeView,
  zoomedAbout,
} from "../../src/web/explorer/view.js";

const view = {
  face: 0,
  x: fromDigits("0.43210987654321098765432109876543210987"),
  y: fromDigits("0.7"),
  zoom: 60,
  tilt: 0,
  turn: 0,
};
const limits = { least: 0, most: 92, tilt: 80 };

const { groundAt, panned } = flat;

test("the middle of the screen is the place, a pixel is 1/256", () => {
  const frame = frameOf(view, 1280, 800);
  assert.deepEqual(
    groundAt(frame, 640, 400).map(value => Math.abs(value) < 1e-9),
    [true, true],
  );
  const [east, north] = groundAt(frame, 640 + 256, 400 - 128);
  assert.ok(Math.abs(east - 1) < 1e-9 && Math.abs(north - 0.5) < 1e-9);
});

test("turned and tilted, up on the screen is ahead, and above the horizon is no ground", () => {
  const frame = frameOf({ ...view, turn: 90, tilt: 60 }, 1000, 800);
  assert.ok(groundAt(frame, 500, 300)[0] > 0.3 && Math.abs(groundAt(frame, 500, 300)[1]) < 1e-9);
  assert.equal(groundAt(frameOf({ ...view, tilt: 80 }, 1000, 800), 500, 0), null);
});

test("zooming keeps the point below the pointer, through ten levels in steps", () => {
  for (const tilt of [0, 50]) {
    let now = { ...view, tilt };
    const at = point => groundAt(frameOf(point, 1280, 800), 900, 250),
      before = at(now);
    const place = panned(now, ...before);
    for (let i = 0; i < 100; i++) now = zoomedAbout(now, at(now), 0.1, limits);
    const after = panned(now, ...at(now));
    assert.ok(
      Math.abs(between(place.x, after.x, now.zoom)) < 1e-6 &&
        Math.abs(between(place.y, after.y, now.zoom)) < 1e-6,
    );
    assert.ok(Math.abs(now.zoom - 70) < 1e-9);
  }
});

test("zooming ends at the limits, and leaves the place there", () => {
  const far = zoomedAbout({ ...view, zoom: 92 }, [3, 2], 5, limits);
  assert.equal(far.zoom, 92);
  assert.equal(far.x, view.x);
});

test("a view is kept on the map", () => {
  const off = limited(panned({ ...view, zoom: 0 }, 50, -50), limits);
  assert.ok(off.x < 1n << 160n && off.y < 1n << 160n && off.x > 0n);
  assert.equal(limited({ ...view, turn: 540 }, limits).turn, -180);
});

test("a box before the eye is seen, one behind or beside is not", () => {
  const frame = frameOf({ ...view, tilt: 60 }, 1280, 800);
  assert.ok(measureBox(frame, [-0.5, -0.5, 0], [0.5, 0.5, 0.1]).visible);
  assert.ok(!measureBox(frame, [-0.5, -40, 0], [0.5, -39, 0.1]).visible);
  assert.ok(!measureBox(frame, [60, 0, 0], [61, 1, 0]).visible);
  const top = frameOf(view, 1280, 800);
  assert.ok(
    Math.abs(top.focal / measureBox(top, [0, 0, 0], [1, 1, 0]).depth - 256) < 1e-6,
    "a unit is 256 pixels",
  );
});

test("cells lie around the place, exactly at any depth", () => {
  const node = { z: 60, x: view.x >> 100n, y: view.y >> 100n },
    box = flat.box(view, node);
  assert.equal(box.side, 1);
  assert.ok(box.low[0] <= 0 && box.low[0] > -1 && box.high[1] >= 0 && box.high[1] < 1);
});

test("an eye that is lifted looks at the same place", () => {
  const frame = frameOf({ face: 0, x: 0n, y: 0n, zoom: 3, tilt: 70, turn: 40 }, 800, 500, [450, 200]),
    same = lifted(frame, frame.eye[2]);
  for (const name of ["eye", "forward", "up", "right"])
    same[name].forEach((value, i) => assert.ok(Math.abs(value - frame[name][i]) < 1e-12, name));
  for (const height of [2, 5, 50]) {
    const high = lifted(frame, height),
      [x, y] = pixelOf(high, [0, 0, 0]),
      dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
    assert.ok(Math.abs(x - 450) < 1e-9 && Math.abs(y - 200) < 1e-9);
    assert.ok(
      Math.abs(dot(high.up, high.forward)) < 1e-12 &&
        Math.abs(dot(high.up, high.up) - 1) < 1e-12 &&
        high.up[2] > 0 &&
        high.eye[2] === height,
    );
  }
});

test("a flight begins and ends exactly, at any depth, and rises between places far apart", () => {
  const to = { ...view, x: fromDigits("0.1"), y: fromDigits("0.2"), zoom: 80, turn: 170 },
    path = flight(view, to);
  for (const [t, end] of [
    [0, view],
    [1, to],
  ]) {
    const at = path.at(t);
    assert.ok(Math.abs(at.zoom - end.zoom) < 1e-6, at.zoom + " at " + t);
    assert.ok(
      Math.abs(between(end.x, at.x, end.zoom)) < 1e-3 && Math.abs(between(end.y, at.y, end.zoom)) < 1e-3,
    );
  }
  let least = 99,
    before = path.at(0);
  for (let i = 1; i <= 2000; i++) {
    const at = path.at(i / 2000),
      zoom = Math.min(at.zoom, before.zoom);
    assert.ok(Math.abs(between(before.x, at.x, zoom)) < 1.5, "a jump at " + i);
    assert.ok(Math.abs(at.zoom - before.zoom) < 0.6);
    least = Math.min(least, at.zoom);
    before = at;
  }
  assert.ok(least < 4, "rises to " + least);
  assert.ok(Math.abs(flight(view, { ...view, zoom: 20 }).at(0.5).zoom - 40) < 1e-9);
});

test("the whole is in the middle", () => {
  const whole = wholeView(1280, 800);
  assert.ok(256 * 2 ** whole.zoom <= 800 && 256 * 2 ** whole.zoom > 600);
});

test("ground below the sea is seen at the sea's level", () => {
  const tilted = { ...view, tilt: 58 },
    frame = frameOf(tilted, 1280, 800),
    seen = (low, high) => measureBox(frame, [-1, -1, low], [1, 1, high]).visible;
  assert.deepEqual(heightsDrawn(-50, -40, 0, 2), [0, 0]);
  assert.deepEqual(heightsDrawn(-50, 3, 0, 2), [0, 6]);
  assert.deepEqual(heightsDrawn(-50, -40, -Infinity, 2), [-100, -80]);
  assert.ok(seen(...heightsDrawn(-50, -40, 0, 1)) && !seen(-50, -40));
});

test("a cell knows how far it is from the map's border", () => {
  assert.deepEqual(bordersOf({ z: 0, x: 0n, y: 0n }, 3), [0, 0, 0, 0]);
  assert.deepEqual(bordersOf({ z: 3, x: 1n, y: 7n }, 2), [2, 12, 14, 0]);
  const deep = bordersOf({ z: 80, x: 3n, y: 1n << 79n }, 1);
  assert.deepEqual(deep, [3, 1e6, 1e6, 1e6]);
});
