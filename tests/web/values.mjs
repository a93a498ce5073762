import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changed,
  commandOf,
  isSame,
  objection,
  present,
  taken,
  typed,
} from "../../src/web/explorer/values.js";

const age = { name: "age", kind: "float", default: 0.5, low: 0, high: 1 },
  seed = { name: "seed", kind: "whole", default: 7 };
const kind = { name: "kind", kind: "string", default: "plain", choices: ["plain", "rough"] },
  flag = { name: "flag", kind: "boolean", default: false };
const params = [age, seed, kind, flag, { name: "size", kind: "integer", default: 64, low: 16 }];
const defaults = Object.fromEntries(params.map(param => [param.name, param.default]));

test("what a recipe does not allow is refused in the program's words", () => {
  assert.equal(objection(age, 7), "age must be 0 to 1, got 7");
  assert.equal(objection(age, ""), "age must be a number, got ''");
  assert.equal(objection(params[4], 3), "size must be at least 16, got 3");
  assert.equal(objection(seed, 1.5), "seed must be a whole number, got '1.5'");
  assert.equal(objection(kind, "odd"), "kind must be one of plain, rough, got odd");
  assert.equal(objection(flag, "perhaps"), "flag must be true or false, got 'perhaps'");
  for (const [param, value] of [
    [age, 0],
    [age, 1],
    [seed, -3],
    [kind, "rough"],
    [flag, true],
    [params[4], 1e6],
  ])
    assert.equal(objection(param, value), null);
});

test("an address gives values, and says what it may not", () => {
  assert.deepEqual(typed(params, { age: "7", seed: "12", flag: "true", other: "1" }), {
    values: { seed: 12, flag: true },
    wrong: ["age must be 0 to 1, got 7"],
  });
  assert.deepEqual(typed(params, { age: "0x", seed: " " }).values, {});
});

test("whole numbers keep their 64 bits, beyond which they are refused", () => {
  const long = "9007199254740993";
  assert.deepEqual(typed(params, { seed: long }), { values: { seed: long }, wrong: [] });
  assert.deepEqual(changed(params, { seed: long }), { seed: long });
  assert.ok(
    !isSame(params, { seed: long }, { seed: "9007199254740992" }) &&
      isSame(params, { seed: "+0" + long }, { seed: long }),
  );
  assert.deepEqual(typed(params, { size: long, seed: "1e18" }).values, {
    seed: "1000000000000000000",
    size: long,
  });
  for (const most of ["9223372036854775807", "-9223372036854775808"])
    assert.deepEqual(typed(params, { seed: most }).values, { seed: most });
  for (const more of ["1e99", "9223372036854775808", "99999999999999999999"])
    assert.deepEqual(typed(params, { seed: more }), {
      values: {},
      wrong: [`seed must be a whole number, got '${Number(more)}'`],
    });
  assert.deepEqual(taken(params, { seed: long }).values, { seed: long });
});

test("a + that an address reads as a space is read in numbers alone", () => {
  assert.deepEqual(
    typed([age, { name: "note", kind: "string", default: "" }], { age: "0.1e 0", note: "1e 6" }).values,
    { age: 0.1, note: "1e 6" },
  );
});

test("only what differs from the declared defaults is written, and nothing that is refused", () => {
  // Of the last run
  const last = params.map(param => ({ ...param, value: param.name === "age" ? 0.9 : param.default }));
  assert.deepEqual(changed(last, { ...defaults, seed: 8 }), { seed: 8 });
  assert.deepEqual(changed(last, {}), {});
  // Texts of a command line
  assert.deepEqual(changed(params, { age: "0.9", flag: "true" }), { age: 0.9, flag: true });
  assert.deepEqual(changed(params, { age: 7, kind: "odd" }), {});
  assert.equal(present(params, { age: 0.2 }).size, 64);
  assert.ok(
    isSame(params, {}, defaults) && isSame(params, { age: "0.50" }, {}) && !isSame(params, { age: 0.4 }, {}),
  );
});

test("the command makes the same, or explores what cannot be saved", () => {
  const field = { name: "land", kind: "field" },
    map = { name: "map", kind: "map" };
  assert.equal(
    commandOf("land.lua", params, { seed: "9007199254740993", kind: "rough", flag: false }, [field]),
    "esker land.lua seed=9007199254740993 kind=rough",
  );
  assert.equal(commandOf("my land's.lua", params, {}, [field, map]), "esker explore 'my land'\\''s.lua'");
});

test("a recipe that was edited takes what it still declares, within what it now allows", () => {
  const set = { age: "0.9", seed: 8, grain: 3, kind: "odd", flag: "true" };
  assert.deepEqual(taken(params, set), {
    values: { age: "0.9", seed: 8, flag: "true" },
    left: ["grain", "kind"],
  });
  assert.deepEqual(taken([], { seed: 8 }), { values: {}, left: ["seed"] });
  assert.deepEqual(taken(params, {}), { values: {}, left: [] });
});

test("a parameter may have any name", () => {
  const odd = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"].map(name => ({
    name,
    kind: "whole",
    default: 3,
    low: 1,
    high: 9,
  }));
  const set = Object.fromEntries([
      ["__proto__", 4],
      ["constructor", 5],
    ]),
    names = odd.map(({ name }) => name);
  assert.deepEqual(
    names.map(name => present(odd, {})[name]),
    [3, 3, 3, 3, 3],
  );
  assert.deepEqual(changed(odd, {}), {});
  assert.deepEqual(Object.entries(changed(odd, set)), [
    ["__proto__", 4],
    ["constructor", 5],
  ]);
  assert.deepEqual(Object.entries(taken(odd, set).values), [
    ["__proto__", 4],
    ["constructor", 5],
  ]);
  assert.deepEqual(
    Object.entries(
      typed(
        odd,
        Object.fromEntries([
          ["__proto__", "6"],
          ["toString", "7"],
        ]),
      ).values,
    ),
    [
      ["__proto__", 6],
      ["toString", 7],
    ],
  );
});
