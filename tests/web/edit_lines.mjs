import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aroundLines,
  blockOf,
  kindOf,
  plainName,
  RIVER,
  readLine,
  withLines,
  writeLine,
} from "../../src/web/explorer/edit_lines.js";
import {
  coordinateOf,
  flatPlaces,
  globePlaces,
  isHidden,
  isInside,
  movedTo,
} from "../../src/web/explorer/edit_places.js";
import {
  capOf,
  changedReaches,
  firstLevel,
  isReached,
  reachOf,
} from "../../src/web/explorer/edit_reaches.js";
import { geographic, globe, placeOf } from "../../src/web/explorer/globe.js";
import { simplified } from "../../src/web/explorer/simplify.js";

const reachOf3 = edit => reachOf(edit, 3e6);
const lines = [
  "land = land:raise{ along = { { 0.412, 0.575 } }, width = 6000, height = 600 }",
  "land = land:raise{ along = { { 0.412, 0.575 }, { 0.42, 0.57 } }, width = 6000, height = -50.5 } -- the old course",
  "land = land:raise{ outline = { { 0, 0 }, { 1, 0 }, { 1e-3, 0.5 } } }",
  "land = land:level{ along = { { 0.412, 0.575 } }, width = 2000 }",
  "land = land:lake{ outline = { { 0.1, 0.1 }, { 0.2, 0.1 }, { 0.2, 0.2 } }, altitude = 31.25 }",
  'land = land:coast{ outline = { { 0.1, 0.1 }, { 0.2, 0.1 }, { 0.2, 0.2 } }, kind = "sea" }',
];
const text = [
  "local land = esker.river_map{ seed = 2 }",
  "  -- Edits of land, one a line",
  ...lines,
  "  -- End of edits",
  "return { land = land }",
].join("\n");

test("a line is read as it is written", () => {
  for (const line of lines) assert.equal(writeLine(readLine(line, "land"), "land"), line);
  assert.deepEqual(
    lines.map(line => kindOf(readLine(line, "land"))),
    ["Hill", "Valley", "Upland", "Level ground", "Lake", "Bay"],
  );
});

