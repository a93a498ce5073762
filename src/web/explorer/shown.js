// What of a recipe's results is looked at: take(state) shows the one that is wanted, choose(name) another.
// `result` is that one, `ground` what it is drawn on; the stage shows a new ground as soon as it has
// something to draw.
import { BITS, magnification } from "./address.js";
import { getJSON } from "./api.js";
import { standard } from "./colour.js";
import { element, get, notice } from "./dom.js";
import { Ground } from "./ground.js";
import { isDrawable, isEditable, isHeight, overlaysOf, shownOf, usuallyOver } from "./kinds.js";
import { Layers } from "./layers.js";
import { getMesh, MeshGround } from "./mesh.js";
import { risesOf } from "./metres.js";
import { FieldTiles, FULL, getCells, PREVIEW, ServerTiles } from "./source.js";
import { factorOf, wholeView, wholeZoom } from "./view.js";

// Whether a view of one is one of the other, too: a planet's has a face, and a longer field's reaches
// further.
const isLike = (before, result) =>
  before?.kind === result.kind &&
  before.faces > 1 === result.faces > 1 &&
  (before.width ?? 1) * (result.height ?? 1) === (before.height ?? 1) * (result.width ?? 1);

const SAME = 4000; // milliseconds until a ground that is nearly that before is shown incomplete

export class Shown {
  // app: state, stage, camera, look, addressBar.asked, comparison.on, run(…), adopt(state)
  constructor(app) {
    this.app = app;
    this.layers = new Layers(app);
  }
  get wish() {
    return this.wanted ?? this.result?.name;
  }

  async take(state, preview) {
    const { look, addressBar } = this.app,
      wish = this.wish ?? addressBar.asked?.result;
    const drawable = state.results.filter(isDrawable);
    const result = shownOf(drawable, wish),
      overlays = overlaysOf(drawable, result);
    const rivers = result?.kind === "map" && !(result.faces > 1) && !state.static;
    const offered = { overlays, rivers, usual: usuallyOver(result), settled: Boolean(result?.settled) };
    look.offer(state.palettes ?? standard, offered, addressBar.asked?.look);
    this.tellResults(drawable, result);
    if (result) await this.open(result, preview);
    else notice("The recipe returns nothing to draw; its numbers are in the panel");
  }
  // Where the one that is wanted failed, the others can be chosen.
  tellFailed(state) {
    const drawable = state.results.filter(isDrawable);
    this.tellResults(drawable, shownOf(drawable, this.wish ?? this.app.addressBar.asked?.result));
  }
  tellResults(drawable, current) {
    get("results").replaceChildren(
      ...(drawable.length < 2
        ? []
        : drawable.map(result =>
            element(
              "button",
              {
                role: "radio",
                ariaChecked: String(result === current),
                onclick: () => this.choose(result.name),
              },
              result.name,
            ),
          )),
    );
  }
  choose(name) {
    const { app } = this;
    this.wanted = name;
    if (app.state.static) app.adopt(app.state).catch(error => notice(error.message, { bad: true }));
    else app.run({});
  }

  // Shows a result: its ground takes the place of the one before as soon as it has something to draw.
  async open(result, preview) {
    const before = this.result,
      { look, stage, camera, addressBar, comparison } = this.app;
    this.result = result;
    get("edit").hidden = !isEditable(result) || Boolean(this.app.state.static);
    this.app.edits?.lookAt(result);
    if (result.kind === "map" && this.ground?.source?.world === result.world) {
      this.ground.result = result;
      return this.dress();
    }
    if (!look.ramp) look.choose(look.palette);
    const ground = await this.groundOf(result, preview);
    if (!ground) return;
    const { generation, recipe } = this.app.state,
      drawnOf = { text: recipe.text, values: JSON.stringify(this.app.recipe.values) };
    Object.assign(ground, { result, generation, drawnOf });
    this.takeOver(this.ground, ground);
    this.ground = ground;
    await this.dress();
    ground.before = null;
    if (!camera.view || addressBar.asked || !isLike(before, result)) this.place(result);
    else this.limit(result);
    stage.replace(ground, comparison.on);
  }
  // Tiles that edits do not reach are the same bytes: the new ground has them from the one before.
  takeOver(before, ground) {
    const old = before?.drawnOf,
      { text, values } = ground.drawnOf;
    if (before?.result?.name !== ground.result.name || old?.values !== values) return;
    const unreached = this.app.edits?.unreached(old.text, text, ground.result);
    if (!unreached) return;
    ground.takeTiles(before, unreached.isSame, unreached.first);
    ground.patience = SAME; // else what is reached would be coarse for a moment
  }
  // The same result on a new ground, beside the one that stays.
  async reopen() {
    const { ground } = this;
    this.ground = null;
    try {
      await this.open(this.result);
    } finally {
      this.ground ??= ground;
    }
  }
  dress() {
    return this.layers.dress(this.ground, this.result);
  }

