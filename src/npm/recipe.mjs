// Recipes: Lua that runs within the module (recipe.h).
import { EskerError, takeValue } from "./values.mjs";

const SECONDS = 60,
  MEMORY = 512 * 2 ** 20, // bytes
  MOST = 2 ** 32 - 1;
const PLAIN = ["number", "bigint", "boolean", "string"];

const encoder = new TextEncoder();
const isName = recipe => /\.lua$/.test(recipe) && !recipe.includes("\n");

// Files of node, which bundlers need not know of.
const disk = () => globalThis.process?.getBuiltinModule?.("node:fs");

// The text of a file on the disk as bytes; undefined if it cannot be read.
function readDisk(path) {
  try {
    return disk()?.readFileSync(path);
  } catch {
    return undefined;
  }
}

function textsOf(parameters) {
  const texts = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue;
    if (!PLAIN.includes(typeof value))
      throw new EskerError(`recipe: ${name} must be a number, text, true or false, got ${typeof value}`);
    texts[name] = String(value);
  }
  return JSON.stringify(texts);
}

function plainOf({ integer, float, plain }) {
  if (integer !== undefined)
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : BigInt(integer);
  if (float !== undefined) return { inf: Infinity, "-inf": -Infinity }[float] ?? Number(float);
  return plain;
}

// Where its text and those of its modules are: { path, find(name) gives bytes }.
function sourceOf(engine, recipe) {
  if (typeof recipe !== "string")
    throw new EskerError(`recipe: takes a recipe's text or the name of its file, got ${typeof recipe}`);
  const inMemory = name => (engine.files.list().includes(name) ? engine.files.read(name) : undefined);
  if (!isName(recipe)) return { path: "recipe.lua", bytes: encoder.encode(recipe), find: inMemory };
  for (const find of [inMemory, readDisk]) {
    const bytes = find(recipe);
    if (bytes) return { path: recipe, bytes, find };
  }
  throw new EskerError(`recipe: there is no file '${recipe}'${disk() ? "" : " in memory"}`, 3);
}

// Runs a recipe: its text, or the name of its file in esker.files or, in node, on the disk. Gives its results by name.
export function runRecipe(engine, recipe, parameters = {}, options = {}) {
  const { seconds = SECONDS, memory = MEMORY, print = () => {} } = options,
    { module } = engine,
    source = sourceOf(engine, recipe),
    given = textsOf(parameters);
  if (!(seconds > 0 && memory > 0))
    throw new EskerError(`recipe: seconds and memory must be more than 0, got ${seconds} and ${memory}`);
  if (module.printLine) throw new EskerError("recipe: another one is running");
  let broken; // what print has thrown
  module.findText = source.find;
  module.printLine = line => {
    try {
      print(line);
    } catch (error) {
      broken ??= { error };
    }
  };
  try {
    return engine.within(room => {
      const bytes = source.bytes,
        status = module._recipe_run(room(source.path), room(bytes), bytes.length, room(given), seconds, Math.min(memory, MOST)),
        text = engine.text(module._recipe_text());
      if (broken) throw broken.error;
      if (status) throw new EskerError(text, status, source.path);
      const made = new Map(); // by number: a value may have several names
      const valueOf = result => {
        if (!result.value) return plainOf(result);
        if (!made.has(result.value)) made.set(result.value, takeValue(engine, module._recipe_value(result.value)));
        return made.get(result.value);
      };
      return Object.fromEntries(JSON.parse(text).map(result => [result.name, valueOf(result)]));
    });
  } finally {
    module._recipe_end();
    module.printLine = undefined;
  }
}
