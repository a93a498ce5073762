// Values of a recipe's parameters, against what it declares. `params` are the declarations that the server
// gives, `values` what the user has set, by name. Pure.
import { unspaced } from "./address.js";

const ENGLISH = { whole: "a whole number", integer: "a number", float: "a number", boolean: "true or false" };

export const isNumber = ({ kind }) => kind in ENGLISH && kind !== "boolean";

// What is wrong with a value, in the words of the program, or null.
export function objection(param, value) {
  const wrong = kindWrong(param, value);
  if (wrong) return `${param.name} must be ${wrong}, got '${value}'`;
  const range = rangeWrong(param, value) ?? choiceWrong(param, value);
  return range ? `${param.name} must be ${range}, got ${value}` : null;
}
function kindWrong(param, value) {
  const { kind } = param,
    number = isNumber(param);
  const well = number
    ? isLong(param, value) ||
      (typeof value === "number" &&
        Number.isFinite(value) &&
        (kind !== "whole" || Number.isSafeInteger(value)))
    : kind === "boolean"
      ? typeof value === "boolean"
      : true;
  return well ? null : ENGLISH[kind];
}
function rangeWrong(param, value) {
  if (!isNumber(param)) return null;
  const { low = -Infinity, high = Infinity } = param;
  if (value >= low && value <= high) return null;
  return Number.isFinite(low) && Number.isFinite(high)
    ? `${low} to ${high}`
    : value < low
      ? `at least ${low}`
      : `at most ${high}`;
}
const choiceWrong = ({ choices }, value) =>
  !choices?.length || choices.some(choice => String(choice) === String(value))
    ? null
    : "one of " + choices.join(", ");

// What a text means for a parameter; a text that is nothing of its kind stays one.
export function typedValue(param, text) {
  const { kind } = param;
  if (kind === "string") return text;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : (longOf(param, text) ?? Number(text));
}

// A recipe's whole numbers have 64 bits. Those that a double does not hold are their digits, in one way of
// writing them.
const LONGEST = 2n ** 63n;
const isLong = (param, value) => typeof value === "string" && longOf(param, value) === value;
function longOf({ kind }, text) {
  const number = Number(text),
    digits = /^\s*[+-]?\d{1,40}\s*$/.test(text);
  if (
    !(kind === "whole" || (kind === "integer" && digits)) ||
    !Number.isInteger(number) ||
    Number.isSafeInteger(number)
  )
    return null;
  const whole = digits ? BigInt(text.replace("+", "")) : BigInt(number);
  return whole >= -LONGEST && whole < LONGEST ? String(whole) : null;
}

// Values from the texts of an address, in which the + of 1e+6 stands for a space, and what is wrong with the
// others.
export function typed(params, texts) {
  const values = [],
    wrong = [];
  for (const param of params) {
    if (!Object.hasOwn(texts, param.name)) continue;
    const text = texts[param.name],
      value = typedValue(param, isNumber(param) ? unspaced(text) : text),
      problem = objection(param, value);
    if (problem) wrong.push(problem);
    else values.push([param.name, value]);
  }
  return { values: Object.fromEntries(values), wrong };
}

// Those of `values` that a recipe with these parameters takes, and the names of the others.
export function taken(params, values) {
  const now = present(params, values),
    allowed = params.filter(param => Object.hasOwn(values, param.name) && !objection(param, now[param.name]));
  const names = new Set(allowed.map(param => param.name));
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))),
    left: Object.keys(values).filter(name => !names.has(name)),
  };
}

// Every parameter's value of the moment: the user's, which on a command line was a text, else the declared
// default.
export const present = (params, values) =>
  Object.fromEntries(
    params.map(param => {
      // It may be named "constructor"
      const value = Object.hasOwn(values, param.name) ? values[param.name] : param.default;
      return [param.name, typeof value === "string" ? typedValue(param, value) : value];
    }),
  );

// Those that differ from the recipe's own defaults; what it does not allow counts as its default.
export function changed(params, values) {
  const now = present(params, values);
  return Object.fromEntries(
    params
      .filter(
        param => String(now[param.name]) !== String(param.default) && !objection(param, now[param.name]),
      )
      .map(({ name }) => [name, now[name]]),
  );
}

// Whether both give the recipe the same.
export const isSame = (params, one, other) =>
  JSON.stringify(present(params, one)) === JSON.stringify(present(params, other));

// The command line that makes the same; maps are only explored.
export function commandOf(name, params, values, results) {
  const quoted = text => (/^[\w.,/+=-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'");
  const settings = Object.entries(changed(params, values)).map(([name, value]) => quoted(name + "=" + value));
  return [
    results.some(({ kind }) => kind === "map") ? "esker explore" : "esker",
    quoted(name),
    ...settings,
  ].join(" ");
}
