import assert from "node:assert/strict";
import { test } from "node:test";
import { legendOf } from "../../src/web/explorer/look.js";

test("the legend's left end is the deepest, its shore the sea's level", () => {
  const { sea, labels } = legendOf({ low: 0.1, high: 0.4, deep: -0.2 }, true, -0.1, 0);
  assert.deepEqual(labels, [[0, "-0.3"], [sea, "0"], [1, "0.3"]]);
  assert.ok(sea > 0.2 && sea < 0.8);
});

test("where nothing but sea is in view it is all sea", () => {
  assert.deepEqual(legendOf({ low: 0.178, high: 0.178, deep: -0.007 }, true, -0.178, 0), { sea: 1, labels: [[0, "-0.185"], [1, "0"]] });
});

test("without sea it has the lowest and the highest; deep down the span", () => {
  assert.deepEqual(legendOf({ low: -0.1, high: 0.4, deep: -1 }, false, 0.5, null), { sea: 0, labels: [[0, "0.4"], [1, "0.9"]] });
  assert.deepEqual(legendOf({ low: 0, high: 1e-9, deep: 0 }, false, 0.5, 0).labels[1], [1, "+ 1·10⁻⁹"]);
});

test("what is nothing beside the range is 0", () => {
  assert.deepEqual(legendOf({ low: 3.4e-9, high: 1, deep: 0 }, false, 0, null).labels, [[0, "0"], [1, "1"]]);
  assert.deepEqual(legendOf({ low: 1e-9, high: 0.4, deep: -0.2 }, true, 0, 1e-9).labels[1][1], "0");
});