  // null where another run has taken its place.
  async groundOf(result, preview) {
    const { state, stage } = this.app,
      { generation } = state;
    if (result.kind === "mesh")
      return new MeshGround(await getMesh(generation, result.name), { painter: stage.painter });
    const { source, settings } =
      result.kind === "map" ? this.mapOf(result) : await this.fieldOf(result, preview);
    if (result.kind !== "map" && this.app.state.generation !== generation) return null;
    return new Ground(source, {
      ...settings,
      painter: stage.painter,
      changed: () => stage.wake(),
      problem: error => notice("Tiles: " + error.message, { bad: true }),
    });
  }
  mapOf(result) {
    return {
      source: new ServerTiles(result),
      settings: {
        deepest: result.zoom_max ?? 91,
        faces: result.faces ?? 1,
        sea: result.sea_level ?? 0,
        rises: risesOf(result),
      },
    };
  }
  async fieldOf(result, preview) {
    const { generation } = this.app.state;
    const path = `api/result/${generation}/${encodeURIComponent(result.name)}`;
    if (result.width === undefined) Object.assign(result, await getJSON(path));
    const ask = () => getCells(generation, result.name, preview ? PREVIEW : FULL);
    const cells =
      result.kind === "field"
        ? await ask().catch(ask) // once more where its process was just stopped
        : this.level(result.width ?? 512, result.height ?? 512);
    const steepness = 0.14 / Math.max(cells.high - cells.low, 1e-30);
    return {
      source: new FieldTiles(cells),
      settings: { deepest: 0, sea: result.sea_level ?? null, quads: 200, rises: () => steepness },
    };
  }
  // What pictures, networks and points lie on.
  level(width, height) {
    return { width, height, low: 0, high: 1, cells: new Float32Array(width * height) };
  }

  // --- where it is looked at first -------------------------------------------------------------------------

  // How far the camera may go; gives the greatest zoom.
  limit(result) {
    const { camera, stage } = this.app,
      whole = wholeZoom(stage.width, stage.height);
    const most =
      result.kind === "map"
        ? (result.zoom_max ?? 91) + 1.5
        : Math.log2(Math.max(result.width ?? 512, result.height ?? 512) / 256) + 5;
    camera.limits = { least: Math.min(whole - 1, 0), most, tilt: 80 };
    return most;
  }
  place(result) {
    const { camera, stage, addressBar } = this.app,
      most = this.limit(result);
    stage.settings.flat = !isHeight(result);
    const { x, y, zoom, tilt, turn, face } = addressBar.asked ?? {},
      view = this.whole();
    addressBar.asked = null;
    for (const [name, value] of Object.entries({ x, y, zoom, tilt, turn }))
      if (value !== undefined) view[name] = value;
    if (view.face && face) view.face = face;
    if (zoom > most) this.tellEnd(most);
    camera.set(view);
  }
  tellEnd(most) {
    const { width, height } = this.app.stage;
    notice("The map ends at zoom " + magnification(factorOf(most, width, height)).slice(2), { bad: true });
  }
  whole() {
    const {
        width,
        height,
        covered: [left, below, right],
      } = this.app.stage,
      view = wholeView(width - left - right, height - below);
    if (this.result?.faces > 1) return { ...view, face: 1, zoom: view.zoom + 0.15 };
    const { width: across = 1, height: down = 1 } = this.ground?.mesh ?? this.result ?? {},
      half = cells => BigInt(Math.round((cells / Math.max(across, down)) * 2 ** 40)) << BigInt(BITS - 41);
    return { ...view, x: half(across), y: half(down) };
  }
}
