// Edits of a map as lines of a recipe: `land = land:raise{ along = { { 0.41, 0.57 } }, width = 6000 }`, in a block
// between two comments (lua/esker/explore/edits.lua makes it). What is no such line stays as it is. Pure.
import { SIDE } from "./address.js";

const BEGIN = /^[ \t]*-- Edits of ([A-Za-z_]\w*)\b/,
  END = /^[ \t]*-- End of edits\b/;
const TOKEN = /\s*(?:([{}=,])|"([^"\\]*)"|([A-Za-z_]\w*)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))/y;

// What each operation may be given besides places, and what it makes of them.
const GIVEN = {
  raise: { along: true, outline: true, values: ["width", "height"] },
  level: { along: true, outline: true, values: ["width", "altitude"] },
  crater: { at: true, values: ["width", "depth", "rim", "peak", "lake"] }, // of one place
  lake: { outline: true, values: ["altitude"] },
  coast: { outline: true, values: ["kind", "height"] },
  carve: { along: true, values: ["width", "depth"] },
};

// The block of a variable's edits: { first, end, indent, lines }, the lines' number in the text and that of the
// comment after them; null where there is none.
export function blockOf(text, name) {
  const all = text.split("\n"),
    begin = all.findIndex(line => BEGIN.exec(line)?.[1] === name),
    end = begin < 0 ? -1 : all.findIndex((line, i) => i > begin && END.test(line));
  return end < 0
    ? null
    : {
        first: begin + 1,
        end,
        indent: /^[ \t]*/.exec(all[begin])[0],
        lines: all.slice(begin + 1, end),
      };
}
export function withLines(text, name, lines) {
  const all = text.split("\n"),
    { first, end, indent } = blockOf(text, name);
  return [...all.slice(0, first), ...lines.map(line => indent + line.trim()), ...all.slice(end)].join("\n");
}
// The texts before and after the lines.
export function aroundLines(text, name) {
  const all = text.split("\n"),
    { first, end } = blockOf(text, name);
  return [all.slice(0, first).join("\n"), all.slice(end).join("\n")];
}

function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) return null;
    const [, sign, string, word, number] = match;
    tokens.push(
      sign
        ? { sign }
        : word
          ? { word }
          : number
            ? { number, value: Number(number) }
            : { string, value: string },
    );
  }
  return tokens;
}
// A table's entries by name and a list of the others, as texts of numbers, strings and tables; null where it is
// anything else.
function tableOf(tokens, depth = 0) {
  const table = { list: [], named: {} };
  if (tokens.shift()?.sign !== "{" || depth > 2) return null;
  while (tokens.length) {
    if (tokens[0].sign === "}") {
      tokens.shift();
      return table;
    }
    const name = tokens[1]?.sign === "=" ? tokens[0].word : undefined;
    if (name) tokens.splice(0, 2);
    const value = tokens[0]?.sign === "{" ? tableOf(tokens, depth + 1) : scalarOf(tokens.shift());
    if (value === null) return null;
    if (name) table.named[name] = value;
    else table.list.push(value);
    if (tokens[0]?.sign === ",") tokens.shift();
    else if (tokens[0]?.sign !== "}") return null;
  }
  return null;
}
const scalarOf = token => token?.number ?? (token?.string === undefined ? null : { string: token.string });

const isPoint = point =>
  point.list?.length === 2 && point.list.every(each => typeof each === "string" && inMap(Number(each)));
const inMap = value => value >= 0 && value <= 1;

// An edit: { operation, shape, points, values, note }, shape: along or outline; points: pairs of digits. null where
// the line is none that can be drawn.
export function readLine(line, name) {
  const match =
    /^\s*([A-Za-z_]\w*)\s*=\s*([A-Za-z_]\w*)\s*:\s*([a-z]+)\s*(\{[^-]*(?:-(?!-)[^-]*)*\})\s*(--.*)?$/.exec(
      line,
    );
  if (!match || match[1] !== name || match[2] !== name) return null;
  const operation = match[3],
    given = Object.hasOwn(GIVEN, operation) && GIVEN[operation],
    tokens = given && tokensOf(match[4].trim()),
    table = tokens && tableOf(tokens);
  if (!table || tokens.length || table.list.length) return null;
  const shape = ["along", "outline", "at"].find(each => table.named[each]),
    { [shape]: points, ...values } = table.named;
  if (!shape || !given[shape] || Object.keys(points.named).length || !points.list.every(isPoint)) return null;
  for (const [key, value] of Object.entries(values)) {
    const text = key === "kind" ? value.string : value;
    if (!given.values.includes(key) || typeof text !== "string") return null;
    values[key] = key === "kind" ? text : Number(text);
  }
  return points.list.length < (shape === "outline" ? 3 : 1) || (shape === "at" && points.list.length > 1)
    ? null
    : {
        operation,
        shape: shape === "at" ? "along" : shape,
        points: points.list.map(point => point.list),
        values,
        note: match[5] ?? "",
      };
}

