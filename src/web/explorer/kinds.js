// Kinds of results: what each can be used for on the page.
export const isDrawable = result => !["number", "text"].includes(result.kind);
export const isHeight = result => ["map", "field"].includes(result?.kind);
export const isEditable = result => Boolean(result?.settled); // a flat map with eroded land
export const isLines = result => ["network", "points"].includes(result?.kind);

// The result that is looked at where this name is wanted, and the names of those that can be laid over one.
export function shownOf(results, wish) {
  const drawable = results.filter(isDrawable);
  return drawable.find(each => each.name === wish) ?? drawable.find(isHeight) ?? drawable[0];
}
export const NATURAL = "natural colours"; // of a map's ground, as if they were a result
export const overlaysOf = (results, result) =>
  !isHeight(result) || result.faces > 1
    ? []
    : [
        ...(result.natural ? [NATURAL] : []),
        ...results
          .filter(each => isDrawable(each) && each !== result && each.kind !== "map" && each.kind !== "mesh")
          .map(each => each.name),
      ];

// What lies over a result where the user has chosen nothing: natural colours over a map with rivers by rain.
export const usuallyOver = result =>
  result?.kind === "map" && result.natural && result.watered ? NATURAL : "";

// Which words of an address name a result that is not there, or one that cannot be laid over what it shows;
// `current` is shown where it names none. A failed recipe has no results, and one that is made when it is
// looked at has no kind before.
export function strangers({ result, over }, results, current) {
  const isThere = results.some(each => each.name === result && isDrawable(each)),
    shown = shownOf(results, isThere ? result : current);
  const lies =
    shown?.kind === "later"
      ? results.some(each => each.name === over)
      : overlaysOf(results, shown).includes(over);
  return !results.length
    ? []
    : [...(result && !isThere ? ["result"] : []), ...(over && !lies ? ["over"] : [])];
}
