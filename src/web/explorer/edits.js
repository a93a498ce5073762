// Edits of a map: tools to draw them, a card that lists and changes them. They are lines of the recipe's text
// (edit_lines.js), which is all that is kept of them: what is drawn here is what the text says, and each change is a
// step that Undo takes back. Loaded when it is first wanted.
import { magnification } from "./address.js";
import { post } from "./api.js";
import { brief, copy, drawn, element, get, notice } from "./dom.js";
import {
  aroundLines,
  blockOf,
  kindOf,
  plainName,
  RIVER,
  readLine,
  withLines,
  writeLine,
} from "./edit_lines.js";
import { flatPlaces, globePlaces, isHidden, isInside, movedTo } from "./edit_places.js";
import { capOf, changedReaches, FACES, firstLevel, isReached, reachOf } from "./edit_reaches.js";
import { differences, Forms, formOf } from "./forms.js";
import { radius } from "./globe.js";
import { isEditable } from "./kinds.js";
import { metresOf } from "./metres.js";
import { simplified } from "./simplify.js";
import { FINEST } from "./tree.js";
import { factorOf, pixelOf, UNIT } from "./view.js";

const MOVED = 5, // pixels from which on a press draws
  NEAR = 9, // pixels within which a click is at a point, and a finger
  FINGER = 20,
  APART = 22, // pixels from a point to the handle of its width, at least
  TILES = 8, // levels by which a flat map's cells are finer than its tiles
  FACE_TILES = 7, // and a planet's, of the depth that edit_reaches.js gives
  MOST = 128, // points that a list may have
  SHARE = 0.35, // of the view, that an edit fills which is shown
  SHORE = 1, // pixels between places at which a line is looked at for the sea,
  STRAIT = 3, // and of sea that it does not cross
  NARROW = 640, // pixels of a page that hides the tools while an edit is chosen (edits.css)
  REST = 120, // milliseconds
  SMALL = 5, // pixels of an edit that is not drawn
  FEW = 100, // edits that are drawn while the view moves
  AGAIN = 500; // milliseconds in which a second click belongs to the first
const MORE = /:\s*(raise|level|crater|lake|coast|carve|imprint)\b/; // edits of the recipe's own that follow
const OUT = "Drag a point to move it. Delete takes the edit away.";

// What each tool draws: a place, a spot (which has no width), a line, an outline or strokes of a brush, and the edit that
// it becomes: (width, rivers, height, people) => points => edit.
const along =
  (operation, values, note = "") =>
  points => ({ operation, shape: "along", points, values, note });
const river = (width, rivers) => points =>
  rivers.isLong(points)
    ? along("add_rivers", {})(points)
    : along("carve", { width: Math.min(width, rivers.widest(points)) }, RIVER)(points);
const outline = (operation, values) => points => ({ operation, shape: "outline", points, values, note: "" });
const steep = width => round(Math.min(width / 12, 1200));
const TOOLS = {
  hill: [
    "Hill",
    "place",
    width => along("raise", { width, height: steep(width) }),
    "M3 18c4 0 5-10 9-10s5 10 9 10",
  ],
  ridge: [
    "Ridge",
    "line",
    width => along("raise", { width, height: steep(width) }),
    "M2 18l5-8 3 4 4-8 3 6 2-2 3 8",
  ],
  valley: [
    "Valley",
    "line",
    width => along("raise", { width, height: -steep(width) }),
    "M3 6l6 10c2 3 4 3 6 0l6-10",
  ],
  raise: [
    "Raise",
    "brush",
    (width, _, height = steep(width / 2)) => along("raise", { width, height }),
    "M5 19h14M12 15V4M8 8l4-4 4 4",
  ],
  lower: [
    "Lower",
    "brush",
    (width, _, height = steep(width / 2)) => along("raise", { width, height: -height }),
    "M5 5h14M12 9v11M8 16l4 4 4-4",
  ],
  level: ["Level", "place", width => along("level", { width }), "M2 17l4-5h12l4 5M8 12V8h3v4M13 12V6h3v6"],
  crater: [
    "Crater",
    "place",
    width => along("crater", { width }),
    "M2 10c3 0 3-3 5-3 2 0 2 10 5 10s3-10 5-10c2 0 2 3 5 3",
  ],
  lake: [
    "Lake",
    "outline",
    () => outline("lake", {}),
    "M4 12c0-8 16-8 16 0s-16 8-16 0M8 12c2-1 3 1 5 0s2-1 3 0",
  ],
  river: ["River", "line", river, "M11 3c-5 3 5 5 1 9s4 4-1 9"],
  canal: [
    "Canal",
    "line",
    (width, { widest }) =>
      points =>
        along("carve", { width: Math.min(width, widest(points)) })(points),
    "M3 4c6 2 2 7 8 9s4 5 10 7M8 3c6 2 2 7 7 9s3 4 6 5",
  ],
  island: [
    "Island",
    "outline",
    width => outline("coast", { kind: "land", height: steep(width / 2) }),
    "M2 17h20M5 17c1-6 6-9 8-9s5 4 6 9M13 8V4l4 2-4 1",
  ],
  town: [
    "Town",
    "spot",
    (_, __, ___, population) => along("add_places", { population }),
    "M4 20v-8l4-3 4 3v8zM12 20V8l4-4 4 4v12zM3 20h18",
  ],
  bay: [
    "Bay",
    "outline",
    () => outline("coast", { kind: "sea" }),
    "M3 5c8 0 8 14 18 14M3 13c2-1 3 1 5 0M5 18c2-1 3 1 5 0",
  ],
};
const HINTS = {
  place: "Press where it is to be; drag to make it wide. Enter: in the middle.",
  spot: "Click where it is to be. Enter: in the middle.",
  line: "Draw a line, or click points; click the last one again to end. Enter marks the middle.",
  brush: "Paint over the map: each stroke is an edit, and strokes add up. Escape ends it.",
  outline: "Draw its outline, or click corners; click the first one again to end. Enter marks the middle.",
};
const FIELDS = {
  width: ["Width", "m"],
  height: ["Height", "m"],
  altitude: ["Altitude", "m"],
  depth: ["Depth", "m"],
  name: ["Name", ""],
  population: ["People", ""],
};
const SHOWN = {
  raise: ["width", "height"],
  level: ["width", "altitude"],
  crater: ["width", "depth"],
  lake: ["altitude"],
  coast: ["height"],
  carve: ["width", "depth"],
  add_rivers: ["width"],
  add_places: ["name", "population"],
};
const FREE = {
  lake: "as stream",
  level: "as ground",
  crater: "usual",
  carve: "usual",
  add_rivers: "as drained",
};
const OPTIONAL = { altitude: true, depth: true, population: true }; // and the width of what is as wide as it drains