export function writeLine({ operation, shape, points, values, note }, name) {
  const words = [
    `${GIVEN[operation].at ? "at" : shape} = { ${points.map(([x, y]) => `{ ${x}, ${y} }`).join(", ")} }`,
    ...GIVEN[operation].values
      .filter(key => values[key] !== undefined)
      .map(key => `${key} = ${key === "kind" ? `"${values[key]}"` : values[key]}`),
  ];
  return `${name} = ${name}:${operation}{ ${words.join(", ")} }${note ? " " + note : ""}`;
}

// What one calls it.
export function kindOf({ operation, shape, points, values }) {
  if (operation === "lake") return "Lake";
  if (operation === "coast") return values.kind === "sea" ? "Bay" : "Island";
  if (operation === "level") return "Level ground";
  if (operation === "crater") return "Crater";
  if (operation === "carve") return "Canal";
  const low = values.height < 0;
  if (shape === "outline") return low ? "Basin" : "Upland";
  return points.length > 1 ? (low ? "Valley" : "Ridge") : low ? "Pit" : "Hill";
}

// A coordinate of these digits, whatever way they are written.
export const coordinateOf = digits => BigInt(Math.round(Number(digits) * 2 ** 80)) * (SIDE >> 80n);

// --- what an edit reaches ------------------------------------------------------------------------------------

const HALF = 8, // cells of the level that an edit enters, at least, in half its width (src/land/edits.h)
  ENTERING = { raise: 4, carve: 0.5 }, // the same of those that enter earlier (src/land/edits.c)
  LONGEST = 96, // cells there of what is looked at as a whole, at most
  CELLS = 128, // there, beyond which nothing changes
  WIDTHS = 4, // the same, for what has a width
  DEFAULTS = { crater: 256, carve: 32768 }; // widths in the map's side, if no width is given

const isShape = ({ operation }) => operation === "lake" || operation === "coast";

// Half the mean width of an outline, of a circle the radius.
function halfOf(points) {
  let area = 0,
    length = 0;
  points.forEach(([x0, y0], i) => {
    const [x1, y1] = points[(i + 1) % points.length],
      [ax, ay] = points[0];
    area += (x0 - ax) * (y1 - y0) - (y0 - ay) * (x1 - x0);
    length += Math.hypot(x1 - x0, y1 - y0);
  });
  return length > 0 ? Math.abs(area) / length : 0;
}

// Where an edit may change the ground, in shares of the map's side, which is `side` metres: a box, and the number of
// levels to which the side is halved for the cells of the first level on which it does.
export function reachOf(edit, side) {
  const points = edit.points.map(point => point.map(Number)),
    [xs, ys] = [0, 1].map(i => points.map(point => point[i]));
  const box = {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
  const width = isShape(edit)
      ? 2 * halfOf(points)
      : (edit.values.width ?? side / (DEFAULTS[edit.operation] ?? 64)) / side,
    longer = Math.max(box.right - box.left, box.bottom - box.top);
  let depth = Math.ceil(Math.log2((ENTERING[edit.operation] ?? HALF) / (width / 2)));
  if (isShape(edit)) depth = Math.min(depth, Math.floor(Math.log2(LONGEST / longer)));
  const room = Math.max(WIDTHS * width, CELLS * 2 ** -depth) + width / 2;
  return {
    left: box.left - room,
    right: box.right + room,
    top: box.top - room,
    bottom: box.bottom + room,
    depth,
  };
}
const meet = (a, b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

// The reaches of all that differs between two lists of lines, and of the edits that may follow it; null where that
// is not known.
export function changedReaches(before, after, name, side) {
  let first = 0,
    last = 0;
  while (first < Math.min(before.length, after.length) && before[first] === after[first]) first++;
  while (last < Math.min(before.length, after.length) - first && before.at(-1 - last) === after.at(-1 - last))
    last++;
  const isTold = line => line.trim() && !/^\s*--/.test(line);
  const reaches = lines => lines.filter(isTold).map(line => readLine(line, name));
  const changed = [
      ...reaches(before.slice(first, before.length - last)),
      ...reaches(after.slice(first, after.length - last)),
    ],
    others = reaches(after.slice(after.length - last));
  if ([...changed, ...others].includes(null)) return null;
  const found = changed.map(edit => reachOf(edit, side));
  let waiting = others.map(edit => reachOf(edit, side));
  for (let more = true; more; ) {
    const met = waiting.filter(reach => found.some(other => meet(reach, other)));
    waiting = waiting.filter(reach => !met.includes(reach));
    found.push(...met);
    more = met.length > 0;
  }
  return found;
}

const PIXELS = 8; // a tile has 2^8 pixels along its side
const MARGIN = 4 / 256; // sides of a tile beyond it that it knows

// The coarsest level whose tiles may look another.
export const firstLevel = reaches => Math.max(0, Math.min(...reaches.map(({ depth }) => depth - PIXELS)));

// Whether a tile may look another where these reaches changed.
export function isReached({ z, x, y }, reaches) {
  const side = 2 ** -z,
    left = Number(x) * side,
    top = Number(y) * side,
    room = MARGIN * side,
    tile = {
      left: left - room,
      right: left + side + room,
      top: top - room,
      bottom: top + side + room,
    };
  return reaches.some(reach => z + PIXELS >= reach.depth && meet(tile, reach));
}
