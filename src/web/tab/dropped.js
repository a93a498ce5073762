// A GeoTIFF that was dropped onto the page, as esker.load gives it in the program: its first band, gaps where there is
// no data, and where it lies. Loaded when one is dropped. Needs no page.
import "./blocks.js";
import { fromBlob } from "./geotiff.min.js";

const COMPRESSIONS = [1, 5, 8, 32773, 32946]; // none, LZW, Deflate, PackBits, Deflate's older number
const ROWS = 256; // at least, that are read at once
const AT_ONCE = 1 << 25; // cells, at most, unless these rows have more
const BLOCK = 1 << 27; // bytes of one block
const BLOCKS = 1 << 18;
const BYTES = 16; // of a cell, if the file has as many cells as may be
const DIRECTORIES = 64; // a forged file may have a ring of them

// Whose text the page tells; all other errors mean that the file is damaged.
class Refusal extends Error {}

const OWN = 32767; // a system that no code names

// --- what the numbers are ------------------------------------------------------------------------------------

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const unescaped = text => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name]);

// GDAL's metadata of the first band, by name. The patterns take no time that grows faster than the text.
async function itemsOf(image) {
  const text = String((await image.fileDirectory.loadValue("GDAL_METADATA")) ?? ""),
    items = {};
  for (const [, inside, value] of text.matchAll(/<Item\s([^<>]*)>([^<]*)<\/Item>/g)) {
    const { name, sample } = Object.fromEntries(
      [...inside.matchAll(/\b(name|sample)="([^"]*)"/g)].map(each => each.slice(1)),
    );
    if (name && sample === "0") items[name] = unescaped(unescaped(value.trim()));
  }
  return items;
}

// By EPSG codes: units, and systems of heights that are not in metres (NGVD29, NAVD88, NAVD88 depth).
const UNITS = { 9001: "metre", 9002: "foot", 9003: "US survey foot" },
  IN_FEET = { 5702: "US survey foot", 6358: "US survey foot", 6360: "US survey foot", 8228: "foot" };
function unitOf(items, { VerticalUnitsGeoKey: unit, VerticalCSTypeGeoKey: heights }) {
  if (items.UNITTYPE || UNITS[unit]) return items.UNITTYPE || UNITS[unit];
  return heights && heights !== OWN ? (IN_FEET[heights] ?? "metre") : "";
}

// --- where they lie ------------------------------------------------------------------------------------------

// Of the first cell's outer corner, and the steps to the next column and row: x, y, right x, right y, down x, down y.
async function stepsOf(image, keys) {
  const value = name => image.fileDirectory.loadValue(name),
    matrix = await value("ModelTransformation"),
    scale = await value("ModelPixelScale"),
    tie = await value("ModelTiepoint"),
    down = Math.abs(scale?.[1]); // as GDAL takes it
  let steps;
  if (scale && tie?.length === 6)
    steps = [tie[3] - tie[0] * scale[0], tie[4] + tie[1] * down, scale[0], 0, 0, -down];
  else if (matrix?.length === 16) steps = [matrix[3], matrix[7], matrix[0], matrix[4], matrix[1], matrix[5]];
  else return null;
  const [x, y, rightX, rightY, downX, downY] = steps;
  const back = keys.GTRasterTypeGeoKey === 2 ? 0.5 : 0; // the place is a cell's centre
  return [x - back * (rightX + downX), y - back * (rightY + downY), rightX, rightY, downX, downY];
}

function systemOf(keys) {
  const code = keys.GTModelTypeGeoKey === 2 ? keys.GeographicTypeGeoKey : keys.ProjectedCSTypeGeoKey,
    heights = keys.VerticalCSTypeGeoKey;
  if (code && code !== OWN) return `EPSG:${code}` + (heights && heights !== OWN ? "+" + heights : "");
  return /ESRI PE String = (.*)/s.exec(keys.PCSCitationGeoKey ?? keys.GTCitationGeoKey)?.[1] ?? "";
}

// As the file beside raw numbers has it: the steps, "none" or the sea's height, "no-heights".
function placeOf(steps, { esker_sea: sea = "none", esker_top: top = "0" }) {
  return [...steps, ...(sea === "no heights" ? ["0", top, "no-heights"] : [sea, top])].join(" ");
}

// --- the heights ---------------------------------------------------------------------------------------------

// Whether the numbers of a band are no data, or undefined where all are some.
function gapTest(image) {
  const none = image.getGDALNoData();
  if (none === null || Number.isNaN(none)) return undefined;
  const stored = image.getSampleFormat() === 3 && image.getBitsPerSample() === 32 ? Math.fround(none) : none;
  return value => value === stored;
}