const known = new WeakMap(); // places of points, which are digits

const PARTS = { level: 10, canal: 160, river: 160 }; // of the view, that the width of what is drawn is

// A message without the recipe's line and the operation's name.
const plain = message => message.replace(/^.*?:\d+: (\w+: )?/, "");

// To two digits.
function round(value) {
  return Number(value.toPrecision(2));
}

// Of the map's side, how wide an edit is whose width is not given; rivers are as wide as they drain.
const usualShare = ({ operation }) =>
  ({ crater: 1 / 256, carve: 1 / 32768, add_rivers: 0, add_places: 0 })[operation] ?? 1 / 64;

// People of a town that a view shows whose pixels are so many metres wide: as many as the map's own places have then
// (level_population in src/settlement/towns.h).
const TOWN = 128; // pixels of a town's square
function peopleFor(metres) {
  const side = (TOWN * metres) / 400e3;
  return round(Math.max(1e6 * (side > 1 ? Math.min(side, 7) : side ** 2), 100));
}

// Square to where a line sets out, which the handle would cover; to the right of a place.
function beside([[x, y], ...others]) {
  const next = others.find(other => other[0] !== x || other[1] !== y),
    length = next && Math.hypot(next[0] - x, next[1] - y);
  return next ? [(y - next[1]) / length, (next[0] - x) / length] : [1, 0];
}

