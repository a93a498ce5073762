// What lies over the ground: another result as a layer or as lines, the rivers of a map, or the result itself
// where it is a picture or lines. dress(ground, result) lays on the ground what the look says, and fetches
// only what is not there yet; told() gives what the layer's legend and histogram show.
import { answerOf, getJSON } from "./api.js";
import { request } from "./ask.js";
import { pictureOf, rampOf } from "./colour.js";
import { notice } from "./dom.js";
import { extentOf } from "./ground.js";
import { isHeight, isLines, NATURAL } from "./kinds.js";
import { scaleOf } from "./legend.js";
import { getLines } from "./lines.js";
import { blockOf, nameOf, partOfBlock, placesOf } from "./names.js";
import { middlesOf, partOfLines, piecesOfRoads } from "./pieces.js";
import { FULL, getCells } from "./source.js";

const bitmapOf = async response => {
  if (!response.ok) await answerOf(response);
  return createImageBitmap(await response.blob(), { premultiplyAlpha: "none" });
};
const paper = { src: new Uint8Array([244, 241, 232, 255]), width: 1, height: 1 };
const roadColours = [
  [0, 232, 240, 242], // of sea lanes
  [0.49, 232, 240, 242],
  [0.51, 122, 40, 16], // of roads
  [1, 122, 40, 16],
];
const GRID = [48, 32]; // pixels where a field's values in view are taken
const MANY = 2000; // pieces of lines whose values are

export class Layers {
  // app: state, look, stage, camera, comparison.on
  constructor(app) {
    this.app = app;
    this.layer = null; // { key, title, scale, colours(), sample(ground) } of a field or lines
    this.ramps = new Map(); // of palettes for lines: { bytes, texture }
  }
  async dress(ground, result) {
    const { state, look, stage } = this.app,
      onHeights = isHeight(result);
    if (!ground) return;
    const naturally = result.natural && look.laid === NATURAL;
    const name = result.kind === "mesh" || naturally ? "" : onHeights ? look.laid : result.name,
      over = state.results.find(each => each.name === name),
      other = over && over !== result;
    look.offerPalettes(
      onHeights || (result.kind === "mesh" && !ground.mesh.texture),
      isLines(over) ? "lines" : other && over.kind === "field" ? "field" : "",
    );
    if (result.kind === "mesh") return this.forget("");
    if (!naturally) ground.colourNaturally(null);
    const field = other && over.kind === "field",
      key = name && state.generation + "/" + encodeURIComponent(name);
    this.forget(isLines(over) || field ? key : "");
    this.settle(ground, result.settled && look.places ? result : null);
    this.strokeWith(
      ground,
      result,
      isLines(over) ? over : result.kind === "map" && look.rivers ? result : null,
    );
    if (!name) {
      ground.covered = "";
      ground.cover(null, 0);
      return naturally ? ground.colourNaturally(this.naturalOf(result)) : undefined;
    }
    const covered = key + (field ? look.overPalette + (this.app.comparison.on ? " beside" : "") : "");
    if (ground.covered !== covered) {
      ground.covered = covered;
      const texture = await this.textureOf(ground, over, { key, name, field, onHeights });
      if (ground.covered === covered) ground.cover(texture, 1);
    }
    ground.shared.opacity = !onHeights ? 1 : isLines(over) ? 0 : look.opacity;
    stage.wake();
  }
  // What was told of another layer than this.
  forget(key) {
    if (this.layer && this.layer.key !== key) this.layer = null;
  }

  textureOf(ground, over, { key, name, field, onHeights }) {
    if (isLines(over)) return onHeights ? null : this.app.stage.painter.colours(paper);
    return field ? this.layerOf(ground, key, name) : this.pictureOf(key, name);
  }
  // Two that are compared have the same colours for the same values.
  async layerOf(ground, key, name) {
    const { state, look, stage } = this.app,
      stops = look.palettes[look.overPalette],
      below = stops[0][0] < 0,
      colours = rampOf(stops);
    const cells = await getCells(state.generation, name, FULL),
      [first] = this.app.comparison.on ? stage.grounds : [];
    const beside = first !== ground && first?.laid?.name === name ? first : null,
      all = beside ? [cells, beside.laid.cells] : [cells];
    const range = {
      low: Math.min(...all.map(each => each.low)),
      high: Math.max(...all.map(each => each.high)),
    };
    const picture = of => stage.painter.colours(pictureOf({ ...of, ...range }, colours, below));
    ground.laid = { name, cells };
    beside?.cover(picture(beside.laid.cells), beside.shared.opacity);
    this.layer = {
      key,
      title: name,
      scale: scaleOf(range, below),
      colours: () => colours,
      sample: ground => this.cellsInView(ground, cells),
    };
    return picture(cells);
  }
  async pictureOf(key, name) {
    try {
      const response = await request(`api/picture/${key}.png?side=2048`);
      return this.app.stage.painter.picture(await bitmapOf(response));
    } catch (error) {
      notice(`${name} has no picture: ${error.message}`, { bad: true });
      return null;
    }
  }

  naturalOf({ world }) {
    return {
      fetch: async ({ face, z, x, y }, signal) =>
        bitmapOf(
          await request(["api/cover", world, face, z, x.toString(16), y.toString(16)].join("/"), { signal }),
        ),
      problem: error => notice("Natural colours: " + error.message, { bad: true }),
    };
  }

