import assert from "node:assert/strict";
import { test } from "node:test";
import { between, cornerOf, fromDigits } from "../../src/web/explorer/address.js";
import { standInOf, texelsOf } from "../../src/web/explorer/source.js";
import { FINEST, seamsOf, Tree } from "../../src/web/explorer/tree.js";
import { flat, frameOf, measureBox } from "../../src/web/explorer/view.js";

// A world whose altitude is known everywhere: a sum of waves, each level's own.
const waves = 100;
const altitude = (x, y) => {
  // as a difference from a place, exact enough for tests: coordinates are doubles near 1/2
  let sum = 0;
  for (let level = 0; level < waves; level += 12)
    sum += Math.sin(x * 2 ** level + level) * Math.cos(y * 2 ** level) * 2 ** -level;
  return sum;
};
const SIZE = 4;
function tileOf(node) {
  const side = 2 ** -node.z,
    at = (i, j) =>
      altitude((Number(node.x) + (i + 0.5) / SIZE) * side, (Number(node.y) + (j + 0.5) / SIZE) * side);
  const centreOf = (z, x, y) =>
    altitude(
      (Number(x) + (SIZE / 2 + 0.5) / SIZE) * 2 ** -z,
      (Number(y) + (SIZE / 2 + 0.5) / SIZE) * 2 ** -z,
    );
  const centre = centreOf(node.z, node.x, node.y),
    values = new Float32Array((SIZE + 2) ** 2);
  for (let j = -1; j <= SIZE; j++)
    for (let i = -1; i <= SIZE; i++) values[(j + 1) * (SIZE + 2) + i + 1] = at(i, j) - centre;
  const rise = node.z ? centre - centreOf(node.z - 1, node.x >> 1n, node.y >> 1n) : 0;
  return {
    width: SIZE,
    height: SIZE,
    border: 1,
    values,
    scale: 1,
    low: Math.min(...values),
    high: Math.max(...values),
    centre,
    rise,
    water: null,
  };
}
const eye = (view, width = 1280, height = 800) => {
  const frame = frameOf(view, width, height);
  return {
    frame,
    measure: node => {
      const { low, high, side } = flat.box(view, node),
        seen = measureBox(frame, low, high);
      return {
        visible: seen.visible,
        texel: ((side / 256) * frame.focal) / seen.depth,
        order: Math.hypot(...low),
      };
    },
    start: Math.floor(view.zoom) - Math.ceil(Math.log2(frame.reach)),
  };
};
const place = {
  face: 0,
  x: fromDigits("0.4321098765432109876"),
  y: fromDigits("0.71234567890123456789"),
  tilt: 0,
  turn: 0,
};

// Gives `count` wanted tiles after each look, until nothing is wanted.
function load(tree, view, count = 1e9, each = () => {}) {
  const { measure, start } = eye(view);
  for (let i = 0; i < 400; i++) {
    const { draw, want } = tree.choose(view, start, measure);
    each(draw);
    if (!want.length) return draw;
    for (const node of want.slice(0, count)) tree.give(node, tileOf(node));
  }
  throw new Error("never complete");
}
const covers = (view, draw, pixels) =>
  pixels.every(([east, north]) =>
    draw.some(node => {
      const { low, high } = flat.box(view, node);
      return east >= low[0] && east <= high[0] && north >= low[1] && north <= high[1];
    }),
  );

test("what is drawn is fine enough, covers the screen, and nothing twice", () => {
  for (const zoom of [1.4, 9.3, 40.7, 80]) {
    const view = { ...place, zoom },
      draw = load(new Tree({ deepest: 91 }), view),
      { measure } = eye(view);
    assert.ok(draw.every(node => measure(node).texel <= FINEST));
    const pixels = [
      [0, 0],
      [2.3, 1.4],
      [-2.3, -1.4],
      [2.3, -1.4],
      [-1, 0.7],
    ];
    if (zoom > 5)
      for (const pixel of pixels) assert.equal(draw.filter(node => covers(view, [node], [pixel])).length, 1);
    assert.ok(draw.length <= 60, draw.length + " at " + zoom);
  }
});

test("one tile at a time: once something is drawn the screen is never empty, and coarse tiles come first", () => {
  const view = { ...place, zoom: 12 },
    counts = [];
  load(new Tree({ deepest: 91 }), view, 1, draw => {
    counts.push(draw.length);
    if (counts.length > 30 && draw.length)
      assert.ok(
        covers(view, draw, [
          [0, 0],
          [2, 1],
          [-2, -1],
        ]),
      );
  });
  assert.ok(counts.findIndex(count => count > 0) <= 9);
});

