// Prints index.d.ts, the types of the package, made of the engine's declarations: node types.mjs, in the package's folder.
import { givesOneOf, open } from "./index.mjs";

const HEAD = `// Made by types.mjs of the engine's declarations.
export class EskerError extends Error {
  kind: "invalid" | "memory" | "file" | "stopped";
  /** Of a recipe, where the message names one of its lines. */
  line: number | undefined;
}
export interface Frame {
  x: number;
  y: number;
  right_x: number;
  right_y: number;
  down_x: number;
  down_y: number;
  system: string | null;
  unit: string | null;
  sea: number;
  top: number;
  sealess: boolean;
  no_heights: boolean;
}
export type GivenFrame = Partial<Frame> & { cell?: number };
export interface Reach {
  first: number;
  count: number;
  downstream: number;
  order: number;
  mouth: boolean;
  wadi: boolean;
  salt: boolean;
}
export interface RiverPoint {
  x: number;
  y: number;
  area: number;
  altitude: number;
  width: number;
  distance: number;
  water: number;
}
export interface Place {
  x: number;
  y: number;
  altitude: number;
  radius: number;
  variation: number;
  species: number;
}
type Numbers = ArrayLike<number> | ArrayLike<ArrayLike<number>>;
type Wasm = string | URL | BufferSource | WebAssembly.Module;
type Bytes = Uint8Array<ArrayBuffer>;
interface Files {
  write(name: string, bytes: Uint8Array | string): void;
  read(name: string): Bytes;
  list(): string[];
  remove(name: string): void;
}
export type RecipeResult =
  | Field | Image | RiverMap | Network | Mesh | Points | Lines | Polygons | number | bigint | string | boolean;
export type RecipeParameters = Record<string, number | bigint | string | boolean | null | undefined>;
export interface RecipeOptions {
  /** After which it is stopped; by default 60. */
  seconds?: number;
  /** Bytes that its fields and Lua may take; by default 512 MiB. */
  memory?: number;
  /** Takes each line that it prints; by default none. */
  print?: (line: string) => void;
}
export function open(options?: { wasm?: Wasm }): Promise<Esker>;
`;

const VALUE = `
  free(): void;
  hash(): string;
  readonly width: number;
  readonly height: number;
  get frame(): Frame | null;
  set frame(frame: GivenFrame | null);
  encode(ending: string, params?: SaveParams): Bytes;`;

const CLASSES = {
  field: [
    "Field",
    `
  readonly cells: Float32Array<ArrayBuffer>;
  get gaps(): Uint8Array<ArrayBuffer> | null;
  set gaps(gaps: ArrayLike<number | boolean> | null);
  wraps: boolean;`,
  ],
  image: [
    "Image",
    `
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  toImageData(): ImageData;`,
  ],
  map: ["RiverMap", ""],
  network: ["Network", "\n  readonly reaches: Reach[];\n  readonly points: RiverPoint[];"],
  mesh: [
    "Mesh",
    `
  readonly points: Float32Array<ArrayBuffer>;
  readonly triangles: Uint32Array<ArrayBuffer>;`,
  ],
  points: ["Points", "\n  readonly records: Place[];"],
  lines: ["Lines", ""],
  polygons: ["Polygons", ""],
};
const KINDS = {
  number: "number",
  text: "string",
  numbers: "number[]",
  labels: "Record<string, string>",
  ...Object.fromEntries(Object.entries(CLASSES).map(([kind, [name]]) => [kind, name])),
};
const PARAMS = {
  integer: "number | bigint",
  number: "number",
  decimal: "number | string",
  boolean: "boolean",
  text: "string",
  numbers: "Numbers",
  field: "Field",
  fields: "Field | Field[]",
  image: "Image",
  palette: "string | [number, string][]",
  colours: "string | string[]",
};

const { operations } = await open();
const capital = name => name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
const comment = (lines, indent) => {
  const text = lines.filter(Boolean).join("\n").replaceAll("*/", "* /").replaceAll("\n", `\n${indent} * `);
  return `${indent}/** ${text} */\n`;
};
const typeOf = kinds => kinds.map(kind => KINDS[kind]).join(" | ");

function paramType({ kind, choices }) {
  return kind === "choice" ? choices.map(choice => JSON.stringify(choice)).join(" | ") : PARAMS[kind];
}
function resultType(operation) {
  const { results } = operation;
  if (!results.length) return "void";
  if (results.length === 1) return typeOf(results[0].kinds);
  if (givesOneOf(operation)) return typeOf(results.flatMap(result => result.kinds));
  const members = results.map(result => `${result.name}: ${typeOf(result.kinds)}`);
  return `{ ${members.join("; ")} }`;
}
function signature(operation, isMethod) {
  const { name, params, inputs } = operation,
    taken = isMethod ? inputs.slice(1) : inputs;
  const words = taken.map(input => `${input.name}: ${typeOf(input.kinds)}`);
  if (params.length) words.push(`params?: ${capital(name)}Params`);
  return `  ${name}(${words.join(", ")}): ${resultType(operation)};\n`;
}
function documented(operation, isMethod = false) {
  return comment([operation.summary + ".", operation.description], "  ") + signature(operation, isMethod);
}

let out = HEAD;
for (const { name, params } of operations) {
  if (!params.length) continue;
  out += `export interface ${capital(name)}Params {\n`;
  for (const param of params) {
    const usual = param.default === undefined ? "" : `by default ${JSON.stringify(param.default)}`;
    out += comment([[param.doc, param.allowed, param.unit, usual].filter(Boolean).join("; ")], "  ");
    out += `  ${param.name}?: ${paramType(param)} | null;\n`;
  }
  out += "}\n";
}
out += `export class Value {\n  protected constructor();${VALUE}\n}\n`;
for (const [kind, [name, members]] of Object.entries(CLASSES)) {
  const methods = operations.filter(({ inputs }) => inputs[0]?.kinds.includes(kind));
  out += `export class ${name} extends Value {\n  protected constructor();${members}\n`;
  out += methods.map(operation => documented(operation, true)).join("") + "}\n";
}
out += `export interface Esker {
  readonly version: string;
  /** The declarations. */
  readonly operations: readonly Record<string, unknown>[];
  /** In the module's memory: what load reads and save writes. */
  readonly files: Files;
  /** Heights by row, from the upper left. NaN: no data. */
  field(
    cells: ArrayLike<number>,
    options: { width: number; height: number; gaps?: ArrayLike<number | boolean>; frame?: GivenFrame; wraps?: boolean },
  ): Field;
  /** Red, green, blue and alpha of each pixel. */
  pixels(pixels: ImageData | ArrayLike<number>, options?: { width: number; height: number }): Image;
  /** Runs a recipe: its text, or the name of its file in memory or, in node, on the disk. Gives its results by name. */
  recipe<Results = Record<string, RecipeResult>>(
    recipe: string,
    parameters?: RecipeParameters,
    options?: RecipeOptions,
  ): Results;
  setMemoryLimit(bytes: number): void;
  memoryInUse(): number;
${operations.map(operation => documented(operation)).join("")}}
`;
process.stdout.write(out);