  // --- lines -----------------------------------------------------------------------------------------------

  // Roads and sea lanes of a map on the ground, whose places Names shows; null takes them away.
  settle(ground, result) {
    if ((ground.roads?.world ?? null) === (result?.world ?? null)) return;
    const places = new Map(), // of blocks, and what they promise
      promised = new Map(),
      texture = this.app.stage.painter.ramp(rampOf(roadColours));
    const fetchBlock = async (block, signal) => {
      const answer = await getJSON(`api/places/${result.world}/${nameOf(block)}`, signal);
      places.set(nameOf(block), placesOf(answer.places, block));
      return piecesOfRoads(answer.roads, answer.size);
    };
    const fetchRoads = async (node, signal) => {
      const block = blockOf(node),
        name = nameOf(block);
      if (!promised.has(name)) promised.set(name, fetchBlock(block, signal));
      return partOfLines(await promised.get(name), partOfBlock(node));
    };
    const problem = error => notice("Places and roads: " + error.message, { bad: true }),
      colours = () => ({ ink: [0, 0, 0, 1], toned: 1, lineRamp: texture });
    ground.stroke(
      result && { key: result.world, least: 1.1, fetch: fetchRoads, colours, problem, patient: true },
      "roads",
    );
    if (result) Object.assign(ground.roads, { world: result.world, places });
  }

  // Lines of a result on the ground: rivers of a map, a network or points; null takes them away.
  strokeWith(ground, result, over) {
    const { state, look } = this.app,
      own = over?.kind !== "map",
      name = encodeURIComponent(over?.name),
      key = over ? `${over.world ?? state.generation}/${over.name}` : "";
    if ((ground.strokes?.key ?? "") === key) return;
    const base = `api/lines/${over?.world ?? `${state.generation}/${name}`}`;
    const tile = ({ face, z, x, y }) =>
      `?face=${face}&z=${z}&x=${x.toString(16)}&y=${y.toString(16)}&size=256`;
    let whole; // of a result: its parts lie on the tiles of a map
    const fetchPart = async (node, signal, part) => {
      if (!own) return getLines(base + tile(node), signal);
      const lines = await (whole ??= getLines(base, signal));
      this.tellLines(`${state.generation}/${name}`, over, lines);
      return node.z ? partOfLines(lines, part) : lines;
    };
    const colours = ({ river }) => ({
      ink: [...river.map(value => value * 0.7), own && isHeight(result) ? look.opacity : 1],
      toned: own && look.linePalette ? 1 : 0,
      lineRamp: this.rampFor(look.linePalette).texture,
    });
    ground.stroke(over && { key, least: 1.3, fetch: fetchPart, colours });
  }
  tellLines(key, { kind, name }, lines) {
    const title = `${name}: ${kind === "points" ? "altitude" : "discharge"}`,
      { look } = this.app;
    this.layer = {
      key,
      title,
      scale: scaleOf(lines.values, false),
      colours: () => this.rampFor(look.linePalette).bytes,
      sample: ground => this.linesInView(ground, lines),
    };
  }
  // Lines have a palette, or one colour.
  rampFor(name) {
    const {
      look,
      stage: { painter },
    } = this.app;
    if (!look.palettes[name]) return { bytes: null, texture: painter.blank };
    if (!this.ramps.has(name)) {
      const bytes = rampOf(look.palettes[name]);
      this.ramps.set(name, { bytes, texture: painter.ramp(bytes) });
    }
    return this.ramps.get(name);
  }

  // --- what is told of the layer ---------------------------------------------------------------------------

  // Lines of one colour have no legend of it.
  told(ground) {
    const { layer } = this,
      colours = layer?.colours();
    return colours
      ? { title: layer.title, scale: layer.scale, colours, values: () => layer.sample(ground) }
      : null;
  }
  // A layer covers the whole map, or the part of the square that the field has on which it lies.
  extent(ground) {
    const tile = ground.source.only;
    return tile ? extentOf(tile) : [1, 1];
  }
  cellsInView(ground, { width, height, cells }) {
    const { camera, stage } = this.app,
      extent = this.extent(ground),
      values = [];
    for (let i = 0; i < GRID[0] * GRID[1]; i++) {
      const place = camera.placeOf([
        (((i % GRID[0]) + 0.5) / GRID[0]) * stage.width,
        ((Math.floor(i / GRID[0]) + 0.5) / GRID[1]) * stage.height,
      ]);
      if (!place) continue;
      const [u, v] = [place.x, place.y].map((value, k) => Number(value >> 107n) / 2 ** 53 / extent[k]);
      if (u >= 0 && v >= 0 && u < 1 && v < 1)
        values.push(cells[Math.floor(v * height) * width + Math.floor(u * width)]);
    }
    return values;
  }
  linesInView(ground, lines) {
    const { camera, stage } = this.app,
      extent = this.extent(ground),
      values = [];
    for (const { u, v, value } of middlesOf(lines, MANY)) {
      const [x, y] = [u, v].map((share, k) => BigInt(Math.round(share * extent[k] * 2 ** 52)) << 108n),
        at = stage.pixelAt(camera.view, { face: 0, x, y });
      if (at && at[0] >= 0 && at[1] >= 0 && at[0] < stage.width && at[1] < stage.height) values.push(value);
    }
    return values;
  }
}