test("a dive with a slow server never has an empty frame", () => {
  const tree = new Tree({ deepest: 91, kept: 320 });
  load(tree, { ...place, zoom: 3 });
  for (let zoom = 3; zoom < 60; zoom += 0.1) {
    const view = { ...place, zoom },
      { measure, start } = eye(view),
      { draw, want } = tree.choose(view, start, measure);
    assert.ok(
      covers(view, draw, [
        [0, 0],
        [2, 1.2],
        [-2, -1.2],
      ]),
      "empty at " + zoom,
    );
    for (const node of want.slice(0, 1)) tree.give(node, tileOf(node));
    tree.trim();
  }
});

test("tiles out of use are dropped, the whole map's never", () => {
  const tree = new Tree({ deepest: 91, kept: 320 });
  for (let i = 0; i < 14; i++) {
    load(tree, { ...place, x: fromDigits("0." + (11 + i * 6)), zoom: 12 });
    tree.trim();
  }
  assert.ok(tree.count <= 320, String(tree.count));
  assert.ok(tree.node(0, 0, 0n, 0n).tile);
});

test("the rise between two centres, however they are related", () => {
  const tree = new Tree({ deepest: 91, kept: 320 }),
    give = (z, x, y) => {
      const node = tree.node(0, z, BigInt(x), BigInt(y));
      if (!node.tile) tree.give(node, tileOf(node));
      return node;
    };
  for (let z = 0; z <= 6; z++) for (let x = 0; x < 2 ** z; x++) give(z, x, (2 ** z) >> 1);
  for (let z = 0; z <= 6; z++) for (let x = 0; x < 2 ** z; x++) give(z, x, ((2 ** z) >> 1) - (z ? 1 : 0));
  for (const [a, b] of [
    [give(6, 3, 32), give(6, 60, 32)],
    [give(2, 1, 2), give(6, 31, 31)],
    [give(6, 31, 31), give(3, 4, 4)],
  ]) {
    const expected = b.tile.centre - a.tile.centre;
    assert.ok(Math.abs(tree.rise(a, b) - expected) < 1e-12, tree.rise(a, b) + " not " + expected);
    assert.ok(Math.abs(tree.rise(a, b) + tree.rise(b, a)) < 1e-12);
  }
});

test("neighbours whose ancestors meet only at the whole map are joined by the cells they share", () => {
  // On both sides of the middle, at level 40: one centre is 3e-12 above the other, of which the sums would
  // lose digits.
  const tree = new Tree({ deepest: 91, kept: 320 }),
    level = 40,
    middle = 1n << BigInt(level - 1),
    slope = 3;
  // Of the land on each side
  const wave = (z, x) => (z > 0 && z < 30 ? Math.sin(z * 7 + Number(x % 2n)) * 2 ** -z : 0);
  const give = (z, x) => {
    const node = tree.node(0, z, x, 0n),
      values = new Float32Array(18 * 18);
    for (let j = 0; j < 18; j++) for (let i = 0; i < 18; i++) values[j * 18 + i] = (slope * (i - 1 - 8)) / 16;
    tree.give(node, {
      width: 16,
      height: 16,
      border: 1,
      values,
      scale: 2 ** -z,
      low: -slope * 2 ** -z,
      high: slope * 2 ** -z,
      centre: 0.5,
      rise: slope * 2 ** -z * (Number(x % 2n) - 0.5) + wave(z, x) - wave(z - 1, x),
      water: null,
    });
    return node;
  };
  for (let z = 0; z <= level; z++) {
    give(z, (1n << BigInt(z)) >> 1n);
    if (z) give(z, ((1n << BigInt(z)) >> 1n) - 1n);
  }
  const west = tree.node(0, level, middle - 1n, 0n),
    east = tree.node(0, level, middle, 0n);
  assert.ok(
    Math.abs(tree.rise(west, east) / (slope * 2 ** -level) - 1) < 1e-6,
    String(tree.rise(west, east)),
  );
  assert.equal(between(cornerOf(east.x, level), cornerOf(east.x, level), level), 0);
});

test("a cell knows where it meets a coarser one that is drawn", () => {
  const tree = new Tree({ deepest: 9, kept: 320 }),
    coarse = tree.node(0, 1, 0n, 0n),
    fine = [
      [2n, 0n],
      [2n, 1n],
      [2n, 2n],
      [3n, 1n],
    ].map(([x, y]) => tree.node(0, 2, x, y));
  const seams = seamsOf([coarse, ...fine], flat),
    of = node => seams.get(node);
  assert.deepEqual(of(coarse), { sides: [0, 0, 0, 0], corners: [0, 0, 0, 0] });
  assert.deepEqual(of(fine[0]), { sides: [1, 0, 0, 0], corners: [0, 0, 1, 0] });
  assert.deepEqual(of(fine[1]), { sides: [1, 0, 0, 0], corners: [1, 0, 0, 0] });
  assert.deepEqual(of(fine[2]), { sides: [0, 0, 0, 0], corners: [1, 0, 0, 0] });
  assert.deepEqual(of(fine[3]).sides, [0, 0, 0, 0]);
});

