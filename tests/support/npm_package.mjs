// Tries the installed package and prints TAP: node npm_package.mjs PROGRAM, in a folder that has it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { check, plan } from "./browser.mjs";

const [, , program] = process.argv;
const at = createRequire(pathToFileURL("./here.mjs")).resolve("esker");
const { open, EskerError, Field, Value } = await import(pathToFileURL(at));
const esker = await open();
const errorOf = call => {
  try {
    call();
  } catch (error) {
    return error;
  }
};

// The same in both languages.
const land = esker.noise({ width: 96, height: 64, seed: 7 });
const hashes = {
  noise: land,
  eroded: land.stream_erosion({ age: 0.3 }).height,
  thermal: land.thermal_erosion({ iterations: 9 }),
  picture: land.relief(),
  window: esker.river_map({ seed: 2, land: "eroded" }).render({ size: 64, zoom: 8 }).altitude,
  deep: esker.river_map({ seed: 5 }).render({ size: 32, zoom: 1e9, x: "0.43217891234567890123", y: 0.57 })
    .altitude,
  rivers: esker.river_map({ seed: 2 }).rivers({ size: 64 }),
  mesh: land.mesh(),
  points: land.scatter({ distances: [0.1, 0.05], density: [land, land] }),
  filled: land.fill(),
  blended: land.blend(land.flip(), { mode: "lighten" }),
};
writeFileSync(
  "same.lua",
  `local land = esker.noise{ width = 96, height = 64, seed = 7 }
local map, eroded = esker.river_map{ seed = 2 }, esker.river_map{ seed = 2, land = "eroded" }
local deep = esker.river_map{ seed = 5 }:render{ size = 32, zoom = 1e9, x = "0.43217891234567890123", y = 0.57 }
local points = land:scatter{ distances = { 0.1, 0.05 }, density = { land, land } }
return { noise = land:hash(), eroded = land:stream_erosion{ age = 0.3 }:hash(), picture = land:relief{}:hash(),
    thermal = land:thermal_erosion{ iterations = 9 }:hash(), window = eroded:render{ size = 64, zoom = 8 }:hash(),
    deep = deep:hash(), rivers = map:rivers{ size = 64 }:hash(), mesh = land:mesh{}:hash(), points = points:hash(),
    filled = land:fill{}:hash(), blended = land:blend(land:flip{}, { mode = "lighten" }):hash() }
`,
);
const native = Object.fromEntries(
  [...execFileSync(program, ["same.lua", "-q"], { encoding: "utf8" }).matchAll(/^(\w+) = "?(\w+)/gm)].map(
    match => match.slice(1),
  ),
);
for (const [name, value] of Object.entries(hashes))
  check(
    `the same bytes as the program: ${name}`,
    value.hash() === native[name],
    `${value.hash()} ${native[name]}`,
  );

check(
  "cells are a view, not a copy",
  Object.is(land.cells.buffer, hashes.filled.cells.buffer) && land.cells.length === 96 * 64,
);
const given = Float64Array.from({ length: 12 }, (_, i) => (i === 5 ? Number.NaN : i));
const field = esker.field(given, { width: 4, height: 3, frame: { x: 10, y: 20, cell: 30, unit: "m" } });
check(
  "an array becomes a field, NaN a cell without data",
  field.gaps[5] === 1 && field.gaps.indexOf(1) === 5 && field.cells[11] === 11 && field instanceof Field,
);
check(
  "a frame comes back",
  field.frame.down_y === -30 && field.frame.unit === "m" && field.frame.system === null,
);
field.frame = null;
field.gaps = null;
field.wraps = true;
check("frames, gaps and edges can be set", field.frame === null && field.gaps === null && field.wraps);
for (const [name, more, wanted] of [
  ["a system: no sea", {}, true],
  ["a sea that is given", { sea: 0 }, false],
  ["a map's top", { top: 900 }, false],
  ["no system", { system: null }, false],
]) {
  field.frame = { x: 10, y: 20, cell: 30, system: "EPSG:32632", ...more };
  check(`the sea of a frame: ${name}`, field.frame.sealess === wanted);
}
const pixels = esker.pixels(new Uint8Array(16).fill(200), { width: 2, height: 2 });
check("bytes become an image", pixels.pixels.every(byte => byte === 200) && pixels.width === 2);
check("numbers and labels", land.statistics().max > 0 && typeof land.statistics().mean === "number");
check(
  "a method of several kinds",
  land.flip().flip().hash() === land.hash() && pixels.blend(pixels).width === 2,
);
check(
  "null is a parameter that is not given",
  esker.noise({ width: 96, height: 64, seed: 7, wrap: null }).hash() === land.hash(),
);
check(
  "whole numbers of 64 bits",
  esker.noise({ size: 8, seed: 2n ** 62n }).hash() !== esker.noise({ size: 8, seed: 2n ** 62n + 1n }).hash(),
);
const places = [0.25, 0.5, 0.75, 0.5];
check(
  "rows may be typed arrays",
  new Set(
    [
      [places.slice(0, 2), places.slice(2)],
      [Float64Array.of(0.25, 0.5), Float32Array.of(0.75, 0.5)],
      Float64Array.from(places),
    ].map(at => esker.catchment(land, { at }).hash()),
  ).size === 1,
);
check(
  "a palette as a list",
  land
    .colorize({
      palette: [
        [0, "#000000"],
        [1, "#ffffff"],
      ],
    })
    .hash() !== land.colorize().hash(),
);
check(
  "a network's reaches and points",
  hashes.rivers.reaches.every(({ first, count }) => first + count <= hashes.rivers.points.length),
);
check(
  "a mesh's triangles",
  hashes.mesh.triangles.every(point => point < hashes.mesh.points.length / 3),
);
check(
  "places",
  hashes.points.records.every(({ x, species }) => x >= 0 && x <= 96 && (species === 1 || species === 2)),
);

// What is refused.
for (const [name, call, message] of [
  ["a number out of range", () => land.blur({ sigma: 2 }), /blur: sigma must be 0 to 1.*got 2/],
  ["an unknown name", () => land.blur({ sigmo: 2 }), /did you mean 'sigma'/],
  ["an unknown choice", () => land.blend(land, { mode: "maximum" }), /mode must be/],
  ["a missing input", () => esker.blur({ sigma: 0.1 }), /blur: .*height/],
  ["too many inputs", () => land.blur(land, land), /takes 1 input and .* got 3/],
  ["an object", () => land.blur({ sigma: {} }), /sigma: takes a number.* got Object/],
  [
    "a list of texts and numbers",
    () => esker.scatter(land, { distances: [1, "two"] }),
    /distances: a list holds numbers, got two/,
  ],
  ["a zero byte", () => esker.load("a\0b"), /zero byte/],
  ["infinite heights", () => esker.field([1, Infinity], { width: 2, height: 1 }), /infinite|finite/],
  ["a file that is not there", () => esker.load("nowhere.png"), /cannot read 'nowhere\.png'/],
  ["too much memory", () => esker.noise({ size: 65536 }), /not enough memory/],
]) {
  const error = errorOf(call);
  check(`refused: ${name}`, error instanceof EskerError && message.test(error.message), String(error));
}
check(
  "errors have a kind",
  errorOf(() => esker.load("nowhere.png")).kind === "file" &&
    errorOf(() => esker.noise({ size: 65536 })).kind === "memory",
);
for (const [name, call, message] of [
  [
    "wrong sides",
    () => esker.field([1, 2, 3], { width: 2, height: 2 }),
    /width × height must be 3, got 2 × 2/,
  ],
  ["a frame's wrong member", () => (field.frame = { sistem: "x" }), /no 'sistem'/],
])
  check(`refused: ${name}`, message.test(errorOf(call)?.message), String(errorOf(call)));

// Recipes.
const text = `local p = params{ seed = 7, size = 64, on = false }
print("size", p.size, p.on)
local land = esker.noise{ size = p.size, seed = p.seed }
local map = esker.river_map{ seed = p.seed }
return { land = land, again = land, mean = land:statistics().mean, big = math.maxinteger, low = -1 / 0, none = 0 / 0, map = map,
    name = "hä", on = p.on, rivers = map:rivers{ size = 32 }, mesh = land:mesh{}, made = function() return land:relief{} end,
    inner = { points = land:scatter{ distances = { 0.2 } } } }
`;
const lines = [],
  results = esker.recipe(
    text,
    { size: 32n, seed: 2, on: true, name: undefined },
    { print: line => lines.push(line) },
  );
const kindsOf = Object.entries(results).map(([name, value]) => `${name} ${value.constructor.name}`);
check(
  "a recipe gives its results by name",
  kindsOf.join() ===
    "again Field,big BigInt,inner.points Points,land Field,low Number,made Image,map RiverMap,mean Number,mesh Mesh," +
      "name String,none Number,on Boolean,rivers Network",
  kindsOf.join(),
);
check(
  "with the values that operations give, and the parameters",
  results.land.hash() === esker.noise({ size: 32, seed: 2 }).hash() &&
    results.land === results.again &&
    results.map.render({ size: 16 }).altitude.hash() ===
      esker.river_map({ seed: 2 }).render({ size: 16 }).altitude.hash() &&
    results.mean === results.land.statistics().mean,
);
check(
  "numbers, texts and what it prints",
  results.big === 2n ** 63n - 1n &&
    results.low === -Infinity &&
    Number.isNaN(results.none) &&
    results.name === "hä" &&
    results.on &&
    lines.join() === "size\t32\ttrue",
  lines.join(),
);
const inUse = esker.memoryInUse();
for (const value of Object.values(esker.recipe(text))) value.free?.();
check(
  "once they are freed nothing stays in memory",
  esker.memoryInUse() === inUse,
  esker.memoryInUse() - inUse,
);
mkdirSync("recipes", { recursive: true });
writeFileSync("recipes/land.lua", 'return { a = require "hills", b = esker.load("land.npy") }');
writeFileSync("recipes/hills.lua", "return 5");
esker.files.write("land.npy", land.encode("npy"));
const { a, b } = esker.recipe("recipes/land.lua");
esker.files.write("land.lua", 'return { a = require "hills" }');
esker.files.write("hills.lua", "return 6");
check(
  "from the disk and from memory, with modules and files",
  a === 5 && b.hash() === land.hash() && esker.recipe("land.lua").a === 6,
);
for (const name of esker.files.list()) esker.files.remove(name);
// What never ends meets the limit however slow the machine is, once the recipe has begun.
const brief = { seconds: 3 },
  tight = { seconds: 600, memory: 1 << 24 };
for (const [name, recipe, parameters, options, kind, line, message] of [
  ["its own error", "\n\nerror 'no'", {}, {}, "invalid", 3, /^recipe\.lua:3: no$/],
  ["an operation's", "\nesker.noise{ size = -1 }", {}, {}, "invalid", 2, /noise: size must be/],
  ["no Lua", "x = = 1", {}, {}, "invalid", 1, /unexpected symbol/],
  [
    "a wrong parameter",
    text,
    { sed: 1 },
    {},
    "invalid",
    undefined,
    /no parameter 'sed', did you mean 'seed'/,
  ],
  ["a list as parameter", text, { seed: [1] }, {}, "invalid", undefined, /seed must be a number, text/],
  ["a wrong option", text, {}, { seconds: 0 }, "invalid", undefined, /must be more than 0/],
  ["no results", "local x = 1", {}, {}, "invalid", undefined, /returns a table of results.*got nothing/],
  ["the machine's files", "\nio.open('x')", {}, {}, "invalid", 2, /'io' is not defined/],
  ["a loop", "\nwhile true do end", {}, brief, "stopped", 2, /time limit of 3 s is over/],
  [
    "a long operation",
    "return { a = esker.noise{ size = 256 }:hydraulic_erosion{ iterations = 1000000 } }",
    {},
    brief,
    "stopped",
    1,
    /time limit/,
  ],
  ["much Lua", "local t = {} for i = 1, 1e9 do t[i] = {} end", {}, tight, "memory", undefined, /take 16 MiB/],
  ["large fields", "return { a = esker.noise{ size = 4096 } }", {}, tight, "memory", 1, /not enough memory/],
  ["no file", "nowhere.lua", {}, {}, "file", undefined, /there is no file 'nowhere\.lua'/],
]) {
  const error = errorOf(() => esker.recipe(recipe, parameters, options));
  check(
    `a recipe's error: ${name}`,
    error instanceof EskerError && error.kind === kind && error.line === line && message.test(error.message),
    `${error?.kind} ${error?.line} ${error}`,
  );
}
check(
  "what print throws comes out, and the next recipe runs",
  errorOf(() => esker.recipe("print(1)", {}, { print: () => land.blur({ sigma: 2 }) })).message.startsWith(
    "blur",
  ) && esker.recipe("return { a = 1 }").a === 1,
);

// Memory.
const before = esker.memoryInUse();
const large = esker.noise({ size: 1024 });
check("memory is counted", esker.memoryInUse() - before >= 4 << 20);
large.free();
large.free();
check(
  "a value can be freed",
  esker.memoryInUse() - before < 1 << 20 && /was freed/.test(errorOf(() => large.cells).message),
);
const other = await open({ wasm: readFileSync(new URL("esker.wasm", pathToFileURL(at))) });
check(
  "a second engine has the same operations",
  other.noise({ width: 96, height: 64, seed: 7 }).hash() === land.hash(),
);
check(
  "values of one are none of the other",
  /of another engine/.test(errorOf(() => other.blur(land))?.message),
);

// Files.
const npy = land.encode("npy");
esker.files.write("land.npy", npy);
check(
  "a file's bytes come back",
  esker.load("land.npy").hash() === land.hash() && esker.files.list().join() === "land.npy",
);
esker.files.remove("land.npy");
check(
  "a removed one is gone",
  esker.files.list().length === 0 && /no file/.test(errorOf(() => esker.files.read("land.npy"))?.message),
);
check("models", new TextDecoder().decode(hashes.mesh.encode("glb").slice(0, 4)) === "glTF");
check(
  "each operation is a function of its own name",
  esker.operations.length > 100 && esker.operations.every(({ name }) => typeof esker[name] === "function"),
);
check(
  "and a method of its first input",
  esker.operations.every(
    ({ name, inputs }) => !inputs[0]?.kinds.includes("field") || typeof land[name] === "function",
  ) &&
    Object.keys(land).length === 0 &&
    land instanceof Value,
);
plan();
