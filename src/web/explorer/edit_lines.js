// Edits of a map as lines of a recipe: `land = land:raise{ along = { { 0.41, 0.57 } }, width = 6000 }`, in a block
// between two comments (lua/esker/explore/edits.lua makes it). What is no such line stays as it is. Pure.
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
  add_rivers: { along: true, values: ["width"] },
  add_places: { at: true, values: ["name", "population"] },
};
const TEXTS = ["kind", "name"]; // of the values; the others are numbers
const LONGEST_NAME = 60;

// A name as a line holds it: without what ends a string or begins a comment.
export const plainName = text =>
  text
    .replace(/["\\\p{C}]/gu, "")
    .replace(/--+/g, "–")
    .trim()
    .slice(0, LONGEST_NAME);

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
    /^\s*([A-Za-z_]\w*)\s*=\s*([A-Za-z_]\w*)\s*:\s*([a-z_]+)\s*(\{[^-]*(?:-(?!-)[^-]*)*\})\s*(--.*)?$/.exec(
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
    const isText = TEXTS.includes(key),
      text = isText ? value.string : value;
    if (!given.values.includes(key) || typeof text !== "string") return null;
    values[key] = isText ? text : Number(text);
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
      .map(key => `${key} = ${TEXTS.includes(key) ? `"${values[key]}"` : values[key]}`),
  ];
  return `${name} = ${name}:${operation}{ ${words.join(", ")} }${note ? " " + note : ""}`;
}

export const RIVER = "-- river"; // the note of a canal that is one

// What one calls it.
export function kindOf({ operation, shape, points, values, note }) {
  if (operation === "lake") return "Lake";
  if (operation === "coast") return values.kind === "sea" ? "Bay" : "Island";
  if (operation === "level") return "Level ground";
  if (operation === "crater") return "Crater";
  if (operation === "carve") return note?.startsWith(RIVER) ? "River" : "Canal";
  if (operation === "add_rivers") return "River";
  if (operation === "add_places") return "Town";
  const low = values.height < 0;
  if (shape === "outline") return low ? "Basin" : "Upland";
  return points.length > 1 ? (low ? "Valley" : "Ridge") : low ? "Pit" : "Hill";
}