test("neighbours have the same slope on the edge between them", () => {
  const rough = (x, y) => Math.sin(x * 2.1) + Math.cos(y * 1.7 + x),
    side = 10;
  const [left, right] = [0, 8]
    .map(west => ({
      width: 8,
      height: 8,
      border: 1,
      scale: 1,
      low: -2,
      high: 2,
      centre: 0,
      water: null,
      values: Float32Array.from({ length: side * side }, (_, i) =>
        rough(west + (i % side), Math.floor(i / side)),
      ),
    }))
    .map(tile => texelsOf(tile, -9).texels);
  for (let j = 1; j < 9; j++)
    for (const k of [1, 2]) {
      const edge = (texels, column) =>
        (texels[(j * side + column) * 4 + k] + texels[(j * side + column + 1) * 4 + k]) / 2;
      assert.ok(Math.abs(edge(left, 8) - edge(right, 0)) < 1e-5, `${k} ${j}`);
    }
});

test("what a dropped tile was like is remembered, so that hidden ones are not fetched again and again", () => {
  // A wall: of the finest level all may be in view until their tiles say that only a few are.
  const tree = new Tree({ deepest: 5, kept: 320 }),
    view = { ...place, zoom: 5 },
    hidden = node => node.z === 5 && (node.x + node.y) % 8n > 0n;
  const measure = node => ({
    visible: !((node.tile || node.trace) && hidden(node)),
    texel: node.z < 5 ? 2 * FINEST : 1,
    order: 0,
  });
  let fetched = 0,
    rounds = 0;
  for (; rounds < 400; rounds++) {
    const { want } = tree.choose(view, 0, measure);
    if (!want.length) break;
    for (const node of want.slice(0, 50)) {
      tree.give(node, tileOf(node));
      fetched++;
    }
    tree.trim();
  }
  assert.ok(rounds < 400 && fetched <= 1365, `${fetched} tiles in ${rounds} rounds`);
  const dropped = [...tree.nodes.values()].find(node => !node.tile && node.trace);
  assert.ok(
    Math.abs(
      tree.rise(tree.node(0, 0, 0n, 0n), dropped) -
        (dropped.trace.centre - tree.node(0, 0, 0n, 0n).tile.centre),
    ) < 1e-12,
  );
});

test("what is drawn does not depend on which tile comes first", () => {
  const view = { ...place, zoom: 9.2, x: (1n << 159n) + (1n << 155n) },
    { measure, start } = eye(view),
    ranges = [false, true].map(finestFirst => {
      const tree = new Tree({ deepest: 20 });
      for (let i = 0; i < 100; i++) {
        const { draw, want } = tree.choose(view, start, measure);
        if (!want.length) return draw.map(node => [node.key, tree.rise(draw[0], node)]);
        const node = finestFirst ? want.reduce((a, b) => (b.z > a.z ? b : a)) : want[0];
        tree.give(node, tileOf(node));
      }
      throw new Error("never complete");
    });
  assert.ok(ranges[0].length > 4);
  assert.deepEqual(ranges[1], ranges[0]);
});

test("heights below a tile are those of its part, with a margin", () => {
  const tree = new Tree({ deepest: 20, kept: 320 }),
    top = tree.node(0, 3, 2n, 5n);
  assert.equal(tree.heights(top), null);
  const size = 64,
    side = 2 ** -3,
    at = (i, j) => altitude((2 + (i + 0.5) / size) * side, (5 + (j + 0.5) / size) * side),
    values = new Float32Array(size * size);
  for (let j = 0; j < size; j++) for (let i = 0; i < size; i++) values[j * size + i] = at(i, j) - at(32, 32);
  tree.give(top, {
    width: size,
    height: size,
    border: 0,
    values,
    scale: 1,
    low: Math.min(...values),
    high: Math.max(...values),
    centre: at(32, 32),
    rise: 0,
  });
  assert.deepEqual([tree.heights(top).low, tree.heights(top).high], [top.tile.low, top.tile.high]);
  for (const [levels, x, y] of [
    [1, 1n, 0n],
    [2, 3n, 2n],
    [3, 4n, 7n],
    [6, 63n, 1n],
    [12, 4095n, 4095n],
  ]) {
    const node = tree.node(0, 3 + levels, (2n << BigInt(levels)) + x, (5n << BigInt(levels)) + y),
      { from, low, high } = tree.heights(node);
    assert.equal(from, top);
    const first = where => Math.floor((Number(where) / 2 ** levels) * size),
      cells = Math.max(size / 2 ** levels, 1);
    for (let j = first(y); j < first(y) + cells; j++)
      for (let i = first(x); i < first(x) + cells; i++)
        assert.ok(values[j * size + i] >= low && values[j * size + i] <= high);
    if (levels > 1) assert.ok(high - low < 0.9 * (top.tile.high - top.tile.low), `${levels}: ${high - low}`);
  }
});