export class Edits {
  // app: canvas, camera, stage, recipe, runs, shown, result, state
  constructor(app) {
    this.app = app;
    this.on = false;
    this.edits = []; // of the text: { line, edit }, line: its number in the block
    this.lines = [];
    this.chosen = -1; // which of them
    this.tool = null;
    this.points = []; // places of what is being drawn
    this.press = null; // of a pointer that draws: { event, at, path }
    this.pull = null; // of one that moves something: { line, edit }, the edit as it becomes
    this.draft = null; // the last pull that was computed
    this.error = null; // { line, message } of the one that fails
    this.warnings = []; // { line, message } of operations, lines of the text
    this.brush = { pixels: 60 }; // its width, and its height if one is given
    this.ended = 0;
    this.make();
    const { canvas } = app;
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "dblclick"])
      canvas.addEventListener(type, event => this["on" + type](event), { capture: true });
    addEventListener("keydown", event => this.key(event), { capture: true });
    app.stage.formsFor = (ground, view) => this.formsFor(ground, view);
  }

  // --- the card ----------------------------------------------------------------------------------------------

  make() {
    document.head.append(element("link", { rel: "stylesheet", href: "edits.css" }));
    const button = (name, onclick, more = {}) => element("button", { onclick, ...more }, name);
    this.buttons = Object.entries(TOOLS).map(([id, [name, , , path]]) =>
      element(
        "button",
        { onclick: () => this.choose(id), ariaPressed: "false", dataset: { tool: id } },
        drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: path })),
        element("span", {}, name),
      ),
    );
    this.hint = element("p", { className: "dim", ariaLive: "polite" });
    this.list = element("ol", { ariaLabel: "Edits" });
    this.fields = element("div", { className: "fields" });
    this.undo = button("Undo", () => this.app.recipe.undo(), { title: "Undo (Ctrl+Z)" });
    this.redo = button("Redo", () => this.app.recipe.redo(), { title: "Redo (Ctrl+Y)" });
    this.finish = button("Finish", () => this.end(), { hidden: true, className: "main" });
    this.copied = button("Copy lines", () => this.copyLines());
    this.card = element(
      "section",
      { id: "edits", ariaLabel: "Edits of the map", hidden: true },
      element(
        "header",
        {},
        element("h2", {}, "Shape the land"),
        element("button", { className: "plain", ariaLabel: "Close", onclick: () => this.turn(false) }, "×"),
      ),
      element("div", { className: "kinds", role: "toolbar", ariaLabel: "What to draw" }, ...this.buttons),
      element("div", { className: "hint" }, this.hint, this.finish),
      this.fields,
      this.list,
      element(
        "div",
        { className: "row" },
        this.undo,
        this.redo,
        this.copied,
        button("Save as recipe", () => this.app.recipe.save()),
      ),
    );
    this.drawing = drawn("svg", { id: "edits-drawing", "aria-hidden": "true" });
    this.drawing.addEventListener("wheel", event => this.app.camera.onwheel(event), { passive: false });
    get("drawing").after(this.drawing);
    get("inspector").before(this.card);
    new ResizeObserver(() => this.app.tools.keepWhole(() => this.app.tools.makeRoom())).observe(this.card);
  }
  // Where the card begins, from above.
  get top() {
    return this.on ? this.card.getBoundingClientRect().top : innerHeight;
  }
  turn(on) {
    const { app } = this;
    if (on && !isEditable(app.result)) return;
    this.on = on;
    this.card.hidden = !on;
    get("edit").setAttribute("aria-pressed", String(on));
    this.choose(null);
    this.chosen = -1;
    if (on) {
      app.inspector.close();
      app.ruler.turn(false);
      if (innerWidth <= NARROW && !get("sheets").hidden) app.tools.fold();
      this.open();
    }
    app.tools.makeRoom();
    this.take();
    if (on) return;
    get("edit").focus({ preventScroll: true });
    app.recipe.tellError(app.state.error); // which the card has told until now
  }
  // The variable whose edits these are.
  async open() {
    try {
      const from = this.text;
      this.ready = { from, ...(await this.prepared()) };
      this.name = this.ready.name;
      this.of = this.app.result.name;
      this.forms ??= new Forms(this.app.stage.painter, this.isGlobe);
      this.take();
    } catch (error) {
      notice(error.message, { bad: true });
      this.turn(false);
    }
  }
  // Another result has other edits.
  lookAt(result) {
    if (!this.on) return;
    if (!isEditable(result)) this.turn(false);
    else if (result.name !== this.of) this.open();
  }
  get text() {
    const { recipe } = this.app;
    return recipe.text ?? recipe.unedited;
  }
  prepared() {
    const { runs, result } = this.app;
    return post("api/edits", { page: runs.page, text: this.text, result: result.name });
  }

  // What the text says now, and what the server says of it.
  take() {
    const { app } = this,
      block = this.name && blockOf(this.text, this.name);
    this.lines = block ? block.lines : [];
    this.edits = this.lines
      .map((line, i) => ({ line: i, edit: readLine(line, this.name), text: line.trim() }))
      .filter(({ text }) => text && !text.startsWith("--"));
    const { error, recipe } = app.state,
      at = error && block && recipe.text === this.text ? error.line - 1 - block.first : -1;
    this.error = this.edits.some(({ line }) => line === at)
      ? { line: at, message: plain(error.message) }
      : null;
    this.warnings = block && recipe.text === this.text ? (app.state.warnings ?? []) : [];
    this.first = block?.first;
    if (this.chosen >= this.edits.length) this.chosen = -1;
    this.tell();
  }
  // Whether the card tells of the error, so that nothing else need.
  tells(error) {
    return this.on && Boolean(this.error) && error.message.endsWith(this.error.message);
  }

  tell() {
    const { recipe, stage } = this.app;
    for (const each of this.buttons)
      each.setAttribute("aria-pressed", String(each.dataset.tool === this.tool));
    this.buttons.find(({ dataset }) => dataset.tool === "town").hidden =
      !this.app.result?.settled || this.isGlobe;
    const chosen = this.edits[this.chosen];
    this.card.classList.toggle("chosen", Boolean(chosen));
    this.hint.textContent = this.tool
      ? HINTS[TOOLS[this.tool][1]]
      : this.error && this.error.line !== chosen?.line
        ? "The red edit fails, so the map does not change: change or delete it."
        : chosen
          ? chosen.edit
            ? this.whereSeen(chosen.edit) + OUT + (innerWidth <= NARROW ? " Tap the map for the tools." : "")
            : "This line is changed in the recipe's text."
          : this.edits.length
            ? "Choose what to draw, or an edit to change it."
            : "Choose what to draw. Each edit becomes a line of the recipe.";
    this.finish.hidden = !(this.points.length && this.canEnd());
    this.undo.disabled = !recipe.done.length;
    this.redo.disabled = !recipe.undone.length;
    this.copied.disabled = !this.edits.length;
    this.tellList();
    this.tellFields();
    stage.wake();
    this.follow();
  }
  // An edit comes with the tiles of the level that it enters.
  whereSeen(edit) {
    const { camera, stage, result } = this.app;
    if (["add_rivers", "add_places"].includes(edit.operation)) return "";
    const first = Math.log2(2 * this.coarsestCells) - (this.isGlobe ? FACES : 0), // that edits may enter
      level = Math.max(this.reachOf(edit).depth, first) - (this.isGlobe ? FACE_TILES : TILES),
      zoom = Math.min(level, result.zoom_max ?? Infinity) - 1 + Math.log2(FINEST);
    return zoom <= camera.view.zoom
      ? ""
      : `The map shows it from ${magnification(factorOf(zoom, stage.width, stage.height))} on. `;
  }
  tellList() {
    const focused = [...this.list.querySelectorAll("button")].indexOf(document.activeElement);
    this.list.hidden = !this.edits.length;
    this.list.replaceChildren(
      ...this.edits.map(({ edit, line, text }, i) =>
        element(
          "li",
          {},
          element(
            "button",
            {
              onclick: () => this.pick(i === this.chosen ? -1 : i),
              ariaPressed: String(i === this.chosen),
              className: line === this.error?.line ? "plain bad" : "plain",
              title: text,
            },
            element("span", {}, edit ? kindOf(edit) : "Line"),
            element("span", { className: "dim" }, edit ? this.sizeOf(edit) : text),
          ),
          line === this.error?.line
            ? element(
                "p",
                { className: "wrong", role: "alert" },
                this.error.message,
                this.moveButton(edit, i),
              )
            : null,
          ...this.warnings
            .filter(warning => warning.line - 1 - this.first === line)
            .map(({ message }) => element("p", { className: "told" }, plain(message))),
        ),
      ),
    );
    this.list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
    const seen = this.list.querySelector(".wrong, [aria-pressed=true]");
    seen?.closest("li").scrollIntoView({ block: "nearest" });
  }
  // Where an error says that an edit of a planet fits beside where it is; else nothing.
  moveButton(edit, i) {
    const place = /the nearest place for its middle is \(([\d.]+), ([\d.]+)\)/.exec(this.error.message);
    if (!edit || !place) return "";
    const move = () => {
      this.pick(i);
      this.change({ points: movedTo(edit.points, place.slice(1)) });
    };
    return element("button", { onclick: move }, "Move it there");
  }
  sizeOf({ operation, points, values }) {
    const length = metres => (metres >= 1000 ? brief(metres / 1000, 3) + " km" : brief(metres, 3) + " m");
    const { width, height, altitude, name, population } = values;
    return [
      name ?? "",
      population === undefined ? "" : population.toLocaleString("en"),
      width === undefined
        ? operation === "lake" || operation === "coast"
          ? points.length + " corners"
          : ""
        : length(width),
      height === undefined ? "" : (height > 0 ? "+" : "−") + brief(Math.abs(height), 4) + " m",
      altitude === undefined ? "" : "at " + brief(altitude, 5) + " m",
    ]
      .filter(Boolean)
      .join(", ");
  }
  tellFields() {
    const { edit, line } = this.edits[this.chosen] ?? {};
    if (this.tool && TOOLS[this.tool][1] === "brush") return this.tellBrush();
    if (this.fields.contains(document.activeElement) && this.fields.dataset.line === String(line)) {
      if (!edit) return;
      for (const [name, set] of Object.entries(this.setters)) set(edit.values[name]);
      return;
    }
    this.fields.hidden = line === undefined;
    this.fields.dataset.line = String(line);
    this.setters = {};
    const names = edit
      ? SHOWN[edit.operation].filter(name => !(name === "height" && edit.values.kind === "sea"))
      : [];
    this.fields.replaceChildren(
      ...names.map(name => this.field(edit, name)),
      ...(edit ? [element("button", { onclick: () => this.show(edit) }, "Show")] : []),
      element("button", { onclick: () => this.remove(), title: "Delete this edit (Del)" }, "Delete"),
    );
  }
  tellBrush() {
    if (this.fields.dataset.line === this.tool) return;
    this.fields.hidden = false;
    this.fields.dataset.line = this.tool;
    const size = element("input", {
        id: "brush-width",
        type: "range",
        min: 16,
        max: 300,
        value: this.brush.pixels,
      }),
      height = element("input", {
        id: "brush-height",
        type: "number",
        min: 0,
        step: "any",
        placeholder: "by width",
        value: this.brush.height ?? "",
      });
    size.oninput = () => (this.brush.pixels = Number(size.value));
    height.onchange = () => {
      const value = Math.abs(Number(height.value));
      this.brush.height = value > 0 && value < Infinity ? value : undefined;
      height.value = this.brush.height ?? "";
    };
    this.fields.replaceChildren(
      element("div", {}, element("label", { for: size.id }, "Width on the screen"), size),
      element(
        "div",
        {},
        element("label", { for: height.id }, this.tool === "raise" ? "Height" : "Depth"),
        element("span", { className: "row" }, height, "m"),
      ),
    );
  }
  // A town's name; without one the map has one for it.
  nameField(edit) {
    const input = element("input", { id: "edit-name", type: "text", placeholder: "by the map" });
    const set = value => {
      if (document.activeElement !== input) input.value = value ?? "";
    };
    input.onchange = () => this.change({ values: { name: plainName(input.value) || undefined } });
    set(edit.values.name);
    this.setters.name = set;
    return element("div", {}, element("label", { for: "edit-name" }, "Name"), input);
  }
  // A number's field; one that may be left out is then what its placeholder says.
  field(edit, name) {
    if (name === "name") return this.nameField(edit);
    const [label, unit] = FIELDS[name],
      id = "edit-" + name,
      input = element("input", { id, type: "number", step: "any", placeholder: FREE[edit.operation] ?? "" });
    const set = value => {
      if (document.activeElement !== input) input.value = value === undefined ? "" : String(value);
    };
    input.onchange = () => {
      const value = input.value === "" ? undefined : Number(input.value),
        free = OPTIONAL[name] || edit.operation === "add_rivers",
        well = value === undefined ? free : Number.isFinite(value);
      if (!well) return set(this.edits[this.chosen].edit.values[name]);
      this.change({ values: { [name]: value } });
    };
    set(edit.values[name]);
    this.setters[name] = set;
    const slider =
      name === "width" && edit.values.width !== undefined
        ? element("input", { type: "range", min: -1, max: 1, step: 0.01, value: 0, ariaLabel: "Width" })
        : null;
    if (slider) {
      let from = edit.values.width;
      slider.oninput = () => {
        const width = round(from * 4 ** Number(slider.value));
        input.value = width;
        this.pullTo({ line: this.edits[this.chosen].line, edit: this.with({ values: { width } }) });
      };
      slider.onchange = () => {
        this.letGo({ values: { width: Number(input.value) } });
        from = Number(input.value);
        slider.value = 0;
      };
    }
    return element(
      "div",
      {},
      element("label", { for: id }, label),
      element("span", { className: "row" }, input, unit),
      slider,
    );
  }

  // --- changes -----------------------------------------------------------------------------------------------

  with(change) {
    const { edit } = this.edits[this.chosen];
    return { ...edit, ...change, values: { ...edit.values, ...change.values } };
  }
  change(change) {
    const { line } = this.edits[this.chosen];
    this.write(this.lines.with(line, writeLine(this.with(change), this.name)));
  }
  // What is moved is seen at once (formsFor); the ground is computed where it rests for a moment, the newest once the one
  // before is seen.
  async pullTo(pull) {
    const { runs, stage } = this.app;
    this.pull = pull;
    this.app.stage.wake();
    if (this.drafting || pull.edit.operation === "add_rivers") return; // which changes all of the map
    this.drafting = true;
    while (this.pull && this.pull !== this.draft) {
      const newest = this.pull;
      await new Promise(done => setTimeout(done, REST));
      if (newest !== this.pull) continue;
      this.draft = newest;
      const line = writeLine(this.draft.edit, this.name);
      const text = withLines(this.text, this.name, this.lines.with(this.draft.line, line));
      await runs.run({ text, again: false, draft: true });
      await stage.received();
    }
    this.drafting = false;
  }
  // What was pulled becomes so, or (null) is again as it was.
  letGo(change) {
    const before = this.text;
    this.pull = null;
    if (change) this.change(change);
    if (this.draft && this.text === before) this.app.run({ text: before });
    this.draft = null;
  }
  remove() {
    const chosen = this.edits[this.chosen];
    if (!chosen) return;
    this.chosen = -1;
    this.write(this.lines.toSpliced(chosen.line, 1));
  }
  async add(edit) {
    try {
      const from = this.text;
      let text = from;
      if (!blockOf(from, this.name)) {
        const { text: to, name } = this.ready?.from === from ? this.ready : await this.prepared();
        this.made = { from, to }; // the same map
        this.name = name;
        text = this.text === from ? to : this.text; // another edit may have come meanwhile
      }
      const { lines } = blockOf(text, this.name),
        // Rivers come first, so that lakes and canals fit the land that has them
        at = edit.operation === "add_rivers" ? this.riversIn(lines) : lines.length;
      this.write(lines.toSpliced(at, 0, writeLine(edit, this.name)), text);
      if (!this.tool) this.pick(this.edits.findIndex(({ line }) => line === at));
      if (edit.operation === "add_places") this.begunTown();
    } catch (error) {
      notice(error.message, { bad: true });
    }
  }
  // It is seen among the map's places. A finger's keyboard would cover it.
  begunTown() {
    const { look } = this.app;
    if (!look.places) look.turnPlaces(true);
    if (matchMedia("(pointer: fine)").matches) this.fields.querySelector("#edit-name")?.focus();
  }
  riversIn(lines) {
    return 1 + lines.findLastIndex(line => readLine(line, this.name)?.operation === "add_rivers");
  }
  write(lines, text = this.text) {
    const changed = withLines(text, this.name, lines);
    if (changed !== this.text) this.app.recipe.setText(changed);
    this.take();
  }
  pick(i) {
    this.chosen = i;
    this.choose(null);
  }
  copyLines() {
    copy(this.edits.map(({ text }) => text).join("\n"), this.edits.length === 1 ? "The line" : "The lines");
  }
  // Goes to where an edit is, so near that it fills a good part of the view.
  show(edit) {
    const { camera, result, stage } = this.app,
      { place, side } = this.places.around(edit.points),
      width = edit.shape === "along" ? (edit.values.width ?? 0) / metresOf(result) : 0,
      pixels = Math.min(stage.width, stage.height) * SHARE,
      zoom = side + width > 0 ? Math.log2(pixels / UNIT / (side + width)) : camera.view.zoom;
    camera.fly({ ...camera.view, ...place, zoom });
  }

  // Whether a ground that was drawn of one text looks the same for this one at a node, and the first level on which any
  // differs; null where it may differ all over.
  unreached(before, after, result) {
    const [old, now] = [before, after].map(text => (text === this.made?.from ? this.made.to : text)),
      [lines, next] = [old, now].map(text => text && this.name && blockOf(text, this.name)?.lines);
    if (!lines || !next) return null;
    const [head, foot] = aroundLines(now, this.name),
      around = aroundLines(old, this.name);
    if (around[0] !== head || around[1] !== foot || MORE.test(foot)) return null;
    const reaches = changedReaches(lines, next, this.name, edit => this.reachOf(edit));
    return reaches && { isSame: node => !isReached(node, reaches), first: firstLevel(reaches) };
  }

  reachOf(edit) {
    const side = metresOf(this.app.result);
    return this.isGlobe ? capOf(edit, Math.PI * side) : reachOf(edit, side);
  }

  // --- what is seen at once ---------------------------------------------------------------------------------------

  // Of the edits that a ground does not show yet: what is drawn or moved now, and what is on its way.
  formsFor(ground, view) {
    const isShown = ground === this.app.stage.grounds.at(-1) && ground.result?.name === this.of;
    if (!this.on || !isShown || !ground.anchor?.tile || !ground.drawnOf) return null;
    const forms = [...this.pending(ground.drawnOf.text), ...this.drawnNow().map(edit => [edit, false])]
      .map(([edit, goes]) => formOf(edit, goes, metresOf(this.app.result) * usualShare(edit)))
      .filter(Boolean);
    if (!forms.length) return null;
    const scale = 2 ** view.zoom,
      { centre } = ground.anchor.tile,
      heights = points => points.map(point => ground.heightAt(this.placeOf(point), view.zoom));
    return this.forms.uniforms(forms, view, {
      round: this.isGlobe,
      pointAt: point => this.app.stage.space.pointAt(view, this.placeOf(point), 0),
      altitudeAt(points, altitude) {
        const all = altitude === undefined ? heights(points) : [altitude - centre];
        return all.includes(null)
          ? null
          : (all.reduce((sum, each) => sum + each, 0) / all.length - ground.datum) * scale;
      },
      metre: scale / metresOf(this.app.result),
      tall: scale,
    });
  }
  // [edit, whether it goes] of what differs between a ground's text and that of now.
  pending(shown) {
    const { pull, error } = this,
      from = shown === this.made?.from ? this.made.to : shown,
      now = this.text === this.made?.from ? this.made.to : this.text;
    if (!this.name || (!pull && (from === now || error))) return []; // where one fails, the map stays as it is
    const lines = blockOf(now, this.name)?.lines;
    if (!lines) return [];
    const next = pull ? lines.with(pull.line, writeLine(pull.edit, this.name)) : lines,
      found = differences(from, withLines(now, this.name, next), this.name);
    return found
      ? [...found.removed.map(edit => [edit, true]), ...found.added.map(edit => [edit, false])]
      : [];
  }
  // The edit that would be if the pointer were released now.
  drawnNow() {
    const { press, tool } = this;
    if (!tool || !press?.moved) return [];
    const [, shape, make] = TOOLS[tool],
      isOutline = shape === "outline";
    if (shape === "spot") return [];
    if (shape === "place") {
      const point = this.digitsAt(press.at);
      return point ? [make(this.radiusOf(press))([point])] : [];
    }
    const path = simplified(this.drawnPath(press.path, shape), 2, MOST)
        .map(pixel => this.digitsAt(pixel))
        .filter(Boolean),
      points = shape === "brush" ? path : [...this.points, ...path].slice(0, MOST);
    if (points.length < (isOutline ? 3 : shape === "brush" ? 1 : 2)) return [];
    const width = shape === "brush" ? this.brushWidth : this.usualWidth;
    return [make(width, this.rivers, this.brush.height)(points)];
  }
  // Of a place that is dragged out, the width in metres.
  radiusOf({ at, path }) {
    const radius = Math.hypot(...path.at(-1).map((value, i) => value - at[i]));
    return round(2 * radius * this.pixelMetres);
  }

  // --- drawing -----------------------------------------------------------------------------------------------

  choose(tool) {
    this.tool = tool === this.tool ? null : tool;
    this.points = [];
    this.press = this.pull = null;
    if (this.tool) this.chosen = -1;
    document.body.classList.toggle("drawing", Boolean(this.tool));
    this.tell();
    if (this.tool) this.app.canvas.focus({ preventScroll: true });
  }
  // Of the ground under a pixel, where that is tilted, too.
  placeAt(pixel) {
    const { camera, stage } = this.app;
    let at = pixel,
      place;
    for (let i = 0; i < (camera.view.tilt ? 6 : 1); i++) {
      place = camera.placeOf(at);
      const seen = camera.view.tilt && place && stage.pixelAt(camera.view, place);
      if (!seen) break;
      at = at.map((value, k) => value + pixel[k] - seen[k]);
    }
    return place;
  }
  digitsAt(pixel) {
    const place = this.placeAt(pixel);
    return place ? this.places.digitsAt(place, this.app.camera.view.zoom) : null;
  }
  get isGlobe() {
    return this.app.result.faces > 1;
  }
  get places() {
    return this.isGlobe ? globePlaces : flatPlaces;
  }
  placeOf(point) {
    if (!known.has(point)) known.set(point, this.places.placeAt(point));
    return known.get(point);
  }
  // null where the planet hides it.
  pixelOf(point) {
    const { camera, stage } = this.app,
      { view } = camera;
    const place = this.placeOf(point),
      frame = this.frame ?? stage.frame(view),
      at = stage.space.pointAt(view, place, 0);
    if (this.isGlobe && isHidden(frame.eye, at, radius(view.zoom))) return null;
    return view.tilt ? stage.pixelAt(view, place, frame) : pixelOf(frame, at);
  }
  get pixelMetres() {
    return metresOf(this.app.result) / (UNIT * 2 ** this.app.camera.view.zoom);
  }
  get usualWidth() {
    const { width, height } = this.app.stage;
    return round((Math.min(width, height) / (PARTS[this.tool] ?? 6)) * this.pixelMetres);
  }

  get brushWidth() {
    return round(this.brush.pixels * this.pixelMetres);
  }

  isAt(pixel, point, near) {
    const at = point && this.pixelOf(point);
    return Boolean(at) && Math.hypot(at[0] - pixel[0], at[1] - pixel[1]) < near;
  }
  canEnd() {
    return this.tool && this.points.length >= (TOOLS[this.tool][1] === "outline" ? 3 : 2);
  }
  // A click, or Enter, at a pixel.
  mark(pixel, near = NEAR) {
    const [, shape] = TOOLS[this.tool],
      { points } = this,
      point = this.digitsAt(pixel);
    if (!point) return;
    if (shape === "place" || shape === "spot") return this.end([point]);
    if (shape === "brush") return this.end([point], this.brushWidth);
    if (this.isAt(pixel, points.at(-1), near) || (shape === "outline" && this.isAt(pixel, points[0], near))) {
      if (this.canEnd()) this.end();
      return;
    }
    this.points = [...points, point];
    this.tell();
  }
  end(points = this.points, width = this.usualWidth) {
    const [, shape, make] = TOOLS[this.tool];
    if (this.tool === "river" || this.tool === "canal") points = this.endedAtSea(points);
    this.ended = performance.now();
    this.points = [];
    if (shape !== "brush") this.choose(null);
    this.add(make(width, this.rivers, this.brush.height, peopleFor(this.pixelMetres))(points.slice(0, MOST)));
  }
  // A line of water ends a little beyond the first shore that the map shows, wherever it was drawn to from there.
  endedAtSea(points) {
    const ground = this.app.stage.grounds.at(-1),
      { zoom } = this.app.camera.view,
      pixels = points.map(point => this.pixelOf(point));
    const isSea = pixel => {
      const place = this.placeAt(pixel);
      return (
        place &&
        ground.known(place, zoom).altitude < (ground.sea ?? -Infinity) &&
        !this.islandsAround(this.places.digitsAt(place, zoom)).length // which may not have come yet
      );
    };
    if (!pixels.every(Boolean)) return points;
    let dry = false, // whether any of it was
      wet = 0; // pixels of sea since then
    for (let i = 1; i < pixels.length; i++) {
      const [from, to] = [pixels[i - 1], pixels[i]],
        steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / SHORE);
      for (let k = 0; k < steps; k++) {
        const at = from.map((value, j) => value + ((to[j] - value) * k) / steps),
          sea = isSea(at);
        dry ||= !sea;
        wet = sea && dry ? wet + SHORE : 0;
        if (wet < STRAIT) continue;
        const end = this.digitsAt(at);
        return end ? [...points.slice(0, i), end] : points;
      }
    }
    return points;
  }
  // Of rivers: whether one is of the coarsest level, eight of its cells long or longer, and not on a drawn island, which
  // that level does not have; and how wide one may be that is not.
  rivers = {
    isLong: points =>
      this.places.lengthOf(points) >= 8 / this.coarsestCells && !this.islandsAround(points[0]).length,
    // A river enters the level on which it is one to two cells wide: one after that of the island, which is the first one
    // after the coarsest, or a finer one.
    widest: points => {
      const side = metresOf(this.app.result) * (this.isGlobe ? Math.PI : 1),
        cells = this.islandsAround(points[0]).map(edit =>
          Math.max(2 * this.coarsestCells, 2 ** (this.reachOf(edit).depth + (this.isGlobe ? FACES : 0))),
        );
      return round((0.9 * side) / Math.max(this.coarsestCells, ...cells));
    },
  };
  get coarsestCells() {
    return this.isGlobe ? 512 : 256;
  }
  islandsAround(point) {
    return this.edits
      .map(({ edit }) => edit)
      .filter(
        edit =>
          point &&
          edit?.operation === "coast" &&
          edit.values.kind !== "sea" &&
          isInside(point, edit.points, this.isGlobe),
      );
  }

  onpointerdown(event) {
    if (!this.tool || event.button) return;
    const { camera } = this.app;
    if (this.press && event.pointerType === "touch") {
      // Two fingers move the map
      camera.onpointerdown(this.press.event);
      this.press = null;
      return this.follow();
    }
    if (event.shiftKey || event.ctrlKey) return;
    event.stopImmediatePropagation();
    this.app.canvas.setPointerCapture(event.pointerId);
    const at = camera.at(event);
    this.press = { event, at, path: [at], moved: false };
  }
  onpointermove(event) {
    if (!this.tool) return;
    const at = this.app.camera.at(event),
      { press } = this;
    this.hovered = event.pointerType === "touch" ? null : at;
    if (press?.event.pointerId === event.pointerId) {
      event.stopImmediatePropagation();
      press.moved ||= Math.hypot(at[0] - press.at[0], at[1] - press.at[1]) > MOVED;
      press.path.push(at);
      this.app.stage.wake(); // which shows what is drawn
    }
    this.follow();
  }
  onpointerup(event) {
    const { press } = this;
    if (!this.tool || press?.event.pointerId !== event.pointerId) return;
    event.stopImmediatePropagation();
    this.press = null;
    const [, shape] = TOOLS[this.tool];
    if (!press.moved) return this.mark(press.at, event.pointerType === "touch" ? FINGER : NEAR);
    if (shape === "spot") return this.mark(press.path.at(-1));
    if (shape === "place") {
      const point = this.digitsAt(press.at);
      return point && this.end([point], this.radiusOf(press));
    }
    const path = simplified(this.drawnPath(press.path, shape), 2, MOST - this.points.length)
      .map(pixel => this.digitsAt(pixel))
      .filter(Boolean);
    if (shape === "brush") return path.length && this.end(path, this.brushWidth);
    this.points = [...this.points, ...path];
    if (this.canEnd()) this.end();
    else this.tell();
  }
  // Without the ends of an outline that come back to its first corner.
  drawnPath(path, shape) {
    const first = this.points.length ? this.pixelOf(this.points[0]) : path[0],
      isBack = at => first && Math.hypot(at[0] - first[0], at[1] - first[1]) < FINGER;
    if (shape !== "outline" || path.every(isBack)) return path;
    return path.slice(0, path.findLastIndex(at => !isBack(at)) + 1);
  }
  onpointercancel(event) {
    if (this.press?.event.pointerId === event.pointerId) this.press = null;
  }
  // The second click that ended a line is none of the map's.
  ondblclick(event) {
    if (this.tool || performance.now() - this.ended < AGAIN) event.stopImmediatePropagation();
  }
  // A click on the map, where no tool is chosen.
  click(pixel, event) {
    if (this.tool && !event) this.mark(pixel);
    else if (!this.tool) this.pick(-1);
  }

  key(event) {
    const typing = event.target.closest?.("input:not([type=range]), select, textarea, dialog, #editor");
    if (!this.on || typing || get("dialog").open) return;
    const does = {
      Escape: () => this.leave(),
      Delete: () => this.remove(),
      Backspace: () => this.removeLast(),
    }[event.key];
    if (!does || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    does();
  }
  leave() {
    if (this.press || this.points.length) {
      this.press = null;
      this.points = [];
      this.tell();
    } else if (this.tool) this.choose(null);
    else if (this.chosen >= 0) this.pick(-1);
    else this.turn(false);
  }
  removeLast() {
    if (!this.points.length) return this.remove();
    this.points = this.points.slice(0, -1);
    this.tell();
  }

  // --- what lies over the map --------------------------------------------------------------------------------

  // Called at each frame.
  follow() {
    const { drawing, app } = this;
    if (!this.on || !app.camera.view) return drawing.replaceChildren();
    this.frame = app.stage.frame(app.camera.view); // for all points
    const few = this.edits.length <= FEW || app.camera.still; // while the view moves
    const parts = this.edits.flatMap(({ edit, line }, i) => {
      const now = this.pull?.line === line ? this.pull.edit : edit;
      return now && (few || i === this.chosen) ? this.drawnEdit(now, i) : [];
    });
    drawing.replaceChildren(...parts, ...this.drawnDraft());
    this.frame = null;
  }
  // In pixels.
  widthOf(edit) {
    return (edit.values.width ?? metresOf(this.app.result) * usualShare(edit)) / this.pixelMetres;
  }
  shapeOf(edit, pixels, more) {
    const d = "M" + pixels.map(([x, y]) => x.toFixed(1) + " " + y.toFixed(1)).join("L");
    if (edit.shape === "outline") return [drawn("path", { d: d + "Z", class: "area", ...more })];
    if (edit.operation === "add_places") return this.townAt(pixels[0], edit.values.name ?? "");
    const width = Math.min(this.widthOf(edit), 4000);
    // A line without a length has round ends, which are a disc
    const foot = {
      d: pixels.length > 1 ? d : d + "h.01",
      class: "foot",
      "stroke-width": width.toFixed(1),
      ...more,
    };
    return [drawn("path", foot), ...(pixels.length > 1 ? [drawn("path", { d, class: "middle" })] : [])];
  }
  townAt([cx, cy], name) {
    const text = drawn("text", { x: cx + 9, y: cy + 4 });
    text.textContent = name;
    return [drawn("circle", { cx, cy, r: 5.5, class: "town" }), text];
  }
  drawnEdit(edit, i) {
    const pixels = edit.points.map(point => this.pixelOf(point));
    const chosen = i === this.chosen;
    if (!pixels.every(Boolean) || !(chosen || this.isSeen(edit, pixels))) return [];
    const bad = this.edits[i].line === this.error?.line;
    const parts = this.shapeOf(edit, pixels, {});
    parts[0].onpointerdown = event => this.grab(event, i, null);
    const group = drawn("g", {
      class: [chosen && "chosen", bad && "bad", this.tool && "idle"].filter(Boolean).join(" "),
    });
    group.append(...parts);
    if (chosen && !this.tool) {
      pixels.forEach((pixel, k) =>
        group.append(this.handle(pixel, "point", event => this.grab(event, i, k))),
      );
      if (edit.shape === "along" && this.widthOf(edit) > 0) {
        const [x, y] = pixels[0],
          [right, down] = beside(pixels).map(share => share * this.handleAt(edit));
        group.append(this.handle([x + right, y + down], "width", event => this.grab(event, i, "width")));
      }
    } else if (pixels.length === 1 && edit.operation !== "add_places")
      group.append(drawn("circle", { cx: pixels[0][0], cy: pixels[0][1], r: 3 }));
    return [group];
  }
  // Pixels from the first point to the handle of the width.
  handleAt(edit) {
    return Math.max(this.widthOf(edit) / 2, APART);
  }
  isSeen(edit, pixels) {
    const { width, height } = this.app.stage,
      room = edit.shape === "along" ? this.widthOf(edit) / 2 : 0,
      [xs, ys] = [0, 1].map(k => pixels.map(pixel => pixel[k]));
    const side = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) + 2 * room;
    return (
      (side > SMALL || edit.operation === "add_places") &&
      Math.min(...xs) - room < width &&
      Math.max(...xs) + room > 0 &&
      Math.min(...ys) - room < height &&
      Math.max(...ys) + room > 0
    );
  }
  handle([x, y], kind, onpointerdown) {
    const made = drawn("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 6, class: "handle " + kind });
    made.onpointerdown = onpointerdown;
    return made;
  }
  drawnDraft() {
    if (!this.tool) return [];
    const [, shape, make] = TOOLS[this.tool],
      { press } = this;
    if (shape === "place") {
      if (!press?.moved) return [];
      const radius = Math.hypot(...press.path.at(-1).map((value, i) => value - press.at[i]));
      return [drawn("circle", { cx: press.at[0], cy: press.at[1], r: radius.toFixed(1), class: "draft" })];
    }
    if (shape === "brush") return this.drawnBrush();
    if (shape === "spot") return this.drawnSpot();
    const marked = this.points.map(point => this.pixelOf(point)).filter(Boolean),
      more = press?.moved ? press.path : this.hovered && marked.length ? [this.hovered] : [],
      pixels = [...marked, ...more];
    if (!pixels.length) return [];
    const edit = make(this.usualWidth, this.rivers)(this.points);
    const parts = pixels.length > 1 ? this.shapeOf(edit, pixels, {}) : [];
    const group = drawn("g", { class: "draft" }, ...parts);
    for (const [cx, cy] of marked) group.append(drawn("circle", { cx, cy, r: 4 }));
    return [group];
  }

  drawnSpot() {
    const at = this.press?.path.at(-1) ?? this.hovered;
    return at ? [drawn("g", { class: "draft" }, ...this.townAt(at, ""))] : [];
  }
  drawnBrush() {
    const { press } = this,
      at = press?.path.at(-1) ?? this.hovered,
      d = press?.moved && "M" + press.path.map(([x, y]) => x.toFixed(1) + " " + y.toFixed(1)).join("L"),
      r = (this.brush.pixels / 2).toFixed(1);
    const stroke = d ? [drawn("path", { d, class: "foot", "stroke-width": this.brush.pixels })] : [];
    const ring = at ? [drawn("circle", { cx: at[0], cy: at[1], r, class: "draft" })] : [];
    return stroke.length + ring.length ? [drawn("g", { class: "draft" }, ...stroke, ...ring)] : [];
  }

  // Moves a point, the width, or all of an edit (k: null), as the pointer moves.
  grab(event, i, k) {
    if (this.tool || event.button) return;
    event.preventDefault();
    if (this.chosen !== i) this.pick(i);
    const { camera } = this.app,
      { edit, line } = this.edits[i];
    const begun = camera.at(event),
      pixels = edit.points.map(point => this.pixelOf(point));
    const svg = this.drawing;
    svg.setPointerCapture(event.pointerId);
    let moved = false;
    const to = at => {
      const way = at.map((value, j) => value - begun[j]);
      if (k === "width") {
        const radius = Math.hypot(at[0] - pixels[0][0], at[1] - pixels[0][1]),
          width = this.widthOf(edit) * this.pixelMetres;
        return this.with({ values: { width: round((width * radius) / this.handleAt(edit)) } });
      }
      const points = edit.points.map((point, j) =>
        k === null || k === j ? (this.digitsAt(pixels[j].map((value, n) => value + way[n])) ?? point) : point,
      );
      return this.with({ points });
    };
    const move = pointer => {
      const at = camera.at(pointer);
      moved ||= Math.hypot(at[0] - begun[0], at[1] - begun[1]) > MOVED;
      if (!moved) return;
      this.pullTo({ line, edit: to(at) });
    };
    const stop = pointer => {
      svg.removeEventListener("pointermove", move);
      svg.removeEventListener("pointerup", stop);
      svg.removeEventListener("pointercancel", stop);
      this.letGo(pointer.type === "pointerup" ? this.pull?.edit : null);
      this.follow();
    };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", stop);
    svg.addEventListener("pointercancel", stop);
  }
}
