// The values that operations take and give. What they show of the module's memory are views without a copy, which end
// when the memory grows: take them anew after the next operation.

const ENGINE = Symbol("engine"),
  HELD = Symbol("held"); // { at, memory }: its place in the module's memory, and that of cells from outside

// What the engine or a recipe refuses. `kind`: "invalid", "memory", "file" or "stopped". `line` is that of the recipe at
// `path` which the message names.
export class EskerError extends Error {
  constructor(message, status = 1, path) {
    super(message);
    this.name = "EskerError";
    this.kind = ["", "invalid", "memory", "file", "stopped"][status];
    const place = message.startsWith(`${path}:`) && /^\d+(?=:)/.exec(message.slice(path.length + 1));
    this.line = place ? Number(place[0]) : undefined;
  }
}

// The place of a value of this engine.
export function placeOf(value, engine) {
  if (!value[HELD]) throw new Error(`this ${value.constructor.name} was freed`);
  if (engine !== value[ENGINE]) throw new Error(`this ${value.constructor.name} is of another engine`);
  return value[HELD].at;
}

// Calls the module with the place of a value and the words after it.
const ask = (value, name, ...words) =>
  value[ENGINE].module["_esker_" + name](placeOf(value, value[ENGINE]), ...words);

function sideOf(value, which) {
  return value[ENGINE].within(room => {
    const at = room(8);
    ask(value, "size", at, at + 4);
    return value[ENGINE].view.getInt32(at + which, true);
  });
}

// A typed array of what a function of esker.h gives with a count, so many elements each.
function elementsOf(value, name, kind, each) {
  return value[ENGINE].within(room => {
    const count = room(4),
      at = ask(value, name, count),
      { view } = value[ENGINE];
    return new kind(view.buffer, at, at ? each * view.getUint32(count, true) : 0);
  });
}

// Objects of what a function of esker.h gives: a struct of `size` bytes, its members as [method of DataView, place].
function recordsOf(value, name, size, members) {
  const bytes = elementsOf(value, name, Uint8Array, size),
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const read = at => Object.entries(members).map(([key, [get, place]]) => [key, view[get](at + place, true)]);
  return Array.from({ length: bytes.length / size }, (_, i) => Object.fromEntries(read(size * i)));
}

const FRAME = 80; // bytes of EskerFrame
const NUMBERS = { x: 0, y: 8, right_x: 16, right_y: 24, down_x: 32, down_y: 40, sea: 56, top: 64 },
  TEXTS = { system: 48, unit: 52 },
  FLAGS = { sealess: 72, no_heights: 73 };

function readFrame(engine, at) {
  const { view } = engine,
    read = (places, get) => Object.entries(places).map(([name, place]) => [name, get(at + place)]);
  return Object.fromEntries([
    ...read(NUMBERS, place => view.getFloat64(place, true)),
    ...read(TEXTS, place => engine.text(view.getUint32(place, true))),
    ...read(FLAGS, place => view.getUint8(place) !== 0),
  ]);
}
function writeFrame(engine, room, { cell, ...more }) {
  const at = room(FRAME),
    given = cell === undefined ? more : { right_x: cell, down_y: -cell, ...more };
  // A model of real ground, as in georeference: no ground is sea, unless the frame says more.
  if (given.system && !("sea" in given) && !given.top && !given.no_heights)
    given.sealess ??= true;
  for (const [name, value] of Object.entries(given)) {
    if (name in NUMBERS) engine.view.setFloat64(at + NUMBERS[name], value, true);
    else if (name in FLAGS) engine.view.setUint8(at + FLAGS[name], value);
    else if (!(name in TEXTS))
      throw new TypeError(
        `frame: there is no '${name}'; it has ${Object.keys({ ...NUMBERS, ...TEXTS, ...FLAGS }).join(", ")} or cell`,
      );
    else if (value) {
      const text = room(String(value));
      engine.view.setUint32(at + TEXTS[name], text, true);
    }
  }
  return at;
}

// A method that calls the operation of this name with the value as the first input.
export function callOf(name) {
  return function (...words) {
    return this[ENGINE].operations[name](this, ...words);
  };
}

