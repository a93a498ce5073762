import assert from "node:assert/strict";
import { test } from "node:test";
import { between, cornerOf, fromDigits, SIDE } from "../../src/web/explorer/address.js";
import { directionOf, geographicTexts, globe, placeOf, radius } from "../../src/web/explorer/globe.js";
import { Tree } from "../../src/web/explorer/tree.js";
import { flight, frameOf } from "../../src/web/explorer/view.js";

const near = (a, b, most = 1e-9) => Math.abs(a - b) <= most;
const share = coordinate => between(0n, coordinate, 0);

test("a direction has one place, whatever the face", () => {
  for (let face = 1; face <= 6; face++)
    for (const [u, v] of [
      [0.5, 0.5],
      [0.1, 0.8],
      [0.9, 0.05],
    ]) {
      const place = placeOf(directionOf(face, u, v));
      assert.equal(place.face, face);
      assert.ok(near(share(place.x), u) && near(share(place.y), v));
    }
});

test("places are told in degrees, as on the engine's whole map", () => {
  // globe_on_map in src/rivermap/globe.c
  const middle = SIDE / 2n,
    told = (face, x, y, zoom = 0) => Object.values(geographicTexts({ face, x, y }, zoom)).join(" ");
  assert.deepEqual(
    [1, 2, 3, 4].map(face => told(face, middle, middle)),
    ["0.00° N 0.00° E", "0.00° N 90.00° E", "0.00° N 180.00° E", "0.00° N 90.00° W"],
  );
  assert.equal(told(5, middle, middle).slice(0, 7), "90.00° ");
  assert.equal(told(1, SIDE - 1n, middle), "0.00° N 45.00° E");
  assert.equal(told(1, middle, SIDE - 1n, 10), "45.00000° S 0.00000° E");
});

test("edges of faces meet as the engine's do", () => {
  // through_face in src/rivermap/globe.c
  const meet = (a, b) => a.forEach((value, i) => assert.ok(near(value, b[i])));
  meet(directionOf(1, 1, 0.3), directionOf(2, 0, 0.3));
  meet(directionOf(2, 1, 0.3), directionOf(3, 0, 0.3));
  meet(directionOf(4, 1, 0.7), directionOf(1, 0, 0.7));
  meet(directionOf(5, 0.2, 1), directionOf(1, 0.2, 0));
  meet(directionOf(6, 0.2, 0), directionOf(1, 0.2, 1));
});

test("panning goes around, and over edges of faces", () => {
  const view = { face: 1, x: SIDE / 2n, y: SIDE / 2n, zoom: 3, tilt: 0, turn: 0 };
  const around = 2 * Math.PI * radius(3),
    quarter = globe.panned(view, around / 4, 0);
  assert.equal(quarter.face, 2);
  assert.ok(near(share(quarter.x), 0.5) && near(share(quarter.y), 0.5));
  const whole = [0, 1, 2, 3].reduce(now => globe.panned(now, around / 4, 0), view);
  assert.equal(whole.face, 1);
  assert.ok(near(share(whole.x), 0.5));
});

test("the ground below a pixel is where a cell's point is drawn, on a whole globe and deep", () => {
  for (const zoom of [1.5, 8, 30]) {
    const view = { face: 2, x: fromDigits("0.31234567891"), y: fromDigits("0.7"), zoom, tilt: 40, turn: 25 },
      frame = frameOf(view, 1000, 800);
    const [east, north] = globe.groundAt(frame, 560, 350, view),
      place = globe.panned(view, east, north);
    const node = { face: place.face, z: 0, x: 0n, y: 0n };
    if (zoom < 10) {
      const at = globe
        .pointOf(view, node, share(place.x), share(place.y))
        .map((value, i) => value - frame.eye[i]);
      const dot = axis => at[0] * axis[0] + at[1] * axis[1] + at[2] * axis[2],
        depth = dot(frame.forward);
      assert.ok(
        near(500 + (dot(frame.right) / depth) * frame.focal, 560, 1e-3) &&
          near(400 - (dot(frame.up) / depth) * frame.focal, 350, 1e-3),
      );
    } else {
      const back = globe.towards(view, place, zoom);
      assert.ok(near(back.distance * back.east, east, 1e-4) && near(back.distance * back.north, north, 1e-4));
    }
  }
});

test("a flight over a planet begins and ends at its places, across faces", () => {
  const from = { face: 1, x: SIDE / 3n, y: SIDE / 2n, zoom: 20, tilt: 0, turn: 0 },
    to = { ...from, face: 3, x: SIDE / 5n, zoom: 25 };
  const path = flight(from, to, globe);
  for (const [t, end] of [
    [0, from],
    [1, to],
  ]) {
    const at = path.at(t);
    assert.equal(at.face, end.face);
    assert.ok(near(at.zoom, end.zoom, 1e-6) && near(between(end.x, at.x, end.zoom), 0, 1e-3));
  }
  assert.ok(path.at(0.5).zoom < 4);
});

test("the cells around a place near a face's edge lie on both faces", () => {
  const tree = new Tree({ deepest: 32, space: globe }),
    view = { face: 1, x: SIDE - 5n, y: SIDE / 2n, zoom: 10, tilt: 0, turn: 0 };
  const faces = new Set(globe.around(tree, view, 8).map(node => node.face));
  assert.deepEqual([...faces].sort(), [1, 2]);
  assert.equal(globe.around(tree, view, 0).length, 6);
  assert.equal(cornerOf(0n, 3), 0n);
});

test("a dive to a planet asks for few coarse cells", () => {
  const view = { face: 1, x: SIDE / 2n, y: SIDE / 2n, zoom: 8.8, tilt: 55, turn: 0 },
    frame = frameOf(view, 390, 730),
    tree = new Tree({ deepest: 40, space: globe });
  const height = [-0.3 * 0.03 * 2 ** 8.8, 0];
  for (let level = 1; level <= 5; level++) {
    const seen = globe
      .around(tree, view, level)
      .filter(node => globe.measure(view, node, frame, { height }).visible);
    assert.ok(seen.length >= 2 && seen.length <= 6, `${seen.length} of level ${level}`);
  }
});

test("cells have neighbours across the edges of faces", () => {
  assert.deepEqual(globe.beside({ face: 1, z: 3, x: 7n, y: 2n }, 1, 0), { face: 2, z: 3, x: 0n, y: 2n });
  assert.deepEqual(globe.beside({ face: 1, z: 3, x: 6n, y: 2n }, 1, 1), { face: 1, x: 7n, y: 3n, z: 3 });
});
