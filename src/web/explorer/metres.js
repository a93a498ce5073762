// Lengths, areas and heights of what is shown: in metres where a map's are known, else as parts of it. Pure.
import { brief } from "./dom.js";
import { UNIT } from "./view.js";

// Of a scene's unit at zoom 0, which is a flat map's or a field's longer side or a planet's diameter; 0 where
// it is not known.
export const metresOf = result => result?.side ?? 2 * (result?.radius ?? 0);

// What a place's value is: of a field its name, with its unit where one is known.
export const quantityOf = result => ({
  name: result?.kind === "field" ? result.name : "Height",
  unit: result?.unit ? " " + result.unit : "",
});

// A length in the scene's units at zoom 0.
export function lengthText(result, length, digits = 3) {
  const metres = metresOf(result) * length;
  if (!metres) return brief(length, digits) + " of the side";
  if (metres >= 1000) return brief(metres / 1000, digits) + " km";
  return metres >= 0.1 || metres === 0 ? brief(metres, digits) + " m" : brief(metres * 1000, digits) + " mm";
}

// A part of the whole map.
export function areaText(result, part) {
  const { side, radius, width = 1, height = 1 } = result ?? {},
    shape = Math.min(width, height) / Math.max(width, height),
    whole = side ? side ** 2 * shape : radius ? 4 * Math.PI * radius ** 2 : 0;
  if (!whole) return (part >= 1e-5 ? brief(part * 100, 3) + " %" : brief(part, 3)) + " of the map";
  const area = whole * part;
  return area >= 1e5 ? brief(area / 1e6, 3) + " km²" : brief(area, 3) + " m²";
}

// How many units of the scene at zoom 0 a height of 1 is. True slopes of a continent are too gentle to be
// seen, so that they are exaggerated, less than those of relief (vertical_exaggeration in
// src/picture/shading.c): seen from the side, its mountains are needles.
export function risesOf(result) {
  const metres = metresOf(result);
  if (!metres) return () => (result.faces > 1 ? 0.03 : 0.06);
  return zoom => exaggerationOf(metres / (UNIT * 2 ** zoom)) / metres;
}
const OWN = 50, // metres of a pixel without exaggeration
  MOST = 70;
const exaggerationOf = cell => (cell > OWN ? Math.min((cell / OWN) ** 0.96, MOST) : 1);
