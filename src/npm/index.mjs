// Esker for JavaScript: the engine as WebAssembly, by the functions of esker.h, in node, browsers and workers. Each
// operation is a function, and a method of the value that it takes first, made of the engine's declarations.
import createModule from "./module.mjs";
import { runRecipe } from "./recipe.mjs";
import { callOf, classes, EskerError, Field, Image, placeOf, takeValue, Value } from "./values.mjs";

const NUMBER = 4, // kinds of arguments in esker.h
  TEXT = 8,
  NUMBERS = 16;
const ARGUMENT = 32, // bytes of EskerArgument
  ERROR = 512; // of EskerError

async function compile(source = new URL("./esker.wasm", import.meta.url)) {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  const url = new URL(source, globalThis.location?.href); // a base of this module's would be one more file to bundlers
  if (url.protocol === "file:") {
    const name = ["node:fs", "promises"].join("/"); // bundlers for pages look for what is named outright
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot fetch ${url}: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

const shown = value =>
  value === null || typeof value !== "object" ? String(value) : (value.constructor?.name ?? "an object");

function numberOf(name, value) {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  throw new EskerError(`${name}: a list holds numbers, got ${shown(value)}`);
}

// Calls of the module, with texts and numbers in its memory.
class Engine {
  constructor(module) {
    this.module = module;
    this.encoder = new TextEncoder();
    this.unused = new FinalizationRegistry(held => this.release(held));
  }
  // Of the memory, which is another once it has grown.
  get view() {
    return new DataView(this.module.HEAPU8.buffer);
  }
  text(at) {
    return at ? this.module.UTF8ToString(at) : null;
  }
  allocate(size) {
    const at = this.module._malloc(Math.max(size, 1));
    if (!at) throw new EskerError("not enough memory", 2);
    return at;
  }
  // Calls body(room), where room(size, bytes or text) gives memory until it returns.
  within(body) {
    const taken = [];
    const room = wanted => {
      const bytes = typeof wanted === "string" ? this.encoder.encode(wanted + "\0") : new Uint8Array(wanted),
        at = this.allocate(bytes.length);
      taken.push(at);
      this.module.HEAPU8.set(bytes, at);
      return at;
    };
    try {
      return body(room);
    } finally {
      taken.forEach(this.module._free);
    }
  }
  // Calls body(room, error) and throws what it leaves in the error, where it gives a status other than 0.
  check(body) {
    this.within(room => {
      const error = room(ERROR),
        status = body(room, error);
      if (status) throw new EskerError(this.text(error), status);
    });
  }
  release({ at, memory }) {
    this.module._esker_free(at);
    if (memory) this.module._free(memory);
  }
  // Writes an EskerArgument.
  put(room, at, name, value) {
    const kind = typeof value,
      key = room(name);
    let type = NUMBER;
    if (kind === "number" || kind === "boolean") this.view.setFloat64(at + 8, Number(value), true);
    else if (kind === "string" || kind === "bigint") {
      type = TEXT;
      if (kind === "string" && value.includes("\0"))
        throw new EskerError(`${name}: a text must not contain a zero byte`);
      const text = room(String(value));
      this.view.setUint32(at + 16, text, true);
    } else if (value instanceof Value) {
      type = this.module._esker_kind(placeOf(value, this));
      this.view.setUint32(at + 28, placeOf(value, this), true);
    } else if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      type = NUMBERS;
      const rows = Array.isArray(value) ? value.flat().flatMap(one => (ArrayBuffer.isView(one) ? [...one] : one)) : value,
        list = Float64Array.from(rows, one => numberOf(name, one)),
        numbers = room(new Uint8Array(list.buffer));
      this.view.setUint32(at + 20, numbers, true);
      this.view.setUint32(at + 24, list.length, true);
    } else throw new EskerError(`${name}: takes a number, text, list or value of Esker, got ${shown(value)}`);
    this.view.setUint32(at, key, true);
    this.view.setInt32(at + 4, type, true);
  }
  // The places of the results of an operation, `most` of them.
  run(operation, pairs, most) {
    return this.within(room => {
      const results = room(4 * most),
        given = room(ARGUMENT * pairs.length),
        name = room(operation);
      pairs.forEach(([key, value], i) => this.put(room, given + ARGUMENT * i, key, value));
      this.check((_, error) => this.module._esker_run(name, given, pairs.length, 0, results, most, error));
      const { view } = this;
      return Array.from({ length: most }, (_, i) => view.getUint32(results + 4 * i, true));
    });
  }
}

// --- operations --------------------------------------------------------------------------------------------

// A list of fields is several arguments of one name, colours are words of one text, those of a palette are numbers.
function argumentsOf(param, value) {
  if (!Array.isArray(value)) return [value];
  if (param?.kind === "fields") return value;
  if (param?.kind === "palette")
    return [
      value.map(([height, colour]) => [height, ...colour.match(/[0-9a-f]{2}/gi).map(two => Number("0x" + two))]),
    ];
  return value.length && value.every(one => typeof one === "string") ? [value.join(" ")] : [value];
}

// Whether results are what one call may give instead of another: of a file, or of the kind of the input.
export function givesOneOf({ inputs, results }) {
  const kinds = results.flatMap(result => result.kinds),
    given = inputs[0]?.kinds ?? [];
  const isSame = kinds.length === given.length && kinds.every(kind => given.includes(kind));
  return kinds.length > 1 && new Set(kinds).size === kinds.length && (isSame || given.join() === "text");
}

const isParams = word =>
  typeof word === "object" && word !== null && !(word instanceof Value) && !Array.isArray(word) && !ArrayBuffer.isView(word);

// Takes inputs in order, then an object of parameters. One result is given as it is, several as an object by their names,
// null for those that there are not.
function functionOf(engine, operation) {
  const { name, inputs, params, results } = operation,
    known = new Map(params.map(param => [param.name, param])),
    isOneOf = givesOneOf(operation);
  return (...words) => {
    const given = isParams(words.at(-1)) ? words.pop() : {};
    if (words.length > inputs.length)
      throw new EskerError(
        `${name}: takes ${inputs.length} input${inputs.length === 1 ? "" : "s"} and an object of parameters, got ${words.length} inputs`,
      );
    const pairs = words.map((value, i) => [inputs[i].name, value]);
    for (const [key, value] of Object.entries(given))
      if (value !== undefined && value !== null)
        for (const one of argumentsOf(known.get(key), value)) pairs.push([key, one]);
    const made = engine.run(name, pairs, results.length).map(at => takeValue(engine, at));
    if (results.length < 2) return made[0];
    if (isOneOf) return made.find(value => value !== null);
    return Object.fromEntries(results.map((result, i) => [result.name, made[i]]));
  };
}

// Each operation is a method of the kinds that its first input takes.
function addMethods(operations) {
  for (const { name, inputs } of operations)
    for (const kind of inputs[0]?.kinds ?? []) {
      const made = classes[kind]?.prototype;
      if (made && !(name in made)) made[name] = callOf(name);
    }
}

// --- an engine ---------------------------------------------------------------------------------------------

// Files in the module's memory: what `load` reads and `save` writes, by names without folders.
class Files {
  constructor(system) {
    this.system = system;
    system.mkdir("/files");
    system.chdir("/files");
  }
  write(name, bytes) {
    this.system.writeFile(name, bytes);
  }
  read(name) {
    if (!this.list().includes(name)) throw new EskerError(`there is no file '${name}' in memory`, 3);
    return this.system.readFile(name);
  }
  list() {
    return this.system.readdir("/files").filter(name => name !== "." && name !== "..");
  }
  remove(name) {
    if (this.list().includes(name)) this.system.unlink(name);
  }
}

// Starts an engine, with a memory of its own. `wasm`: the address or bytes of esker.wasm, or a compiled module, where the
// file is not beside this one.
export async function open({ wasm } = {}) {
  const compiled = await compile(wasm);
  const module = await createModule({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
    stdin: () => null,
    print: text => console.log(text),
    printErr: text => console.warn(text),
  });
  const engine = new Engine(module),
    operations = JSON.parse(engine.text(module._esker_operations_json()));
  engine.files = new Files(module.FS);
  engine.operations = Object.fromEntries(operations.map(each => [each.name, functionOf(engine, each)]));
  addMethods(operations);
  return {
    ...engine.operations,
    version: engine.text(module._esker_version()),
    operations,
    files: engine.files,
    field: (cells, options) => Field.of(engine, cells, options),
    pixels: (pixels, options) => Image.of(engine, pixels, options),
    recipe: (...words) => runRecipe(engine, ...words),
    setMemoryLimit: bytes => module._esker_set_memory_limit(bytes),
    memoryInUse: () => module._esker_memory_in_use(),
  };
}

export { EskerError, Field, Image, Lines, Mesh, Network, Points, Polygons, RiverMap, Value } from "./values.mjs";