export class Value {
  constructor(engine, at, memory) {
    const hidden = value => ({ value, writable: true });
    Object.defineProperties(this, { [ENGINE]: hidden(engine), [HELD]: hidden({ at, memory }) });
    engine.unused.register(this, this[HELD], this);
  }
  // What node prints.
  [Symbol.for("nodejs.util.inspect.custom")]() {
    const { name } = this.constructor;
    return !this[HELD] ? `${name}, freed` : this.width ? `${name} ${this.width} × ${this.height}` : name;
  }
  // Gives its memory back now, not when it is collected.
  free() {
    if (!this[HELD]) return;
    this[ENGINE].unused.unregister(this);
    this[ENGINE].release(this[HELD]);
    this[HELD] = null;
  }
  // 16 hexadecimal digits, the same on every machine; of maps all 0.
  hash() {
    return BigInt.asUintN(64, ask(this, "hash")).toString(16).padStart(16, "0");
  }
  get width() {
    return sideOf(this, 0);
  }
  get height() {
    return sideOf(this, 4);
  }
  // Where it lies; null: nowhere. Set it to such an object, or to one of x, y and cell, the side of a square cell.
  get frame() {
    return this[ENGINE].within(room => {
      const at = room(FRAME);
      return ask(this, "frame", at) ? readFrame(this[ENGINE], at) : null;
    });
  }
  set frame(given) {
    this[ENGINE].check((room, error) =>
      ask(this, "set_frame", given ? writeFrame(this[ENGINE], room, given) : 0, error),
    );
  }
  // The bytes of a file in the format of this ending; `params` are those of `save`.
  encode(ending, params = {}) {
    const { files, operations } = this[ENGINE],
      name = "encoded." + ending;
    try {
      operations.save(this, name, params);
      return files.read(name);
    } finally {
      for (const made of files.list()) if (made.startsWith("encoded.")) files.remove(made);
    }
  }
}

function checkSides(what, { width, height } = {}, count) {
  if (!(width >= 1 && height >= 1 && width * height === count))
    throw new RangeError(`${what}: width × height must be ${count}, got ${width} × ${height}`);
}

// A value whose cells, four bytes each, are copied into memory that is freed with it.
function wrapped(kind, engine, cells, { width, height }, name) {
  const { module } = engine,
    memory = engine.allocate(cells.byteLength);
  new Uint8Array(module.HEAPU8.buffer, memory).set(new Uint8Array(cells.buffer, 0, cells.byteLength));
  let at = 0;
  try {
    engine.check((_, error) => {
      at = module["_esker_" + name](memory, width, height, 4 * width, 0, 0, error);
      return at ? 0 : 1;
    });
  } finally {
    if (!at) module._free(memory);
  }
  return new kind(engine, at, memory);
}

export class Field extends Value {
  // Heights by row, from the upper left; `options`: width, height, gaps, frame, wraps. NaN: no data.
  static of(engine, given, options) {
    checkSides("field", options, given.length);
    const cells = Float32Array.from(given),
      { gaps, frame, wraps } = options;
    const without = Uint8Array.from(cells, (cell, i) => (Number.isNaN(cell) || gaps?.[i] ? 1 : 0));
    without.forEach((gap, i) => {
      if (gap) cells[i] = 0;
    });
    const field = wrapped(Field, engine, cells, options, "field_wrap");
    if (without.includes(1)) field.gaps = without;
    if (frame) field.frame = frame;
    if (wraps) field.wraps = true;
    return field;
  }
  // Its cells, row by row from the upper left.
  get cells() {
    const at = ask(this, "field_cells");
    return new Float32Array(this[ENGINE].module.HEAPU8.buffer, at, this.width * this.height);
  }
  // 1 for each cell that has no data; null: all have.
  get gaps() {
    const at = ask(this, "field_gaps", 0);
    return at ? new Uint8Array(this[ENGINE].module.HEAPU8.buffer, at, this.width * this.height) : null;
  }
  set gaps(gaps) {
    if (gaps) checkSides("gaps", this, gaps.length);
    this[ENGINE].check((room, error) =>
      ask(this, "field_set_gaps", gaps ? room(Uint8Array.from(gaps)) : 0, error),
    );
  }
  // Whether opposite edges meet.
  get wraps() {
    return Boolean(ask(this, "field_wraps"));
  }
  set wraps(wraps) {
    ask(this, "field_set_wraps", wraps);
  }
}