test("the coarsest level is the first that is known all over the view", () => {
  const tree = new Tree({ deepest: 20 }),
    view = { x: fromDigits("0.6"), y: fromDigits("0.3"), zoom: 9, tilt: 0, turn: 0, face: 0 },
    { measure } = eye(view, 600, 400),
    known = new Set();
  const coarsest = () => tree.coarsest(view, 3, 7, measure, ({ key }) => known.has(key));
  assert.equal(coarsest(), 7);
  for (const node of flat.around(tree, view, 5)) if (measure(node).visible) known.add(node.key);
  assert.equal(coarsest(), 5);
  for (const node of flat.around(tree, view, 3)) if (measure(node).visible) known.add(node.key);
  assert.equal(coarsest(), 3);
  assert.equal(
    tree.coarsest(view, Infinity, 7, measure, () => true),
    7,
  );
  assert.equal(
    tree.coarsest(view, 3, -1, measure, () => true),
    0,
  );
});

test("until a tile comes a quarter of its mother's stands in for it, and makes way", () => {
  const left = [],
    tree = new Tree({ deepest: 20, kept: 320, left: tile => left.push(tile) }),
    view = { x: fromDigits("0.5"), y: fromDigits("0.5"), zoom: 6, tilt: 0, turn: 0, face: 0 },
    { measure } = eye(view, 600, 400);
  tree.standIn = (mother, { x, y }) => standInOf(mother.tile, Number(x & 1n), Number(y & 1n));
  assert.deepEqual(tree.choose(view, 4, measure).draw, []);
  assert.equal(tree.whole, false);
  for (const node of tree.choose(view, 4, measure).want) tree.give(node, tileOf(node));
  const { draw, want } = tree.choose(view, 4, measure),
    finest = Math.max(...draw.map(({ z }) => z));
  assert.ok(tree.whole && finest > 4 && draw.every(({ z, tile }) => z === finest && tile.standsIn));
  assert.ok(draw.every(node => want.includes(node)));
  const [node] = draw,
    mother = tree.parent(node),
    made = node.tile;
  assert.ok(Math.abs(tree.rise(mother, node) - made.rise) < 1e-12);
  tree.give(mother, tileOf(mother));
  assert.ok(mother.z > 4 ? left.includes(made) && !node.tile : node.tile === made);
  const again = tree.choose(view, 4, measure);
  assert.ok(again.draw.includes(node) && (mother.z === 4 || node.tile !== made));
  for (const each of again.want) tree.give(each, tileOf(each));
  const last = tree.choose(view, 4, measure);
  assert.ok(!last.want.length && last.draw.every(({ tile }) => !tile.standsIn));
  assert.equal(tree.count, [...tree.nodes.values()].filter(({ tile }) => tile).length);
});

test("what stands in has its mother's heights", () => {
  const mother = tileOf({ z: 3, x: 2n, y: 5n }),
    across = SIZE + 2,
    found = standInOf(mother, 1, 0);
  // A cell's altitude is that between four of the mother's
  const at = (i, j) => mother.values[(j + 1) * across + i + 1];
  const expected = 0.75 * (0.75 * at(2, 1) + 0.25 * at(3, 1)) + 0.25 * (0.75 * at(2, 0) + 0.25 * at(3, 0)),
    shown = found.centre - mother.centre + found.values[3 * across + 2];
  assert.ok(Math.abs(shown - expected) < 1e-6, `${shown} ${expected}`);
  assert.ok(found.low <= found.values[0] && found.high >= found.values[0]);
  // Of two that were known before, the finer one moves with the coarser
  const node = { z: 4, x: 5n, y: 10n },
    before = tileOf(node),
    raised = { ...mother, centre: mother.centre + 7 };
  assert.deepEqual(standInOf(mother, 1, 0, mother, before), { ...before, standsIn: true });
  const next = standInOf(raised, 1, 0, mother, before);
  assert.ok(Math.abs(next.centre - (before.centre + 7)) < 1e-6 && Math.abs(next.rise - before.rise) < 1e-6);
  assert.deepEqual(next.values, before.values);
});