test("a town has a name, and no ground", () => {
  const line = 'land = land:add_places{ at = { { 0.412, 0.575 } }, name = "Bad Ähr", population = 2500 }',
    edit = readLine(line, "land");
  assert.equal(writeLine(edit, "land"), line);
  assert.equal(kindOf(edit), "Town");
  assert.equal(edit.values.name, "Bad Ähr");
  for (const name of ['a "b" c', "a\\", "a -- b", "a\nb", " x ", "}", "", "x".repeat(200)]) {
    const kept = plainName(name),
      named = { ...edit, values: { ...edit.values, name: kept } };
    assert.deepEqual(readLine(writeLine(named, "land"), "land"), named, name);
    assert.ok(kept.length <= 60 && !/["\\\n]|--/.test(kept));
  }
  const hill = lines[0];
  assert.deepEqual(changedReaches([hill], [hill, line], "land", reachOf3), []);
  assert.equal(changedReaches([line], [line, hill], "land", reachOf3).length, 1);
});

test("a canal that the tool for rivers has drawn is a river", () => {
  const line = "land = land:carve{ along = { { 0.412, 0.575 }, { 0.42, 0.57 } }, width = 40 }";
  assert.equal(kindOf(readLine(line + " " + RIVER, "land")), "River");
  assert.equal(kindOf(readLine(line + " -- the mill's", "land")), "Canal");
  assert.equal(writeLine(readLine(line + " " + RIVER, "land"), "land"), line + " " + RIVER);
});

test("an edit of a planet is moved to another middle in its form", () => {
  const corners = [
      ["0.99", "0.4"],
      ["0.02", "0.41"],
      ["0.01", "0.43"],
    ],
    length = (a, b) => globePlaces.lengthOf([a, b]);
  for (const to of [
    ["0.3", "0.5"],
    ["0.01", "0.26"],
    ["0.9900001", "0.4"],
  ]) {
    const moved = movedTo(corners, to),
      { place } = globePlaces.around(moved);
    assert.ok(length(globePlaces.digitsAt(place, 30), to) < 1e-8);
    for (const i of [0, 1, 2]) {
      const [a, b] = [corners, moved].map(points => length(points[i], points[(i + 1) % 3]));
      assert.ok(Math.abs(a / b - 1) < 1e-6);
    }
  }
});

test("a crater has one place", () => {
  const line = "land = land:crater{ at = { { 0.412, 0.575 } }, width = 2000, depth = 300 }",
    edit = readLine(line, "land");
  assert.equal(writeLine(edit, "land"), line);
  assert.equal(kindOf(edit), "Crater");
  assert.ok(reachOf(edit, 3e6).right > 0.412 + (1.6 * 2000) / 3e6);
});

test("a canal is as wide as a cell of the level that it enters", () => {
  const line = "land = land:carve{ along = { { 0.412, 0.575 }, { 0.42, 0.57 } }, width = 40, depth = 3 }",
    edit = readLine(line, "land");
  assert.equal(writeLine(edit, "land"), line);
  assert.equal(kindOf(edit), "Canal");
  assert.equal(reachOf(edit, 3e6).depth, 17); // cells of 22.9 m
  assert.equal(
    reachOf(readLine("land = land:carve{ along = { { 0.4, 0.5 }, { 0.5, 0.5 } } }", "land"), 3e6).depth,
    15,
  );
});

test("other lines are left alone", () => {
  for (const line of [
    "",
    "-- a comment",
    "land = map:raise{ along = { { 0.4, 0.5 } } }",
    "map = land:raise{ along = { { 0.4, 0.5 } } }",
    "land = land:raise{ along = { { 0.4, 0.5 } }, width = p.width }",
    "land = land:raise{ along = { { 0.4, 1.5 } } }",
    "land = land:raise{ along = { { 0.4, 0.5, 0.6 } } }",
    "land = land:raise{ along = { 0.4, 0.5 } }",
    "land = land:raise{ along = { { 0.4, 0.5 } }, like = guide }",
    "land = land:raise{ along = {} }",
    "land = land:raise{ at = { { 0.4, 0.5 } } }",
    "land = land:crater{ at = { { 0.4, 0.5 }, { 0.5, 0.5 } } }",
    "land = land:lake{ along = { { 0.4, 0.5 } } }",
    "land = land:lake{ outline = { { 0.1, 0.1 }, { 0.2, 0.1 } } }",
    "land = land:raise{ along = { { 0.4, 0.5 } } }:lake{}",
    "land = land:raise{ along = { { 0.4, 0.5 } } } }",
    "land = land:raise{ along = { { 0.4, 0.5 } ",
    "land = land:constructor{ along = { { 0.4, 0.5 } } }",
    "land = land:raise(points, { width = 3 })",
  ])
    assert.equal(readLine(line, "land"), null, line);
  const long = "land = land:raise{" + " {".repeat(50000);
  assert.equal(readLine(long, "land"), null);
});

test("a block has its variable's lines", () => {
  assert.deepEqual(blockOf(text, "land"), { first: 2, end: 8, indent: "  ", lines });
  assert.equal(blockOf(text, "lan"), null);
  assert.equal(blockOf("-- Edits of land\nland", "land"), null);
  assert.equal(withLines(text, "land", lines), text.replaceAll("\nland = ", "\n  land = "));
  assert.deepEqual(blockOf(withLines(text, "land", []), "land").lines, []);
  assert.deepEqual(
    aroundLines(text, "land").map(part => part.split("\n").length),
    [2, 2],
  );
});

test("a place is the double of its digits", () => {
  for (const digits of ["0.412", "1", "0", "0.1234567890123456", "5e-1"])
    assert.equal(Number(coordinateOf(digits)) / 2 ** 160, Number(digits));
});

const SIDE = 3000e3;
const tile = (z, x, y) => ({ z, x: BigInt(Math.floor(x * 2 ** z)), y: BigInt(Math.floor(y * 2 ** z)) });

test("an edit reaches tiles near it that are fine enough", () => {
  const [hill] = lines.map(line => readLine(line, "land")),
    reach = reachOf(hill, SIDE);
  assert.equal(reach.depth, 12); // 0.001 of the side are 4 cells
  assert.ok(isReached(tile(4, 0.412, 0.575), [reach]));
  assert.ok(!isReached(tile(3, 0.412, 0.575), [reach]));
  assert.equal(firstLevel([reach, { ...reach, depth: 14 }]), 4);
  assert.equal(firstLevel([{ ...reach, depth: 5 }]), 0);
  assert.ok(isReached(tile(9, 0.412 + 0.008, 0.575), [reach]));
  assert.ok(!isReached(tile(9, 0.412 + 0.04, 0.575), [reach]));
  assert.ok(!isReached(tile(9, 0.412, 0.575 - 0.04), [reach]));
});

test("what changes is what differs, and what follows near it", () => {
  const [hill, valley, , level, lake] = lines,
    far = "land = land:level{ along = { { 0.9, 0.9 } }, width = 2000 }",
    count = (before, after) => changedReaches(before, after, "land", edit => reachOf(edit, SIDE))?.length;
  assert.equal(count([hill], [hill]), 0);
  assert.equal(count([hill], [hill, valley]), 1);
  assert.equal(count([hill, lake], [lake]), 1);
  assert.equal(count([hill, lake], [valley, lake]), 2);
  assert.equal(count([hill, level, far], [level, far]), 2); // the level ground is that of the hill
  assert.equal(count([hill, far], [far]), 1);
  assert.equal(count([hill, "land = f(land)"], [hill, "land = f(land)", lake]), 1);
  assert.equal(count([hill, "land = f(land)"], ["land = f(land)"]), undefined);
  assert.equal(count([hill], [hill, "land = f(land)"]), undefined);
  assert.equal(count([hill, "-- a note"], ["-- a note"]), 1);
});

// --- planets -------------------------------------------------------------------------------------------------

test("a place of a globe is its longitude and latitude", () => {
  for (const at of [
    [0, 0, 1],
    [0.6, 0, 0.8],
    [-0.48, 0.6, -0.64],
    [0, -1, 0],
  ]) {
    const place = placeOf(at),
      digits = globePlaces.digitsAt(place, 20),
      { latitude, longitude } = geographic(place);
    assert.ok(Math.abs(Number(digits[0]) - 0.5 - longitude / 360) < 1e-9, digits);
    assert.ok(Math.abs(Number(digits[1]) - 0.5 + latitude / 360) < 1e-9, digits);
    const back = globePlaces.placeAt(digits),
      apart = globe.towards({ ...place, turn: 0 }, back, 0).distance;
    assert.ok(apart < 2 ** -28, apart); // a tenth of a pixel of zoom 20
  }
  assert.deepEqual(
    flatPlaces.around([
      ["0.25", "0.5"],
      ["0.75", "0.5"],
    ]).side,
    0.5,
  );
  const { place, side } = globePlaces.around([
    ["0.999", "0.5"],
    ["0.001", "0.5"],
  ]); // on both sides of the border
  assert.ok(
    Math.abs(Math.abs(geographic(place).longitude) - 180) < 1e-6 && Math.abs(side - 0.002 * Math.PI) < 1e-6,
  );
});

test("the planet hides its other side", () => {
  const eye = [0, 0, 1],
    point = angle => [Math.sin(angle) / 2, 0, Math.cos(angle) / 2 - 0.5];
  assert.deepEqual(
    [0, 0.5, 1.2, 1.3, 3].map(angle => isHidden(eye, point(angle), 0.5)),
    [false, false, false, true, true],
  ); // its horizon is where the cosine is 1/3
});

const EQUATOR = 40e6;
const tileOf = (point, z) => {
  const { face, x, y } = globePlaces.placeAt(point);
  return { face, z, x: x >> BigInt(160 - z), y: y >> BigInt(160 - z) };
};

test("an edit reaches tiles of all faces near it", () => {
  const line = (x, y) => `land = land:raise{ along = { { ${x}, ${y} } }, width = 200000, height = 3000 }`,
    cap = (x, y) => capOf(readLine(line(x, y), "land"), EQUATOR);
  for (const [x, y] of [
    [0.62501, 0.5], // beside an edge
    [0.99999, 0.5], // at the border of the map
    [0.3, 0.2501], // beside the pole
  ]) {
    const reach = cap(x, y),
      view = { ...globePlaces.placeAt([x, y]), zoom: 1 }, // in whose scene the planet's radius is 1
      tileAt = (angle, turn) => {
        const { face, x, y } = globe.panned(view, angle * Math.cos(turn), angle * Math.sin(turn));
        return { face, z: 10, x: x >> 150n, y: y >> 150n };
      },
      faces = new Set();
    for (let turn = 0; turn < 12; turn++) {
      const near = tileAt(0.7 * reach.angle, turn);
      faces.add(near.face);
      assert.ok(isReached(near, [reach]));
      assert.ok(!isReached(tileAt(1.2 * reach.angle, turn), [reach]));
    }
    assert.equal(faces.size, x === 0.62501 ? 2 : 1);
  }
  const reach = cap(0.62501, 0.5);
  assert.ok(isReached(tileOf([0.63, 0.5], reach.depth - 8), [reach]));
  assert.ok(!isReached(tileOf([0.63, 0.5], reach.depth - 9), [reach]));
  assert.equal(
    changedReaches([line(0.001, 0.5)], [line(0.001, 0.5), line(0.999, 0.5)], "land", edit =>
      capOf(edit, EQUATOR),
    ).length,
    1,
  );
});

test("a point is inside corners, also across a planet's border of the map", () => {
  const bent = [
      ["0.9", "0.4"],
      ["0.98", "0.4"],
      ["0.98", "0.6"],
      ["0.94", "0.45"],
      ["0.9", "0.6"],
    ],
    moved = bent.map(([x, y]) => [String((Number(x) + 0.05) % 1), y]);
  assert.deepEqual(
    [
      [0.91, 0.5],
      [0.94, 0.43],
      [0.97, 0.5],
      [0.94, 0.5],
      [0.85, 0.5],
      [0.99, 0.5],
      [0.94, 0.3],
    ].map(at => isInside(at.map(String), bent)),
    [true, true, true, false, false, false, false],
  );
  assert.ok(isInside(["0.96", "0.5"], moved, true) && isInside(["0.02", "0.5"], moved, true));
  assert.ok(!isInside(["0.04", "0.5"], moved, true) && !isInside(["0.5", "0.5"], moved, true));
});

test("a drawn path keeps its corners", () => {
  const path = [...Array(50).keys()].map(i => (i < 25 ? [i, 0] : [25, i - 25]));
  assert.deepEqual(simplified(path, 1), [[0, 0], path[25], path[49]]);
  const circle = [...Array(500).keys()].map(i => [100 * Math.cos(i / 80), 100 * Math.sin(i / 80)]);
  assert.ok(simplified(circle, 0.1).length > 40);
  assert.ok(simplified(circle, 0.1, 20).length <= 20);
  assert.deepEqual(simplified([[1, 1]], 2), [[1, 1]]);
});