// The mask of a file, 0 where there is no data, if it has one.
async function maskOf(tiff, image) {
  let other = image;
  for (let i = 1; i < DIRECTORIES && other.fileDirectory.nextIFDByteOffset; i++) {
    other = await tiff.getImage(i);
    const kind = other.fileDirectory.getValue("NewSubfileType") ?? 0;
    if ((kind & 5) === 4 && other.getWidth() === image.getWidth() && other.getHeight() === image.getHeight())
      return other;
  }
}

// Rows of heights, not a number where there is no data.
async function rowsOf({ image, mask, isGap, scale, offset }, first, end) {
  const window = [0, first, image.getWidth(), end],
    [values] = await image.readRasters({ window, samples: [0] }),
    [shown] = mask ? await mask.readRasters({ window, samples: [0] }) : [],
    scaled = scale !== 1 || offset !== 0,
    heights = Float32Array.from(values);
  for (let i = 0; i < heights.length; i++) {
    if (scaled) heights[i] = heights[i] * scale + offset;
    if (isGap?.(values[i]) || shown?.[i] === 0 || !Number.isFinite(heights[i])) heights[i] = NaN;
  }
  return heights;
}

// Means of `step` × `step` cells, of those that have data.
function means(heights, width, step, to, at) {
  const columns = Math.floor(width / step),
    rows = heights.length / width / step;
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      let sum = 0,
        count = 0;
      for (let k = 0; k < step * step; k++) {
        const height = heights[(y * step + Math.floor(k / step)) * width + x * step + (k % step)];
        if (!Number.isNaN(height)) {
          sum += height;
          count++;
        }
      }
      to[at + y * columns + x] = count ? sum / count : NaN;
    }
}

function check(image, largest) {
  const compression = image.fileDirectory.getValue("Compression") ?? 1,
    [width, height] = [image.getWidth(), image.getHeight()],
    [across, down] = [image.getTileWidth(), image.getTileHeight()];
  if (!COMPRESSIONS.includes(compression))
    throw new Refusal("its compression is not read here; gdal_translate -co COMPRESS=DEFLATE changes it");
  if (width * height > largest)
    throw new Refusal(
      `it has ${width} × ${height} cells, at most ${largest.toLocaleString("en")} are read; gdal_translate -projwin cuts a part out of it`,
    );
  if (!(width * height > 0)) throw new Refusal("it has no cells");
  const blocks = Math.ceil(width / across) * Math.ceil(height / down),
    bytes = image.getBytesPerPixel();
  if (!(blocks <= BLOCKS && across * down * bytes <= BLOCK && width * height * bytes <= largest * BYTES))
    throw new Refusal(
      `its blocks are too many, or too large: ${blocks} of ${across} × ${down} cells of ${bytes} bytes; gdal_translate -b 1 -co TILED=YES changes them`,
    );
}

async function readImage(tiff, most, largest) {
  const image = await tiff.getImage(0);
  check(image, largest);
  const keys = image.getGeoKeys() ?? {},
    items = await itemsOf(image),
    mask = await maskOf(tiff, image),
    step = Math.ceil(Math.sqrt(Math.max((image.getWidth() * image.getHeight()) / most, 1))),
    width = Math.floor(image.getWidth() / step),
    height = Math.floor(image.getHeight() / step);
  if (!width || !height) throw new Refusal("it has too few rows or columns");
  if (mask) check(mask, largest);
  const source = {
    image,
    mask,
    isGap: gapTest(image),
    scale: Number(items.SCALE ?? 1),
    offset: Number(items.OFFSET ?? 0),
  };
  // A block is decoded for each window that it is in.
  const blockRows = Math.min(image.getTileHeight(), AT_ONCE / image.getWidth()),
    rows = step * Math.ceil(Math.max(ROWS, blockRows) / step),
    cells = new Float32Array(width * height);
  for (let y = 0; y < height * step; y += rows) {
    const heights = await rowsOf(source, y, Math.min(y + rows, height * step));
    if (step === 1) cells.set(heights, y * width);
    else means(heights, image.getWidth(), step, cells, (y / step) * width);
  }
  const steps = (await stepsOf(image, keys))?.map((value, i) => (i < 2 ? value : value * step));
  const place = steps ? placeOf(steps, items) : undefined;
  return { width, height, cells, place, system: systemOf(keys), unit: unitOf(items, keys), step };
}

// { width, height, cells, place, system, unit, step }: more than `most` cells are means of `step` × `step`.
export async function readRaster(file, most, largest) {
  const tiff = await fromBlob(file).catch(() => {
    throw new Refusal("it is no TIFF, or damaged");
  });
  try {
    return await readImage(tiff, most, largest);
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : new Refusal(`it is damaged, or not read here (${error?.message ?? error})`);
  }
}
