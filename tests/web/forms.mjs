// What the page adds to the ground of edits whose tiles have not come: the list of them, and their planes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, formOf, planeOf } from "../../src/web/explorer/forms.js";

const text = lines =>
  [
    "local land = esker.river_map{}",
    "-- Edits of land, one a line",
    ...lines,
    "-- End of edits",
    "return land",
  ].join("\n");
const hill = (x, width = 6000) =>
    `land = land:raise{ along = { { ${x}, 0.5 } }, width = ${width}, height = 500 }`,
  lake = "land = land:lake{ outline = { { 0.1, 0.1 }, { 0.2, 0.1 }, { 0.2, 0.2 } } }";
const ops = list => list.map(({ operation, points }) => operation + points[0][0]);

test("what a ground does not show comes, and what it shows but is gone goes", () => {
  const found = differences(text([hill(0.4), lake]), text([lake, hill(0.5), hill(0.5)]), "land");
  assert.deepEqual([ops(found.added), ops(found.removed)], [["raise0.5", "raise0.5"], ["raise0.4"]]);
});
test("nothing is shown at once of another recipe, or the same text", () => {
  assert.equal(differences(text([lake]), text([lake]), "land"), null);
  assert.equal(differences(text([]), text([hill(0.4)]).replace("{}", "{ seed = 2 }"), "land"), null);
  assert.equal(differences("return 1", text([hill(0.4)]), "land"), null);
});
test("a hill that goes is as deep as it was high", () => {
  const edit = differences(text([]), text([hill(0.4)]), "land").added[0],
    [comes, goes] = [false, true].map(gone => formOf(edit, gone, 1000));
  assert.equal(comes.height, 500);
  assert.deepEqual(goes, { ...comes, height: -500 });
  assert.equal(formOf({ ...edit, values: { height: 1 } }, false, 1000).width, 1000);
});
test("an island and a bay are each other's end, and a lake's is dry ground", () => {
  const coast = kind => ({ operation: "coast", shape: "outline", points: [], values: { kind } }),
    kindOf = (edit, goes) => formOf(edit, goes, 0).kind;
  assert.equal(kindOf(coast("land"), true), kindOf(coast("sea"), false));
  assert.equal(kindOf(coast("sea"), true), kindOf(coast("land"), false));
  const water = { operation: "lake", shape: "outline", points: [], values: {} };
  assert.notEqual(kindOf(water, true), kindOf(water, false));
});
test("towns, and level ground that goes, change nothing at once", () => {
  const town = { operation: "add_places", shape: "along", points: [], values: {} };
  assert.equal(formOf(town, false, 0), null);
  assert.equal(formOf({ ...town, operation: "level" }, true, 0), null);
});
test("a planet's plane touches it in the middle of the points", () => {
  const radius = 8,
    onPlanet = (east, north) => {
      const length = Math.hypot(east, north, radius);
      return [(east * radius) / length, (north * radius) / length, (radius * radius) / length - radius];
    };
  for (const [east, north] of [
    [0, 0],
    [3, -2],
    [0.1, 60],
  ]) {
    const points = [onPlanet(east, north), onPlanet(east + 0.2, north), onPlanet(east, north + 0.2)],
      { middle, east: e, north: n } = planeOf(points, radius);
    const length = a => Math.hypot(...a),
      dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0),
      out = [middle[0], middle[1], middle[2] + radius];
    assert.ok(Math.abs(length(out) - radius) < 1e-9);
    for (const [value, expected] of [
      [length(e), 1],
      [length(n), 1],
      [dot(e, n), 0],
      [dot(e, out), 0],
      [dot(n, out), 0],
    ])
      assert.ok(Math.abs(value - expected) < 1e-9);
    assert.ok(points.every(point => length(point.map((value, i) => value - middle[i])) < 0.3));
  }
});
