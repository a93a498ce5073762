// Names of places: the greatest first, none over another or over a dot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SIDE } from "../../src/web/explorer/address.js";
import { blockOf, laidOut, partOfBlock, placesOf } from "../../src/web/explorer/names.js";

const dot = (name, x, y) => ({ name, x, y, radius: 3, size: 12, key: name });

test("a name is beside its dot, else above, below or on the left, else there is none", () => {
  const [right, left, none] = laidOut(
    [dot("Aldhaven", 20, 50), dot("Brand", 195, 50), dot("Cambria", 20, 52)],
    200,
    100,
  );
  assert.ok(right.at[0] > 23 && Math.abs(right.at[1] - 54) < 4);
  assert.ok(left.at[0] < 192 - 5 * 6);
  assert.ok(none.at === null || none.at[1] > 56);
  assert.deepEqual(
    laidOut([dot("Aldhaven", 10, 10)], 20, 20).map(({ at }) => at),
    [null],
  );
});

test("a later dot is not covered either", () => {
  const [first] = laidOut([dot("Aldhaven", 50, 50), dot("B", 70, 50)], 200, 100);
  assert.ok(first.at[1] < 46, "it is above");
});

test("a place of a tile is one of the map, at any depth", () => {
  const [place] = placesOf([{ name: "A", population: 5, x: 0.5, y: 0.25 }], {
    cell: 100,
    x: 1n << 99n,
    y: 0n,
  });
  assert.equal(place.x, SIDE / 2n + (1n << 59n));
  assert.equal(place.y, 1n << 58n);
});

test("a place of a planet lies on its face", () => {
  const block = blockOf({ face: 4, z: 5, x: 13n, y: 6n });
  const [place] = placesOf([{ name: "A", population: 5, x: 0.5, y: 0.25 }], block);
  assert.equal(place.face, 4);
});

test("four by four tiles have their places together", () => {
  const { z, x, y, cell } = blockOf({ face: 0, z: 5, x: 13n, y: 6n });
  assert.deepEqual([z, x, y, cell], [5, 3n, 1n, 3]);
  assert.deepEqual(partOfBlock({ z: 5, x: 13n, y: 6n }), [0.25, 0.5, 0.25, 0.25]);
  assert.deepEqual(partOfBlock({ z: 1, x: 1n, y: 0n }), [0.5, 0, 0.5, 0.5]);
  assert.equal(blockOf({ face: 0, z: 1, x: 1n, y: 1n }).cell, 0);
});
