import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BITS,
  between,
  cellOf,
  cornerOf,
  fromDigits,
  isOnMap,
  lookOf,
  magnification,
  moved,
  readAddress,
  SIDE,
  toDigits,
  toHex,
  usualLook,
  writeAddress,
} from "../../src/web/explorer/address.js";

const deep = fromDigits("0.4321" + "7".repeat(36));

test("digits give the place back at every zoom", () => {
  for (const zoom of [0, 5.5, 20, 60, 91.3]) {
    const digits = toDigits(deep, zoom),
      again = fromDigits(digits);
    assert.ok(Math.abs(between(deep, again, zoom)) < 0.1 / 256, digits);
    assert.equal(toDigits(again, zoom), digits);
  }
  assert.equal(toDigits(SIDE - 1n, 3), "1");
  assert.equal(toDigits(0n, 3), "0.0");
});

test("the server gets a place to the last bit", () => {
  for (const place of [0n, 1n, deep, SIDE / 2n, SIDE - 1n]) {
    const [, digits, bits] = /^0x([0-9a-f]+)p-(\d+)$/.exec(toHex(place));
    assert.equal((BigInt("0x" + digits) * SIDE) >> BigInt(bits), place);
  }
});

test("what is no place is refused", () => {
  for (const text of ["", "x", "-0.1", "1.5", "0.1e5", "0x1", "0." + "1".repeat(500), "NaN", "0,5", " 0.5"])
    assert.equal(fromDigits(text), null, text);
  assert.equal(fromDigits("1"), SIDE - 1n);
  assert.equal(fromDigits(".5"), SIDE / 2n);
});

test("a cell has its corner, and its children's corners", () => {
  for (const level of [0, 1, 40, 91]) {
    const cell = cellOf(deep, level),
      into = between(cornerOf(cell, level), deep, level);
    assert.ok(into >= 0 && into < 1);
    assert.equal(cellOf(deep, level + 1) >> 1n, cell);
  }
});

test("moving there and back is exact to a millionth of a pixel at any depth", () => {
  for (const zoom of [0, 0.7, 33.3, 90.9])
    for (const way of [1, -3.75, 1e-6, 123456.789]) {
      const there = moved(deep, way, zoom);
      assert.ok(
        Math.abs(between(deep, there, zoom) - way) <= Math.abs(way) * 1e-12 + 1e-12,
        zoom + " " + way,
      );
      assert.ok(Math.abs(between(deep, moved(there, -way, zoom), zoom)) <= Math.abs(way) * 1e-12 + 1e-12);
    }
  assert.equal(moved(deep, 0, 5), deep);
  assert.equal(moved(deep, NaN, 5), deep);
  assert.equal(BITS, 160);
});

test("beyond the border is no place", () => {
  assert.ok(isOnMap({ x: 0n, y: SIDE - 1n }) && isOnMap({ x: deep, y: deep }, 64, 64));
  for (const [x, y] of [
    [SIDE, deep],
    [deep, SIDE],
    [-1n, deep],
    [deep, -1n],
  ])
    assert.ok(!isOnMap({ x, y }));
  assert.ok(
    isOnMap({ x: SIDE - 1n, y: SIDE / 4n }, 64, 32) &&
      !isOnMap({ x: 0n, y: SIDE / 2n }, 64, 32) &&
      !isOnMap({ x: SIDE / 2n, y: 0n }, 32, 64),
  );
});

test("an address gives back what was written", () => {
  const view = { face: 0, x: deep, y: SIDE / 3n, zoom: 60.25, tilt: 55, turn: -30.5 };
  const read = readAddress(
    writeAddress({
      view,
      zoom: 1.2345678e20,
      recipe: "c0ffee42",
      result: "land & sea",
      params: { seed: 7, note: "a=b&c" },
    }),
  );
  assert.deepEqual(read.unread, []);
  assert.deepEqual(read.params, { seed: "7", note: "a=b&c" });
  assert.deepEqual(
    [read.zoom, read.tilt, read.turn, read.recipe, read.result],
    [1.2346e20, 55, -30.5, "c0ffee42", "land & sea"],
  );
  assert.ok(Math.abs(between(deep, read.x, 60.25)) < 1e-3);
});

test("an address holds how the map looks, where that is not usual", () => {
  const view = { face: 0, x: deep, y: deep, zoom: 3, tilt: 0, turn: 0 },
    write = look => writeAddress({ view, zoom: 8, params: {}, look: { ...usualLook, ...look } });
  const look = {
    palette: "viridis",
    overlay: "land & sea",
    overPalette: "grey",
    linePalette: "atlas",
    opacity: 0.33,
    contours: true,
    rivers: true,
    places: true,
    exaggeration: 2.51,
    shading: 0,
    azimuth: 0,
    altitude: 88,
    haze: 1,
  };
  assert.deepEqual(Object.keys(look).sort(), Object.keys(usualLook).sort());
  const read = readAddress(write(look));
  assert.deepEqual([read.unread, lookOf(read)], [[], look]);
  for (const name in look)
    assert.deepEqual(lookOf(readAddress(write({ [name]: look[name] }))), {
      ...usualLook,
      [name]: look[name],
    });
  assert.equal(lookOf(readAddress(write({ overlay: "" }))).overlay, ""); // nothing, also where something is usual
  assert.equal(write({}), writeAddress({ view, zoom: 8, params: {} }));
  assert.ok(!/palette|opacity|sun|haze|contours/.test(write({})));
  assert.deepEqual(lookOf(readAddress("")), usualLook);
});

test("a look that is none is named, and has its default", () => {
  const read = readAddress(
    "#sun=361&sun-height=5&haze=much&opacity=2&contours=yes&exaggeration=-1&shading=&rivers=0&palette=" +
      "x".repeat(200),
  );
  assert.deepEqual(read.unread, [
    "sun",
    "sun-height",
    "haze",
    "opacity",
    "contours",
    "exaggeration",
    "shading",
    "palette",
  ]);
  assert.deepEqual(lookOf(read), usualLook);
});

test("garbage in an address is named, the rest is read", () => {
  const read = readAddress("#x=abc&y=0.25&zoom=1e999&tilt=90&recipe=<script>&__proto__=1&toString=2&turn=");
  assert.deepEqual(read.unread, ["x", "zoom", "tilt", "recipe", "__proto__", "toString", "turn"]);
  assert.equal(read.y, SIDE / 4n);
  assert.equal(readAddress("").unread.length, 0);
});

test("numbers are read as other programs write them", () => {
  for (const text of ["1e6", "1e+6", "1e%2B6", "1E+06"])
    assert.deepEqual(
      [readAddress("#zoom=" + text).zoom, readAddress("#zoom=" + text).unread],
      [1e6, []],
      text,
    );
  for (const text of ["1+6", "1e+", "e+6"])
    assert.deepEqual(readAddress("#zoom=" + text).unread, ["zoom"], text);
});

test("an address names parameters of any name", () => {
  const params = Object.fromEntries([
      ["__proto__", 4],
      ["constructor", 5],
    ]),
    read = readAddress(
      writeAddress({ view: { face: 0, x: deep, y: deep, zoom: 3, tilt: 0, turn: 0 }, zoom: 8, params }),
    );
  assert.deepEqual(Object.entries(read.params), [
    ["__proto__", "4"],
    ["constructor", "5"],
  ]);
});

test("magnifications are as one writes them", () => {
  assert.equal(magnification(1), "× 1");
  assert.equal(magnification(3.4e20), "× 3.4·10²⁰");
});
