import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aroundLines,
  blockOf,
  changedReaches,
  coordinateOf,
  firstLevel,
  isReached,
  kindOf,
  reachOf,
  readLine,
  withLines,
  writeLine,
} from "../../src/web/explorer/edit_lines.js";
import { simplified } from "../../src/web/explorer/simplify.js";

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
    count = (before, after) => changedReaches(before, after, "land", SIDE)?.length;
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

test("a drawn path keeps its corners", () => {
  const path = [...Array(50).keys()].map(i => (i < 25 ? [i, 0] : [25, i - 25]));
  assert.deepEqual(simplified(path, 1), [[0, 0], path[25], path[49]]);
  const circle = [...Array(500).keys()].map(i => [100 * Math.cos(i / 80), 100 * Math.sin(i / 80)]);
  assert.ok(simplified(circle, 0.1).length > 40);
  assert.ok(simplified(circle, 0.1, 20).length <= 20);
  assert.deepEqual(simplified([[1, 1]], 2), [[1, 1]]);
});
