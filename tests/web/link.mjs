// A recipe in a link: as it was written, or one line that says why not.
import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";
import { readAddress, writeAddress } from "../../src/web/explorer/address.js";
import { LINK, PARAMETERS, TEXT } from "../../src/web/tab/limits.js";
import { packed, readLink, unpacked } from "../../src/web/tab/link.js";

const refuses = (word, line) =>
  assert.rejects(unpacked(word), ({ message }) => line.test(message) && !/\n/.test(message));
const wordOf = bytes => deflateRawSync(bytes).toString("base64url");

test("a text comes back as it was", async () => {
  for (const text of ["return { a = 1 }\n", "-- Höhen über Null ⛰\0\r\n", "x".repeat(TEXT)]) {
    const word = await packed(text);
    assert.match(word, /^[\w-]+$/);
    assert.equal(await unpacked(word), text);
  }
});

test("a text that is too long is refused before it is whole", async () => {
  await refuses(wordOf(Buffer.alloc(TEXT + 1)), /more than 1,048,576 bytes/);
  await refuses(wordOf(Buffer.alloc(100 << 20)), /more than 1,048,576 bytes/);
});

test("what holds no text is refused in one line", async () => {
  const whole = await packed("return { land = esker.noise{} }");
  for (const word of ["", "AAAAgarbage", "***", whole.slice(0, -6), wordOf(Buffer.from([0xff, 0xfe]))])
    await refuses(word, /cut short or changed/);
});

test("a link names the recipe and its parameters, within limits", () => {
  assert.deepEqual(readLink("#p.seed=7&p.__proto__=x&x=0.5&r=abc"), {
    example: null,
    r: "abc",
    cut: false,
    values: Object.fromEntries([
      ["seed", "7"],
      ["__proto__", "x"],
    ]),
  });
  assert.throws(
    () => readLink("#r=" + "A".repeat(LINK)),
    /link is too long: 131,075 characters of at most 131,072/,
  );
  const many = Array.from({ length: PARAMETERS + 1 }, (_, i) => `p.a${i}=1`).join("&");
  assert.throws(() => readLink("#" + many), /201 parameters of at most 200/);
});

test("a link that was cut before its recipe is known", () => {
  for (const hash of ["#p.seed=7&x=0.5", "#x"]) assert.ok(readLink(hash).cut, hash);
  for (const hash of ["", "#", "#example=land&x=0.5", "#x=0.5&r=", "#x=0.5&r"])
    assert.ok(!readLink(hash).cut, hash);
});

test("an address keeps the words that name the recipe", () => {
  const view = { x: 1n << 159n, y: 1n << 159n, zoom: 3 };
  const address = writeAddress({ view, zoom: 4, params: { seed: 2 }, world: { r: "a-_B" } });
  const { r, unread, recipe } = readAddress(address);
  assert.deepEqual([r, unread, recipe], ["a-_B", [], undefined]);
  assert.deepEqual(readAddress("#&&&=&=1").unread, ["=", "="]);
  assert.deepEqual(readAddress("#r=%3Cb%3E&example=../x").unread, ["r", "example"]);
});
