// Heights as a GeoTIFF: TIFF 6.0 with floats as they are, OGC GeoTIFF 1.1 for where they lie, and GDAL's own tags for
// their unit, the sea and how they were made. Loaded when one is asked for. Needs no page.

// Of TIFF's types: the bytes of one, and how it is put.
const TYPES = {
  ascii: { code: 2, size: 1, put: (view, at, value) => view.setUint8(at, value) },
  short: { code: 3, size: 2, put: (view, at, value) => view.setUint16(at, value, true) },
  long: { code: 4, size: 4, put: (view, at, value) => view.setUint32(at, value, true) },
  double: { code: 12, size: 8, put: (view, at, value) => view.setFloat64(at, value, true) },
};
const bytesOf = text => [...new TextEncoder().encode(text), 0];
const even = size => size + (size & 1);

// `tags`: [tag, type, values], in the order of their numbers; the strip's place is put in where its values are null.
function written(tags, cells) {
  const directory = 8,
    extra = directory + 2 + 12 * tags.length + 4;
  let size = extra;
  const places = tags.map(([, type, values]) => {
    const bytes = TYPES[type].size * (values?.length ?? 1),
      at = size;
    if (bytes > 4) size += even(bytes);
    return bytes > 4 ? at : null;
  });
  const start = (size + 3) & ~3,
    view = new DataView(new ArrayBuffer(start));
  view.setUint32(0, 0x002a4949, true); // "II", 42
  view.setUint32(4, directory, true);
  view.setUint16(directory, tags.length, true);
  tags.forEach(([tag, type, values = [start]], i) => {
    const entry = directory + 2 + 12 * i,
      { code, size: step, put } = TYPES[type];
    view.setUint16(entry, tag, true);
    view.setUint16(entry + 2, code, true);
    view.setUint32(entry + 4, values.length, true);
    if (places[i] !== null) view.setUint32(entry + 8, places[i], true);
    values.forEach((value, k) => put(view, (places[i] ?? entry + 8) + k * step, value));
  });
  return new Blob([view, cells], { type: "image/tiff" });
}

// --- where they lie ----------------------------------------------------------------------------------------

// "x y right_x right_y down_x down_y [sea|none [top]] [no-heights]", as the file beside raw numbers has it.
function placeOf(text) {
  const words = text.replace(/ no-heights$/, "").split(" ");
  return {
    steps: words.slice(0, 6).map(Number),
    sea: text.endsWith(" no-heights") ? "no heights" : words[6] === "none" ? null : (words[6] ?? "0"),
    top: words[7] && Number(words[7]) ? words[7] : null,
  };
}

// Codes of degrees that the engine knows, and of lengths; of others the numbers tell, as they do there.
const DEGREES = [4326, 4269, 4258],
  LENGTHS = /^(3857|32[67]\d\d|269[012]\d|258[23]\d)$/;
function isInDegrees(code, [x, y, rightX, rightY, downX, downY], width, height) {
  if (DEGREES.includes(code) || LENGTHS.test(code)) return DEGREES.includes(code);
  return [0, width].every(i =>
    [0, height].every(
      k => Math.abs(x + i * rightX + k * downX) <= 361 && Math.abs(y + i * rightY + k * downY) <= 91,
    ),
  );
}

// GeoKeys of a coordinate system: { number: a code, or a text }. One without a code is a text that GDAL reads.
function keysOf(system, isInDegrees) {
  const [, code, heights] =
    /^EPSG:(\d+)(?:\+(\d+))?$/i.exec(system) ??
    /(?:AUTHORITY|ID)\["EPSG",\s*"?(\d+)"?\]\]$/.exec(system) ??
    [];
  if (!code) return { 1024: 32767, 3073: "ESRI PE String = " + system };
  const ground = isInDegrees(Number(code))
    ? { 1024: 2, 2048: Number(code) }
    : { 1024: 1, 3072: Number(code) };
  return heights ? { ...ground, 4096: Number(heights) } : ground;
}

// The directory of keys, and the texts that it names, as tags.
function keyTags(keys) {
  const entries = Object.entries({ ...keys, 1025: 1 }), // the place is a cell's corner
    directory = [1, 1, 1, entries.length];
  let texts = "";
  for (const [key, value] of entries)
    if (typeof value === "number") directory.push(key, 0, 1, value);
    else {
      directory.push(key, 34737, bytesOf(value).length, bytesOf(texts).length - 1);
      texts += value + "|";
    }
  return [[34735, "short", directory], ...(texts ? [[34737, "ascii", bytesOf(texts)]] : [])];
}

// --- the file ----------------------------------------------------------------------------------------------

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapedOnce = text => text.replace(/[&<>"]/g, letter => ENTITIES[letter]);
const escaped = text => escapedOnce(escapedOnce(text)); // as GDAL does
const itemOf = ([name, value, more = ""]) => `<Item name="${escaped(name)}"${more}>${escaped(value)}</Item>`;

// Of a NumPy file of floats as Esker writes it (by rows, not a number where there is no data), and what the file
// beside it says: { width, height, place, system, unit, recipe }.
export function geotiff(npy, { width, height, place, system, unit, recipe }) {
  const cells = npy.subarray(npy.length - 4 * width * height), // behind the header
    { steps, sea, top } = place ? placeOf(place) : {};
  const items = [
    ...Object.entries(recipe ?? {}).map(([key, value]) => [key.replaceAll(/[:=]/g, "_"), String(value)]),
    ...(unit ? [["UNITTYPE", unit, ' sample="0" role="unittype"']] : []),
    ...(sea ? [["esker_sea", sea, ' sample="0"']] : []),
    ...(top ? [["esker_top", top, ' sample="0"']] : []),
  ];
  const degrees = code => isInDegrees(code, steps, width, height);
  const placed = ([x, y, rightX, rightY, downX, downY]) => [
    [34264, "double", [rightX, downX, 0, x, rightY, downY, 0, y, 0, 0, 0, 0, 0, 0, 0, 1]],
    ...(system ? keyTags(keysOf(system, degrees)) : []),
  ];
  return written(
    [
      [256, "long", [width]],
      [257, "long", [height]],
      [258, "short", [32]],
      [259, "short", [1]], // not compressed
      [262, "short", [1]], // higher is brighter
      [273, "long"],
      [277, "short", [1]],
      [278, "long", [height]],
      [279, "long", [cells.length]],
      [339, "short", [3]], // floats
      ...(steps ? placed(steps) : []),
      ...(items.length
        ? [[42112, "ascii", bytesOf(`<GDALMetadata>${items.map(itemOf).join("")}</GDALMetadata>`)]]
        : []),
      [42113, "ascii", bytesOf("nan")],
    ],
    cells,
  );
}
