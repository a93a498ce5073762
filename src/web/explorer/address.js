// Places on the map, and the page's address. A coordinate is a whole number of 2^-160 of the map's side, so
// that every zoom to 10^27 has the same exact arithmetic; only differences from the centre of the view become
// floating point. A cell of level z is a square of side 2^-z. Everything here is pure.

export const BITS = 160;
export const SIDE = 1n << BigInt(BITS);
const CELL = 256; // pixels of a cell whose level is the zoom

export const cellOf = (coordinate, level) => coordinate >> BigInt(BITS - level);
export const cornerOf = (cell, level) => cell << BigInt(BITS - level);

// The distance in units of 2^-zoom of the map's side, as a double: exact but for one rounding.
export const between = (from, to, zoom) => Number(to - from) * 2 ** (zoom - BITS);

// `distance` is in units of 2^-zoom. Its 53 bits are kept whole before they are shifted into place.
export function moved(coordinate, distance, zoom) {
  if (!Number.isFinite(distance) || distance === 0) return coordinate;
  const exponent = Math.floor(Math.log2(Math.abs(distance)));
  const whole = BigInt(Math.round(distance * 2 ** (52 - exponent)));
  const level = Math.floor(zoom),
    shift = BITS - level + exponent - 52;
  const scaled = shift >= 0 ? whole << BigInt(shift) : whole >> BigInt(-shift);
  const part = 2 ** (level - zoom); // of a zoom between two levels
  return coordinate + (part === 1 ? scaled : (scaled * BigInt(Math.round(part * 2 ** 52))) >> 52n);
}

export const within = (coordinate, low = 0n, high = SIDE - 1n) =>
  coordinate < low ? low : coordinate > high ? high : coordinate;

// Whether a place, which may have been moved beyond the border, is on the square map; or on a field of so
// many cells, which lies at the square's upper left.
export function isOnMap({ x, y }, width = 1, height = 1) {
  const longer = BigInt(Math.max(width, height));
  return x >= 0n && y >= 0n && x * longer < SIDE * BigInt(width) && y * longer < SIDE * BigInt(height);
}

// As many decimal digits as tell a tenth of a pixel at this zoom.
export function toDigits(coordinate, zoom) {
  const digits = Math.max(4, Math.ceil((zoom + Math.log2(CELL) + 3.4) * Math.log10(2)));
  const power = 10n ** BigInt(digits),
    rounded = (coordinate * power + SIDE / 2n) >> BigInt(BITS);
  if (rounded >= power) return "1";
  return "0." + rounded.toString().padStart(digits, "0").replace(/0+$/, "").padEnd(1, "0");
}

// The same for the server, exactly.
export const toHex = coordinate => `0x${coordinate.toString(16)}p-${BITS}`;

// null where the text is no number from 0 to 1.
export function fromDigits(text) {
  const match = /^(?:0?\.(\d{1,400})|([01])(?:\.0*)?)$/.exec(text);
  if (!match) return null;
  if (match[2]) return match[2] === "1" ? SIDE - 1n : 0n;
  const power = 10n ** BigInt(match[1].length);
  return (BigInt(match[1]) * SIDE + power / 2n) / power;
}

export const keyOf = (face, level, x, y) => face + "/" + level + "/" + x.toString(16) + "/" + y.toString(16);

// --- the page's address -----------------------------------------------------------------------------------
// A number as other programs write it, whose + an address reads as a space: 1e+6.
export const unspaced = text => text.replace(/(\de) (?=\d)/i, "$1+");
const number = (least, most) => text => {
  const value = Number(unspaced(text));
  return text.trim() !== "" && Number.isFinite(value) && value >= least && value <= most ? value : null;
};
const text = value => (value.length <= 100 ? value : null);
const flag = value => ({ 1: true, 0: false })[value] ?? null;

