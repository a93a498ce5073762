// Conditions over the columns of a table, as in `talus > 8 and play.suitability >= 0.5`: the language of
// lua/esker/sweep/conditions.lua, which describes it. Nothing is evaluated as JavaScript.
"use strict";

const conditionTokens =
  /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|"([^"]*)"|'([^']*)'|`([^`]+)`|([A-Za-z_]\w*(?:\.\w+)*)|([=~<>]=|[<>+\-*/%^()])|($))/y;
const conditionWords = new Set(["and", "or", "not"]);

function splitCondition(source) {
  const tokens = [];
  conditionTokens.lastIndex = 0;
  for (;;) {
    const at = conditionTokens.lastIndex,
      found = conditionTokens.exec(source);
    if (!found) {
      const rest = source.slice(at).trim();
      throw new Error(
        /^=[^=]/.test(rest) ? `'${rest}': equality is written ==` : `'${rest}' is not understood`,
      );
    }
    const [, number, double, single, quoted, word, sign] = found;
    if (number !== undefined) tokens.push({ kind: "value", value: Number(number), text: number });
    else if (double !== undefined || single !== undefined)
      tokens.push({ kind: "value", value: double ?? single, text: found[0].trim() });
    else if (word === "true" || word === "false")
      tokens.push({ kind: "value", value: word === "true", text: word });
    else if (sign !== undefined || conditionWords.has(word))
      tokens.push({ kind: "sign", text: sign ?? word });
    else if (quoted !== undefined || word !== undefined) tokens.push({ kind: "name", text: quoted ?? word });
    else return tokens.concat({ kind: "end", text: "" });
  }
}

const isMissing = value => value === null || value === undefined || Number.isNaN(value);
const arithmetic = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => (b === 0 ? undefined : a - b * Math.floor(a / b)),
  "^": (a, b) => a ** b,
};
const calculate = (sign, a, b) =>
  typeof a === "number" && typeof b === "number" ? arithmetic[sign](a, b) : undefined;
const ordered = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};
function compareValues(sign, a, b) {
  if (isMissing(a) || isMissing(b)) return false;
  if (sign === "==" || sign === "~=") return (a === b) === (sign === "==");
  return typeof a === typeof b && typeof a !== "boolean" && ordered[sign](a, b);
}

// From loose to tight: each level's operators, how they stand, and what they make of two values.
const conditionLevels = [
  { signs: ["or"], stands: "often", make: (sign, a, b) => a === true || b === true },
  { signs: ["and"], stands: "often", make: (sign, a, b) => a === true && b === true },
  { signs: ["not"], stands: "before", make: (sign, a) => a !== true },
  { signs: ["==", "~=", "<", "<=", ">", ">="], stands: "once", make: compareValues },
  { signs: ["+", "-"], stands: "often", make: calculate },
  { signs: ["*", "/", "%"], stands: "often", make: calculate },
  { signs: ["-"], stands: "before", make: (sign, a) => calculate("-", 0, a) },
];

// A function of a row, whose values are found by `columns`, a Map from name to index. An error that can be
// shown where the condition is none.
function readCondition(source, columns) {
  const tokens = splitCondition(source);
  // Each may nest deeper
  if (tokens.length > 1000) throw new Error("the condition has more than 1,000 words");
  let at = 0;
  const take = signs =>
    tokens[at].kind === "sign" && signs.includes(tokens[at].text) ? tokens[at++].text : null;

  function readValue() {
    const token = tokens[at++];
    if (token.kind === "value") return () => token.value;
    if (token.kind === "name") {
      const column = columns.get(token.text);
      if (column === undefined) throw new Error(`there is no '${token.text}'`);
      return row => row[column];
    }
    if (token.text !== "(")
      throw new Error(
        token.kind === "end" ? "a value is missing at the end" : `a value is missing before '${token.text}'`,
      );
    const inner = readLevel(0);
    if (!take([")"])) throw new Error("a ) is missing");
    return inner;
  }
  function readPower() {
    const base = readValue();
    if (!take(["^"])) return base;
    const exponent = readLevel(conditionLevels.length - 1);
    return row => calculate("^", base(row), exponent(row));
  }
  function readLevel(number) {
    const level = conditionLevels[number];
    if (!level) return readPower();
    if (level.stands === "before") {
      if (!take(level.signs)) return readLevel(number + 1);
      const inner = readLevel(number);
      return row => level.make("", inner(row));
    }
    let left = readLevel(number + 1);
    for (let sign = take(level.signs); sign; sign = level.stands === "often" ? take(level.signs) : null) {
      const before = left,
        after = readLevel(number + 1),
        operator = sign;
      left = row => level.make(operator, before(row), after(row));
    }
    return left;
  }

  const whole = readLevel(0);
  if (tokens[at].kind !== "end") throw new Error(`'${tokens[at].text}' is not expected`);
  return row => whole(row) === true;
}
