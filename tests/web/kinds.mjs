import assert from "node:assert/strict";
import { test } from "node:test";
import { NATURAL, overlaysOf, shownOf, strangers, usuallyOver } from "../../src/web/explorer/kinds.js";

const results = Object.entries({
  score: "number",
  relief: "image",
  height: "field",
  map: "map",
  net: "network",
  mesh: "mesh",
  ground: "later",
}).map(([name, kind]) => ({ name, kind }));
const [, relief, height, map] = results;

test("the result that is wanted is shown, else heights", () => {
  assert.equal(shownOf(results, "relief"), relief);
  for (const wish of ["score", "nope", "constructor", undefined])
    assert.equal(shownOf(results, wish), height);
});

test("what lies flat can be laid over heights", () => {
  assert.deepEqual(overlaysOf(results, height), ["relief", "net", "ground"]);
  assert.deepEqual(overlaysOf(results, map), ["relief", "height", "net", "ground"]);
  assert.deepEqual(
    [overlaysOf(results, relief), overlaysOf(results, { ...map, faces: 6 }), overlaysOf([], undefined)],
    [[], [], []],
  );
});

test("a map with rivers by rain usually has natural colours", () => {
  const land = { ...map, natural: true };
  assert.deepEqual(
    [{ ...land, watered: true }, land, { ...map, watered: true, faces: 6 }, height, undefined].map(
      usuallyOver,
    ),
    [NATURAL, "", "", "", ""],
  );
});

test("an address is told which of its results are none", () => {
  for (const [asked, told] of [
    [{ result: "nope" }, "result"],
    [{ result: "__proto__" }, "result"],
    [{ result: "score" }, "result"],
    [{ result: "height", over: "map" }, "over"],
    [{ result: "relief", over: "height" }, "over"],
    [{ result: "map", over: "mesh" }, "over"],
    [{ result: "map", over: "map" }, "over"],
    [{ result: "no", over: "no" }, "result,over"],
    [{}, ""],
    [{ result: "map", over: "height" }, ""],
    [{ over: "net" }, ""],
    [{ result: "relief" }, ""],
    [{ result: "ground", over: "relief" }, ""],
  ])
    assert.equal(strangers(asked, results).join(), told, JSON.stringify(asked));
  assert.deepEqual(
    [strangers({ over: "height" }, results, "map"), strangers({ over: "height" }, results, "height")],
    [[], ["over"]],
  );
  assert.deepEqual(strangers({ result: "map", over: "height" }, []), []);
});