export class Image extends Value {
  // Red, green, blue and alpha of each pixel, with width and height; or an ImageData.
  static of(engine, given, options = given) {
    const pixels = Uint8Array.from(given.data ?? given);
    checkSides("image", options, pixels.length / 4);
    return wrapped(Image, engine, pixels, options, "image_wrap");
  }
  get pixels() {
    const at = ask(this, "image_pixels");
    return new Uint8ClampedArray(this[ENGINE].module.HEAPU8.buffer, at, 4 * this.width * this.height);
  }
  // For a canvas: a copy.
  toImageData() {
    return new ImageData(new Uint8ClampedArray(this.pixels), this.width, this.height);
  }
}

// Of river_map.
export class RiverMap extends Value {}

export class Network extends Value {
  get reaches() {
    const members = { first: ["getInt32", 0], count: ["getInt32", 4], downstream: ["getInt32", 8] };
    const flags = { mouth: ["getUint8", 16], wadi: ["getUint8", 17], salt: ["getUint8", 18] };
    return recordsOf(this, "reaches", 20, { ...members, order: ["getInt32", 12], ...flags }).map(reach => ({
      ...reach,
      mouth: reach.mouth !== 0,
      wadi: reach.wadi !== 0,
      salt: reach.salt !== 0,
    }));
  }
  get points() {
    return recordsOf(this, "river_points", 40, {
      x: ["getFloat64", 0],
      y: ["getFloat64", 8],
      area: ["getFloat64", 16],
      altitude: ["getFloat32", 24],
      width: ["getFloat32", 28],
      distance: ["getFloat32", 32],
      water: ["getFloat32", 36],
    });
  }
}

export class Mesh extends Value {
  // East, north and up of each point.
  get points() {
    return elementsOf(this, "mesh_points", Float32Array, 3);
  }
  // Three points of each triangle.
  get triangles() {
    return elementsOf(this, "mesh_triangles", Uint32Array, 3);
  }
}

export class Points extends Value {
  get records() {
    return recordsOf(this, "points", 32, {
      x: ["getFloat64", 0],
      y: ["getFloat64", 8],
      altitude: ["getFloat32", 16],
      radius: ["getFloat32", 20],
      variation: ["getFloat32", 24],
      species: ["getInt32", 28],
    });
  }
}

export class Lines extends Value {}

export class Polygons extends Value {}

// By the names and numbers of kinds in esker.h.
export const classes = {
  field: Field,
  image: Image,
  map: RiverMap,
  network: Network,
  mesh: Mesh,
  points: Points,
  lines: Lines,
  polygons: Polygons,
};
const KINDS = { 1: "field", 2: "image", 64: "map", 128: "network", 256: "mesh", 512: "points" };
Object.assign(KINDS, { 1024: "lines", 2048: "polygons" });
const NUMBER = 4,
  LIST = 16;

// A result as a Value, number, list of numbers or object of texts; null: there is none.
export function takeValue(engine, at) {
  const { module } = engine,
    kind = module._esker_kind(at);
  if (kind in KINDS) return new classes[KINDS[kind]](engine, at);
  try {
    if (!at) return null;
    if (kind === NUMBER) return module._esker_number_of(at);
    return engine.within(room => {
      const place = room(4);
      if (kind === LIST) {
        const first = module._esker_numbers_of(at, place),
          count = engine.view.getUint32(place, true);
        return Array.from(new Float64Array(module.HEAPU8.buffer, first, count));
      }
      const labels = {};
      for (let i = 0; i < module._esker_label_count(at); i++) {
        const key = engine.text(module._esker_label(at, i, place));
        labels[key] = engine.text(engine.view.getUint32(place, true));
      }
      return labels;
    });
  } finally {
    module._esker_free(at);
  }
}
