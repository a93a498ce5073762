import assert from "node:assert/strict";
import { test } from "node:test";
import { legendOf, scaleOf } from "../../src/web/explorer/legend.js";

test("the legend's left end is the deepest, its shore the sea's level", () => {
  const { sea, labels } = legendOf({ low: 0.1, high: 0.4, deep: -0.2 }, true, -0.1, 0);
  assert.deepEqual(labels, [
    [0, "≤ -0.3"],
    [sea, "0"],
    [1, "≥ 0.3"],
  ]);
  assert.ok(sea > 0.2 && sea < 0.8);
});

test("the legend of a palette that diverges has 0 in its middle", () => {
  assert.deepEqual(legendOf({ low: -2, high: 2, deep: -6 }, true, 2, 0, 0.5), {
    sea: 0.5,
    labels: [
      [0, "≤ -4"],
      [0.5, "0"],
      [1, "≥ 4"],
    ],
  });
});

test("where nothing but sea is in view it is all sea", () => {
  assert.deepEqual(legendOf({ low: 0.178, high: 0.178, deep: -0.007 }, true, -0.178, 0), {
    sea: 1,
    labels: [
      [0, "≤ -0.185"],
      [1, "0"],
    ],
  });
});

test("without sea it has the lowest and the highest; deep down the span", () => {
  assert.deepEqual(legendOf({ low: -0.1, high: 0.4, deep: -1 }, false, 0.5, null), {
    sea: 0,
    labels: [
      [0, "≤ 0.4"],
      [1, "≥ 0.9"],
    ],
  });
  assert.deepEqual(legendOf({ low: 0, high: 1e-9, deep: 0 }, false, 0.5, 0).labels[1], [1, "+ 1·10⁻⁹"]);
});

test("ends that three digits hardly tell apart are the lowest and the span", () => {
  assert.deepEqual(legendOf({ low: 0.0001, high: 0.0004, deep: 0 }, false, 0.168, null).labels, [
    [0, "0.1681"],
    [1, "+ 3·10⁻⁴"],
  ]);
  assert.deepEqual(legendOf({ low: -0.002, high: 0.008, deep: 0 }, false, 0.17, null).labels, [
    [0, "≤ 0.168"],
    [1, "≥ 0.178"],
  ]);
  assert.deepEqual(scaleOf({ low: 100.1, high: 100.2 }, false).labels, [
    [0, "100.1"],
    [1, "+ 0.1"],
  ]);
  assert.deepEqual(scaleOf({ low: 5, high: 5 }, false).labels, [
    [0, "5"],
    [1, "5"],
  ]);
});

test("the legend says that some are beyond its ends, unless the range is exact", () => {
  const labels = exact =>
    legendOf({ low: 0.255, high: 0.798, deep: 0, exact }, false, 0, null).labels.map(([, text]) => text);
  assert.deepEqual(
    [labels(false), labels(true)],
    [
      ["≤ 0.255", "≥ 0.798"],
      ["0.255", "0.798"],
    ],
  );
});

test("what is nothing beside the range is 0", () => {
  assert.deepEqual(legendOf({ low: 3.4e-9, high: 1, deep: 0 }, false, 0, null).labels, [
    [0, "≤ 0"],
    [1, "≥ 1"],
  ]);
  assert.deepEqual(legendOf({ low: 1e-9, high: 0.4, deep: -0.2 }, true, 0, 1e-9).labels[1][1], "0");
});

test("a layer's legend is what its colours are: from the lowest, or both ways from 0", () => {
  const plain = scaleOf({ low: 2, high: 6 }, true),
    both = scaleOf({ low: -1, high: 4 }, true),
    single = scaleOf({ low: -1, high: 4 }, false);
  assert.deepEqual(
    [plain.labels, plain.positionAt(0), plain.positionAt(1)],
    [
      [
        [0, "2"],
        [1, "6"],
      ],
      0,
      1,
    ],
  );
  assert.deepEqual(
    [both.labels, both.positionAt(0), both.positionAt(0.2), both.positionAt(1)],
    [
      [
        [0, "-1"],
        [0.2, "0"],
        [1, "4"],
      ],
      -0.25,
      0,
      1,
    ],
  );
  assert.deepEqual(
    [single.labels, single.positionAt(0)],
    [
      [
        [0, "-1"],
        [1, "4"],
      ],
      0,
    ],
  );
  assert.deepEqual(scaleOf({ low: 3e-9, high: 1 }, false).labels, [
    [0, "0"],
    [1, "1"],
  ]);
  assert.deepEqual(scaleOf({ low: 1, high: 1e5, log: true }, false).labels, [
    [0, "1"],
    [1, "100000"],
  ]);
  assert.deepEqual(scaleOf({ low: -8, high: -2 }, true).labels, [
    [0, "-8"],
    [1, "-2"],
  ]);
});
