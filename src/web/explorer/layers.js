// What lies over the ground: another result as a layer or as lines, the rivers of a map, or the result itself where it is a
// picture. dress(ground, result) lays on the ground what the look says, and fetches only what is not there yet.
import { pictureOf, rampOf } from "./colour.js";
import { notice } from "./dom.js";
import { isHeight, isLines } from "./kinds.js";
import { getLines } from "./lines.js";
import { FULL, getCells } from "./source.js";

const paper = { src: new Uint8Array([244, 241, 232, 255]), width: 1, height: 1 };

export class Layers {
  // app: state, look, stage
  constructor(app) {
    this.app = app;
  }
  async dress(ground, result) {
    const { state, look, stage } = this.app, onHeights = isHeight(result);
    if (!ground || result?.kind === "mesh") return;
    const name = onHeights ? look.overlay : result.name, over = state.results.find(each => each.name === name);
    this.strokeWith(ground, result, result.kind === "map" ? look.rivers ? result : null : isLines(over) ? over : null);
    const field = Boolean(name) && over?.kind === "field" && over !== result;
    look.overSelect.hidden = !field;
    if (!name) {
      ground.covered = "";
      return ground.cover(null, 0);
    }
    const key = state.generation + "/" + encodeURIComponent(name), covered = key + (field ? look.overPalette : "");
    if (ground.covered !== covered) {
      ground.covered = covered;
      const texture = await this.textureOf(over, { key, name, field, onHeights });
      if (ground.covered === covered) ground.cover(texture, 1);
    }
    ground.shared.opacity = !onHeights ? 1 : isLines(over) ? 0 : look.opacity;
    stage.wake();
  }

  textureOf(over, { key, name, field, onHeights }) {
    if (isLines(over)) return onHeights ? null : this.app.stage.painter.colours(paper);
    return field ? this.layerOf(name) : this.pictureOf(key, name);
  }
  async layerOf(name) {
    const { state, look, stage } = this.app, stops = look.palettes[look.overPalette];
    const cells = await getCells(state.generation, name, FULL);
    return stage.painter.colours(pictureOf(cells, rampOf(stops), stops[0][0] < 0));
  }
  async pictureOf(key, name) {
    const response = await fetch(`api/picture/${key}.png?side=2048`);
    if (!response.ok) {
      notice(name + " has no picture", { bad: true });
      return null;
    }
    return this.app.stage.painter.picture(await createImageBitmap(await response.blob(), { premultiplyAlpha: "none" }));
  }

  // Lines of a result on the ground: rivers of a map, a network or points; null takes them away.
  strokeWith(ground, result, over) {
    const { state, look } = this.app, key = over ? `${over.world ?? state.generation}/${over.name}` : "";
    if ((ground.strokes?.key ?? "") === key) return;
    const base = `api/lines/${over?.world ?? `${state.generation}/${encodeURIComponent(over?.name)}`}`;
    const tile = ({ face, z, x, y }) => `?face=${face}&z=${z}&x=${x.toString(16)}&y=${y.toString(16)}&size=256`;
    const pathOf = node => over.kind === "map" ? base + tile(node) : base;
    const opacity = () => over.kind === "points" && isHeight(result) ? look.opacity : 1;
    ground.stroke(over && { key, least: 1.3, fetch: (node, signal) => getLines(pathOf(node), signal),
      ink: ({ river }) => [...river.map(value => value * 0.7), opacity()] });
  }
}