// How the map looks: the word in an address, the name in the page, what it is where no address says, how a
// text is read.
export const lightRanges = {
  exaggeration: [0, 4],
  shading: [0, 2],
  azimuth: [0, 360],
  altitude: [8, 88],
  haze: [0, 1],
};
const light = (word, name, usual) => [word, name, usual, number(...lightRanges[name])];
const looks = [
  ["palette", "palette", "atlas", text],
  ["over", "overlay", null, text], // null: what a result usually has; "": nothing
  ["over-palette", "overPalette", "viridis", text],
  ["line-palette", "linePalette", "", text],
  ["opacity", "opacity", 0.8, number(0, 1)],
  ["contours", "contours", false, flag],
  ["rivers", "rivers", false, flag],
  ["places", "places", false, flag],
  light("exaggeration", "exaggeration", 1),
  light("shading", "shading", 1),
  light("sun", "azimuth", 315),
  light("sun-height", "altitude", 45),
  light("haze", "haze", 0.5),
];
export const usualLook = Object.fromEntries(looks.map(([, name, usual]) => [name, usual]));
// The look that a read address asks for, also where it names nothing of it.
export const lookOf = read =>
  Object.fromEntries(looks.map(([word, name, usual]) => [name, read[word] ?? usual]));
const lookWords = look =>
  looks
    .filter(([, name, usual]) => look[name] !== usual)
    .map(([word, name]) => [
      word,
      String(Number.isFinite(look[name]) || typeof look[name] === "string" ? look[name] : Number(look[name])),
    ]);

// `zoom` is the recipes' zoom of a square window as large as the screen's shorter side: times the whole map.
const readers = {
  x: fromDigits,
  y: fromDigits,
  zoom: number(0.05, 1e30),
  tilt: number(0, 85),
  turn: number(-360, 360),
  face: number(0, 6),
  recipe: text => (/^[0-9a-f]{4,64}$/.test(text) ? text : null),
  example: text => (/^[\w-]{1,40}$/.test(text) ? text : null), // of a page without a server, like the next
  r: text => (/^[\w-]+$/.test(text) ? text : null),
  result: text => text.slice(0, 100),
  ...Object.fromEntries(looks.map(([word, , , read]) => [word, read])),
};

// What an address says, and what in it could not be read: { x, y, zoom, …, params: { name: text }, unread:
// ["x", …] }.
export function readAddress(hash) {
  const words = [...new URLSearchParams(hash.replace(/^#/, ""))],
    isParam = ([name]) => name.startsWith("p.");
  const read = {
    params: Object.fromEntries(words.filter(isParam).map(([name, text]) => [name.slice(2), text])),
    unread: [],
  }; // own ones, whatever the name
  for (const [name, text] of words.filter(word => !isParam(word))) {
    const value = Object.hasOwn(readers, name) ? readers[name](text) : null;
    if (value === null) read.unread.push(name || "=");
    else read[name] = value;
  }
  return read;
}

const short = value => String(Number(value.toFixed(3)));

// `world` are words that name the recipe where no server has it.
export function writeAddress({ view, zoom, recipe, result, params, look = usualLook, world = {} }) {
  const words = new URLSearchParams();
  for (const name in params) words.set("p." + name, params[name]);
  if (recipe) words.set("recipe", recipe);
  if (result) words.set("result", result);
  if (view.face) words.set("face", view.face);
  words.set("x", toDigits(view.x, view.zoom));
  words.set("y", toDigits(view.y, view.zoom));
  words.set("zoom", String(Number(zoom.toPrecision(5))).replace("+", ""));
  if (view.tilt) words.set("tilt", short(view.tilt));
  if (view.turn) words.set("turn", short(view.turn));
  for (const [word, value] of [...lookWords(look), ...Object.entries(world)]) words.set(word, value);
  return "#" + words;
}

const raised = text => text.replace(/\d/g, digit => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

// "× 12", "× 3.4·10²⁰"
export function magnification(zoom) {
  if (zoom < 9999.5) return "× " + Number(zoom.toPrecision(2));
  const [factor, power] = zoom.toExponential(1).split("e+");
  return "× " + factor + "·10" + raised(power);
}
