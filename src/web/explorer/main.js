// The explorer: what the server's state and the user's choices make of the page.
import { fromDigits, magnification, readAddress, toDigits, writeAddress } from "./address.js";
import { getJSON, listen, post } from "./api.js";
import { Camera } from "./camera.js";
import { pictureOf, rampOf, standard } from "./colour.js";
import { ask, brief, copy, copyable, download, element, get, notice } from "./dom.js";
import { exportDialog, picture } from "./export.js";
import { Ground } from "./ground.js";
import { Inspector } from "./inspect.js";
import { getLines } from "./lines.js";
import { labelsOf, Look } from "./look.js";
import { getMesh, MeshGround } from "./mesh.js";
import { Panel, randomSeed, showScores } from "./panel.js";
import { Places } from "./places.js";
import { FieldTiles, getCells, ServerTiles } from "./source.js";
import { Stage } from "./stage.js";
import { factorOf, flight, levelOf, limited, wholeView, wholeZoom } from "./view.js";

const begun = getJSON("api/state"); // while the renderer starts
begun.catch(() => {}); // told where it is awaited
const drawable = result => !["number", "text"].includes(result.kind);
const isLines = result => ["network", "points"].includes(result?.kind);
const paper = { src: new Uint8Array([244, 241, 232, 255]), width: 1, height: 1 };
const isHeight = result => ["map", "field"].includes(result.kind);
const PREVIEW = 256, FULL = 1024;

class Explorer {
  constructor() {
    this.canvas = get("map");
    this.stage = new Stage(this.canvas);
    this.camera = new Camera(this.canvas, this.stage);
    this.values = {};   // of the parameters, where the user has set them
    this.undone = [];
    this.done = [];
    this.adopting = 0;
    this.panel = new Panel((name, value, dragging) => this.setParameter(name, value, dragging));
    this.look = new Look(this.stage, () => this.restyle());
    this.places = new Places(this);
    this.inspector = new Inspector(this);
    this.stage.onframe = seconds => this.onframe(seconds);
    this.camera.whole = () => this.camera.fly(this.whole());
    this.camera.clicked = at => this.click(at);
    this.camera.hovered = at => { this.pointer = at; this.tellPlace(); };
    addEventListener("resize", () => { this.stage.resize(); this.makeRoom(); });
    addEventListener("hashchange", () => this.readHash());
  }

  async start() {
    this.stage.resize();
    this.wire();
    const asked = this.read(location.hash);
    let state = await begun;
    if (state.static) {
      document.body.classList.add("static");
      get("parameters").querySelector(".params").inert = true;
    } else this.listen();
    const known = new Set(state.params.map(param => param.name));
    const unknown = Object.keys(asked.params).filter(name => !known.has(name));
    for (const name of unknown) delete asked.params[name];
    this.tellUnread([...asked.unread, ...unknown.map(name => "p." + name)]);
    if (asked.recipe && state.recipe.hash && asked.recipe !== state.recipe.hash)
      notice(`The address is of another recipe or another version of it (${asked.recipe.slice(0, 8)}…); here is its place in this one`, { bad: true });
    this.asked = asked;
    this.values = { ...state.values };
    const typed = this.typed(state.params, asked.params);
    const others = Object.entries(typed).some(([name, value]) => String(value) !== String(state.params.find(param => param.name === name).value ?? ""));
    if (others && state.static) notice("This page was made with other parameters than its address names; here are its own", { bad: true });
    else if (others) {
      Object.assign(this.values, typed);
      state = await post("api/run", { params: this.values }).catch(error => ({ ...state, error }));
    }
    await this.adopt(state);
  }
  listen() {
    listen({
      changed: state => { this.adopt(state).catch(error => notice(error.message, { bad: true })); notice("The recipe was saved: drawn again"); },
      error: error => notice(error.message, { bad: true }),
      log: ({ generation, text }) => { if (generation >= (this.state?.generation ?? 0)) this.tellLog(this.output.textContent + text); },
      progress: ({ name, share }) => this.tellProgress(name, share),
      lost: () => { this.lost = notice("The server does not answer. Is esker explore still running?", { bad: true, seconds: 0 }); },
      found: () => { this.lost?.remove(); this.run({}); },
    });
  }
  tellProgress(name, share) {
    get("progress").hidden = !name;
    get("progress").value = share;
    get("progress").title = get("doing").textContent = name ?? "";
  }
  tellLog(text) {
    this.output.textContent = text ?? "";
    this.output.parentElement.hidden = !text;
  }
  typed(params, texts) {
    const values = {};
    for (const param of params) {
      const text = texts[param.name];
      if (text !== undefined) values[param.name] = param.kind === "boolean" ? text === "true" : param.kind === "string" ? text : Number(text);
    }
    return values;
  }
  read(address) {
    const asked = readAddress(address), { width, height } = this.stage;
    return asked.zoom === undefined ? asked : { ...asked, zoom: levelOf(asked.zoom, width, height) };
  }
  get zoom() { return factorOf(this.camera.view.zoom, this.stage.width, this.stage.height); }
  tellUnread(names) {
    if (names.length) notice("Not understood in the address: " + names.join(", "), { bad: true });
  }

  // --- the recipe ---------------------------------------------------------------------------------------------

  setParameter(name, value, dragging) {
    if (!this.dragged) this.remember();
    this.dragged = dragging;
    this.values = { ...this.values, [name]: value };
    this.panel.show(this.state.params, this.values);
    this.run({ preview: dragging });
  }
  remember() {
    this.done.push({ values: this.values, text: this.text });
    this.undone = [];
    if (this.done.length > 200) this.done.shift();
    this.tellUndo();
  }
  undo(from = this.done, to = this.undone) {
    const before = from.pop();
    if (!before) return;
    to.push({ values: this.values, text: this.text });
    this.values = before.values;
    this.tellUndo();
    this.panel.show(this.state.params, this.values);
    this.run({ text: before.text });
  }
  tellUndo() {
    this.undoButton.disabled = !this.done.length;
    this.redoButton.disabled = !this.undone.length;
  }
  // While a preview is computed the newest wish waits: the server need not be stopped for each.
  async run({ preview = false, text = this.text } = {}) {
    const wish = { preview, text };
    if (preview && this.running) {
      this.next = wish;
      return;
    }
    this.next = null;
    this.running?.abort();
    const turn = this.running = new AbortController();
    get("busy").hidden = false;
    try {
      const body = { params: this.values, only: this.wanted ?? this.result?.name };
      if (text !== undefined) body.text = text;
      if (preview) body.preview = PREVIEW;
      await this.adopt(await post("api/run", body, turn.signal), preview);
    } catch (error) {
      if (error.status === 409 && this.running === turn) this.next ??= wish; // one that was aborted came later
      else if (error.name !== "AbortError" && error.status !== 409) notice(error.message, { bad: true });
    } finally {
      if (this.running === turn) {
        this.running = null;
        this.stage.wake();
        this.tellProgress(null, 0);
        if (this.next) this.run(this.next);
      }
    }
  }

  async adopt(state, preview = false) {
    this.adopting++;
    try {
      await this.take(state, preview);
    } finally {
      this.adopting--;
      if (this.camera.view) this.tellAddress();
    }
  }
  async take(state, preview) {
    this.state = state;
    get("name").textContent = state.recipe.name.replace(/.*\//, "");
    get("name").title = state.recipe.name;
    document.title = state.recipe.name.replace(/.*\//, "") + " · Esker";
    this.panel.show(state.params, this.values);
    this.tellError(state.error);
    if (!preview && !this.writing) this.editor?.set(state.recipe.text);
    if (state.error) return; // what was drawn stays
    showScores(this.scores, state.results);
    this.tellLog(state.log);
    const shown = state.results.filter(drawable), wanted = this.wanted ?? this.result?.name ?? this.asked?.result;
    const result = shown.find(each => each.name === wanted) ?? shown.find(isHeight) ?? shown[0];
    this.look.offer(state.palettes ?? standard, shown.filter(each => each !== result && each.kind !== "map" && each.kind !== "mesh").map(each => each.name), result?.kind === "map" && !(result.faces > 1) && !state.static);
    this.tellResults(shown, result);
    if (!result) {
      notice("The recipe returns nothing to draw; its numbers are in the panel");
      return;
    }
    await this.open(result, preview);
  }
  tellError(error) {
    get("error").hidden = !error;
    get("error").textContent = error ? error.message : "";
    this.editor?.problem(error);
  }
  tellResults(shown, current) {
    get("results").replaceChildren(...shown.length < 2 ? [] : shown.map(result => element("button", { role: "radio",
      ariaChecked: String(result === current), onclick: () => this.choose(result.name) }, result.name)));
  }
  choose(name) {
    this.wanted = name;
    if (this.state.static) this.adopt(this.state).catch(error => notice(error.message, { bad: true }));
    else this.run({});
  }

  // Shows a result: its ground takes the place of the one before as soon as it has something to draw.
  async open(result, preview) {
    const before = this.result;
    this.result = result;
    if (result.kind === "map" && this.ground?.source?.world === result.world) return this.dress();
    if (!this.look.ramp) this.look.choose(result.palette ?? "atlas");
    const ground = result.kind === "mesh" ? new MeshGround(await getMesh(this.state.generation, result.name), { painter: this.stage.painter })
      : await this.groundOf(result, preview);
    if (!ground) return;
    ground.result = result;
    this.ground = ground;
    await this.dress();
    const like = before && before.kind === result.kind && !this.asked;
    if (!this.camera.view || !like) this.place(result);
    this.stage.replace(ground, this.comparing);
  }
  // null where another run has taken its place.
  async groundOf(result, preview) {
    const { generation } = this.state;
    let source, settings;
    if (result.kind === "map") {
      source = new ServerTiles(result);
      settings = { deepest: result.zoom_max ?? 91, faces: result.faces ?? 1, sea: result.sea_level ?? 0,
        steepness: result.faces > 1 ? 0.03 : 0.06 };
    } else {
      if (result.width === undefined) Object.assign(result, await getJSON(`api/result/${generation}/${encodeURIComponent(result.name)}`));
      const ask = () => getCells(generation, result.name, preview ? PREVIEW : FULL);
      const cells = result.kind === "field" ? await ask().catch(ask) // once more where its process was just stopped
        : { width: result.width ?? 512, height: result.height ?? 512, low: 0, high: 1, cells: new Float32Array((result.width ?? 512) * (result.height ?? 512)) };
      if (this.state.generation !== generation) return null;
      source = new FieldTiles(cells);
      settings = { deepest: 0, sea: result.sea_level ?? null, quads: 200, steepness: 0.14 / Math.max(cells.high - cells.low, 1e-30) };
    }
    return new Ground(source, { ...settings, painter: this.stage.painter, changed: () => this.stage.wake(),
      problem: error => notice("Tiles: " + error.message, { bad: true }) });
  }
  place(result) {
    const whole = wholeZoom(this.stage.width, this.stage.height);
    const most = result.kind === "map" ? (result.zoom_max ?? 91) + 1.5 : Math.log2(Math.max(result.width ?? 512, result.height ?? 512) / 256) + 5;
    this.camera.limits = { least: Math.min(whole - 1, 0), most, tilt: 80 };
    this.stage.settings.flat = !isHeight(result);
    const { x, y, zoom, tilt, turn, face } = this.asked ?? {};
    this.asked = null;
    const view = this.whole();
    for (const [name, value] of Object.entries({ x, y, zoom, tilt, turn, face })) if (value !== undefined) view[name] = value;
    if (zoom > most) notice("The map ends at zoom " + magnification(factorOf(most, this.stage.width, this.stage.height)).slice(2), { bad: true });
    this.camera.set(view);
  }
  whole() {
    const { width, height, covered: [beside, below] } = this.stage, view = wholeView(width - beside, height - below);
    return this.result?.faces > 1 ? { ...view, face: 1, zoom: view.zoom + 0.15 } : view;
  }

  // What the panel covers: the left of a wide screen, the lower part of a narrow one.
  makeRoom() {
    const open = get("fold").getAttribute("aria-expanded") === "true", box = get("panel").getBoundingClientRect(), narrow = innerWidth <= 640;
    this.stage.covered = narrow ? [0, innerHeight - box.top] : [open ? Math.min(box.right, innerWidth / 2) : 0, 0];
    this.stage.wake();
  }

  // What lies over the ground: another result, or the result itself where it is a picture.
  async dress() {
    const { ground, result, look } = this;
    if (!ground || result?.kind === "mesh") return;
    const name = isHeight(result) ? look.overlay : result.name, over = this.state.results.find(each => each.name === name);
    this.strokeWith(ground, result.kind === "map" ? look.rivers ? result : null : isLines(over) ? over : null);
    look.overSelect.hidden = true;
    if (!name) {
      ground.covered = "";
      return ground.cover(null, 0);
    }
    const key = this.state.generation + "/" + encodeURIComponent(name), field = over?.kind === "field" && over !== result;
    look.overSelect.hidden = !field;
    const covered = key + (field ? look.overPalette : "");
    if (ground.covered !== covered) {
      ground.covered = covered;
      const texture = isLines(over) ? isHeight(result) ? null : this.stage.painter.colours(paper) : field ? await this.layerOf(name) : await this.pictureOf(key, name);
      if (ground.covered === covered) ground.cover(texture, 1);
    }
    ground.shared.opacity = isLines(over) && isHeight(result) ? 0 : isHeight(result) ? look.opacity : 1;
    this.stage.wake();
  }
  async layerOf(name) {
    const stops = this.look.palettes[this.look.overPalette];
    return this.stage.painter.colours(pictureOf(await getCells(this.state.generation, name, FULL), rampOf(stops), stops[0][0] < 0));
  }
  async pictureOf(key, name) {
    const response = await fetch(`api/picture/${key}.png?side=2048`);
    if (!response.ok) {
      notice(name + " has no picture", { bad: true });
      return null;
    }
    return this.stage.painter.picture(await createImageBitmap(await response.blob(), { premultiplyAlpha: "none" }));
  }
  // Lines of a result on the ground: rivers of a map, a network or points.
  strokeWith(ground, over) {
    const key = over ? `${over.world ?? this.state.generation}/${over.name}` : "";
    if ((ground.strokes?.key ?? "") === key) return;
    const base = `api/lines/${over?.world ?? `${this.state.generation}/${encodeURIComponent(over?.name)}`}`;
    const pathOf = ({ face, z, x, y }) => over.kind === "map" ? `${base}?face=${face}&z=${z}&x=${x.toString(16)}&y=${y.toString(16)}&size=256` : base;
    ground.stroke(over && { key, least: 1.3, fetch: (node, signal) => getLines(pathOf(node), signal),
      ink: ({ river }) => [...river.map(value => value * 0.7), over.kind === "points" && isHeight(this.result) ? this.look.opacity : 1] });
  }
  restyle() {
    if (this.ground) this.dress();
    this.stage.wake();
  }

  // --- the view -----------------------------------------------------------------------------------------------

  onframe(seconds) {
    if (!this.camera.view || !this.stage.grounds.length && !this.stage.incoming) return;
    const moving = this.camera.advance(seconds), { stage } = this;
    stage.settings.contourLines = this.look.contours;
    stage.pace(moving, seconds);
    stage.draw(this.camera.view, seconds, this.camera.speed);
    if (!this.first && stage.grounds[0]?.drawn?.length) {
      this.first = performance.now();
      performance.mark("first picture");
    }
    if (moving) stage.wake();
    this.canvas.setAttribute("aria-busy", String(moving || stage.busy));
    get("busy").hidden = !this.running && !stage.busy;
    this.tellView();
  }
  isSettled() { return this.canvas.getAttribute("aria-busy") === "false" && !this.running && !this.adopting && !this.stage.drawing; }
  async settled() {
    do await new Promise(done => requestAnimationFrame(done)); while (!this.isSettled());
  }
  drawNow() { this.stage.draw(this.camera.view, 0, 0); }
  picture() { return picture(this); }
  fileName() { return (this.result?.name ?? "map") + "-" + this.camera.view.zoom.toFixed(1); }

  address() {
    const params = {};
    for (const param of this.state.params) {
      const value = this.values[param.name] ?? param.value ?? param.default;
      if (param.name === "seed" || String(value) !== String(param.default)) params[param.name] = value;
    }
    const several = this.state.results.filter(drawable).length > 1;
    return writeAddress({ view: this.camera.view, zoom: this.zoom, recipe: this.state.recipe.hash, result: several ? this.result?.name : "", params });
  }
  tellAddress() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      this.written = this.address();
      history.replaceState(null, "", this.written);
      if (this.camera.still) this.camera.view = this.told = this.viewOf(this.written); // rounded, so that it is the same picture
      this.stage.wake();
    }, 250);
  }
  viewOf(address) {
    const { x, y, zoom, tilt = 0, turn = 0, face = 0 } = this.read(address), { view } = this.camera;
    return limited({ face, x: x ?? view.x, y: y ?? view.y, zoom: zoom ?? view.zoom, tilt, turn }, this.camera.limits);
  }
  readHash() {
    if (location.hash === this.written || !this.camera.view) return;
    const asked = this.read(location.hash);
    this.tellUnread(asked.unread);
    const values = { ...this.values, ...this.typed(this.state.params, asked.params) };
    if (JSON.stringify(values) !== JSON.stringify(this.values)) {
      this.remember();
      this.values = values;
      this.run({});
    }
    const other = asked.result && asked.result !== this.result?.name && this.state.results.find(result => result.name === asked.result);
    if (other) {
      this.asked = asked; // the place is for that result
      this.choose(other.name);
    } else this.go(location.hash, { at_once: true });
  }
  goTo({ x, y }) { this.camera.fly({ ...this.camera.view, x: fromDigits(String(x)) ?? this.camera.view.x, y: fromDigits(String(y)) ?? this.camera.view.y }); }
  go(address, { at_once = false, done } = {}) {
    const view = this.viewOf(address);
    if (at_once) this.camera.set(view);
    else this.camera.fly(view, done);
  }
  path(address) {
    const path = flight(this.camera.view, this.viewOf(address), this.stage.space);
    return { seconds: Math.min(Math.max(path.length * 0.45, 1), 60), at: share => path.at(share) };
  }

  tellView() {
    const { view } = this.camera, { ground } = this;
    const label = magnification(this.zoom);
    this.inspector.follow();
    const digits = [toDigits(view.x, view.zoom), toDigits(view.y, view.zoom)].map(text => text.length > 14 ? "…" + text.slice(-8) : text);
    get("place").textContent = `${label} · ${digits.join(", ")}${this.under ? " · height " + this.under : ""}`;
    get("tilt").setAttribute("aria-pressed", String(view.tilt > 0));
    get("north").firstElementChild.setAttribute("transform", `rotate(${-view.turn})`);
    const power = Math.floor((Math.log10(110 / 256) - view.zoom * Math.log10(2))), wide = 10 ** (power + view.zoom * Math.log10(2)) * 256;
    const factor = wide * 5 < 120 ? 5 : wide * 2 < 120 ? 2 : 1;
    get("scale").lastElementChild.style.width = wide * factor + "px";
    get("scale").firstElementChild.textContent = brief(factor * 10 ** power, 2) + " of the side";
    if (ground?.range && ground.anchor?.tile && isHeight(this.result)) {
      const { low, high } = ground.range, centre = ground.anchor.tile.centre;
      this.look.tell({ labels: labelsOf(low, high, centre), coast: ground.coast }, ground.heights ?? []);
    } else this.look.tell(null);
    if (view !== this.told) this.tellAddress();
    this.told = view;
  }
  tellPlace() {
    const known = this.pointer && this.heightAt(...this.pointer);
    this.under = known === null || known === undefined ? "" : brief(known, 4);
    if (this.camera.view && this.state) this.tellView();
  }
  placeUnder(x, y) {
    return this.camera.placeOf([x, y]);
  }
  heightAt(x, y) {
    const place = this.camera.view && isHeight(this.result ?? {}) && this.placeUnder(x, y);
    return place ? this.ground?.altitude(place, this.camera.view.zoom)?.absolute ?? null : null;
  }
  async click(at) {
    if (this.measuring) return;
    const place = this.placeUnder(...at), { zoom } = this.camera.view;
    if (!place || !isHeight(this.result)) return;
    const query = new URLSearchParams({ face: place.face, x: toDigits(place.x, zoom), y: toDigits(place.y, zoom), zoom: String(zoom) });
    const target = this.result.kind === "map" ? this.result.world : `${this.state.generation}/${encodeURIComponent(this.result.name)}`;
    this.inspector.place(place, this.ground.known(place, zoom), this.state.static ? null : getJSON(`api/at/${target}?${query}`));
  }

  // --- buttons ------------------------------------------------------------------------------------------------

  wire() {
    const on = (id, run) => { get(id).onclick = run; };
    on("nearer", () => this.camera.zoomBy(1));
    on("further", () => this.camera.zoomBy(-1));
    on("whole", () => this.camera.whole());
    on("tilt", () => this.camera.fly({ ...this.camera.view, tilt: this.camera.view.tilt ? 0 : 58 }));
    on("north", () => this.camera.fly({ ...this.camera.view, turn: 0 }));
    on("measure", () => this.measure(!this.measuring));
    on("compare", () => this.compare(!this.comparing));
    on("export", () => exportDialog(this));
    on("help", () => this.help());
    on("place", () => copy(location.href.replace(/#.*/, "") + this.address(), "The address"));
    on("fold", () => this.fold());
    this.wireParameters();
    this.wireTabs();
    this.wireSwipe();
    addEventListener("keydown", event => this.key(event));
    this.canvas.addEventListener("pointerdown", event => this.startLine(event), { capture: true });
    if (innerWidth <= 640) this.fold();
    new ResizeObserver(() => this.makeRoom()).observe(get("panel"));
    this.makeRoom();
  }
  wireParameters() {
    this.scores = element("dl", { className: "scores", hidden: true });
    this.output = element("pre");
    this.undoButton = element("button", { onclick: () => this.undo(), title: "Undo (Ctrl+Z)", disabled: true }, "Undo");
    this.redoButton = element("button", { onclick: () => this.undo(this.undone, this.done), title: "Redo (Ctrl+Y)", disabled: true }, "Redo");
    get("parameters").append(element("div", { className: "row live" }, this.undoButton, this.redoButton,
      element("button", { onclick: () => this.reset() }, "Defaults")),
    element("div", { className: "params sheet" }), this.scores, element("details", { className: "output", hidden: true }, element("summary", {}, "Printed"), this.output),
    element("div", { className: "row" }, element("button", { className: "live", onclick: () => this.save() }, "Save as recipe"),
      element("button", { onclick: () => copy(this.command(), "The command") }, "Copy command")));
  }
  wireTabs() {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    const choose = tab => {
      for (const other of tabs) {
        other.setAttribute("aria-selected", String(other === tab));
        other.tabIndex = other === tab ? 0 : -1;
        get(other.getAttribute("aria-controls")).hidden = other !== tab;
      }
      document.body.classList.toggle("writing", tab.id === "tab-recipe");
      if (tab.id === "tab-recipe") this.openEditor();
      this.stage.wake();
    };
    tabs.forEach((tab, i) => {
      tab.onclick = () => choose(tab);
      tab.onkeydown = event => {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!way) return;
        const next = tabs[(i + way + tabs.length) % tabs.length];
        choose(next);
        next.focus();
      };
    });
  }
  fold() {
    const open = get("fold").getAttribute("aria-expanded") !== "true";
    get("fold").setAttribute("aria-expanded", String(open));
    get("sheets").hidden = !open;
  }
  key(event) {
    const typing = event.target.closest?.("input:not([type=range], [type=checkbox]), select, textarea, #editor, dialog");
    if (typing || event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    const run = command ? { z: () => event.shiftKey ? this.undo(this.undone, this.done) : this.undo(), y: () => this.undo(this.undone, this.done) }[event.key.toLowerCase()]
      : { r: () => this.random(), t: () => get("tilt").click(), n: () => get("north").click(), p: () => this.measure(!this.measuring), c: () => this.compare(!this.comparing),
        m: () => this.canvas.focus(), "?": () => this.help(), Escape: () => { this.measure(false); this.inspector.close(); } }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }
  help() {
    const rows = [["drag, arrows", "move"], ["wheel, pinch, + −, double click", "zoom"], ["right button, Shift + arrows, two fingers", "tilt and turn"],
      ["T, N, Home", "3D, north up, the whole"], ["click, Enter", "what is at a place"], ["P", "profile along a line"], ["C", "compare A and B"],
      ["R", "random seed"], ["Ctrl Z, Ctrl Y", "undo, redo"], ["Ctrl Enter", "in the editor: draw"], ["M", "to the map, from anywhere"]];
    ask("Keys and gestures", element("dl", {}, ...rows.flatMap(([keys, what]) => [element("dt", {}, keys), element("dd", {}, what)])));
  }
  random() {
    if (this.state?.params.some(param => param.name === "seed")) this.setParameter("seed", randomSeed(), false);
    else notice("The recipe has no parameter seed");
  }
  reset() {
    this.remember();
    this.values = Object.fromEntries(this.state.params.map(param => [param.name, param.default]));
    this.panel.show(this.state.params, this.values);
    this.run({});
  }
  command() {
    const quoted = text => /^[\w.,/+-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
    const changed = this.state.params.filter(param => this.values[param.name] !== undefined && String(this.values[param.name]) !== String(param.default));
    return ["esker", quoted(this.state.recipe.name), ...changed.map(param => quoted(param.name + "=" + this.values[param.name]))].join(" ");
  }
  async save() {
    try {
      const saved = await post("api/save", { params: this.values, text: this.text });
      ask("Saved", copyable(saved.path, "The path"), element("p", { className: "dim" }, "The same from the command line:"), copyable(saved.command ?? this.command(), "The command"));
    } catch (error) {
      notice("Not saved: " + error.message, { bad: true });
    }
  }

  async openEditor() {
    if (this.editor || this.opening) return;
    this.opening = true;
    const { openEditor } = await import("./editor.js");
    const place = element("div", { id: "editor" });
    const draw = () => this.run({ text: this.text = this.editor.text() });
    get("recipe").append(place, element("div", { className: "row" }, element("button", { onclick: draw }, "Draw"),
      element("button", { onclick: () => download(this.state.recipe.name.replace(/.*\//, ""), new Blob([this.editor.text()])) }, "Download"),
      element("span", { className: "dim" }, "Edits stay in the page until they are saved as a recipe.")));
    this.editor = openEditor(place, this.state.recipe.text, {
      complete: line => getJSON("api/complete?line=" + encodeURIComponent(line)),
      help: word => getJSON("api/help?word=" + encodeURIComponent(word)),
      run: draw,
      edited: text => {
        clearTimeout(this.typing);
        this.writing = true;
        this.typing = setTimeout(() => {
          this.writing = false;
          if (text !== this.state.recipe.text) this.run({ text: this.text = text });
        }, 700);
      },
    });
    this.editor.problem(this.state.error);
  }

  // --- A and B, and lines across --------------------------------------------------------------------------------

  async compare(on) {
    if (on && !this.ground) return;
    this.comparing = on;
    get("compare").setAttribute("aria-pressed", String(on));
    get("swipe").hidden = !on;
    if (!on) return this.stage.keepLast();
    const { result } = this;
    this.ground = null; // A stays as it is; B is opened anew
    await this.open(result);
    this.setSwipe((this.stage.covered[0] / innerWidth + 1) / 2);
    notice("A stays; what you change now is B");
  }
  setSwipe(share) {
    this.stage.swipe = Math.min(Math.max(share, 0.02), 0.98);
    get("swipe").style.left = this.stage.swipe * 100 + "%";
    get("swipe").setAttribute("aria-valuenow", Math.round(this.stage.swipe * 100));
    this.stage.wake();
  }
  wireSwipe() {
    const handle = get("swipe");
    handle.onpointerdown = event => handle.setPointerCapture(event.pointerId);
    handle.onpointermove = event => { if (handle.hasPointerCapture(event.pointerId)) this.setSwipe(event.clientX / innerWidth); };
    handle.onkeydown = event => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (way) this.setSwipe(this.stage.swipe + way * 0.02);
    };
  }
  measure(on) {
    this.measuring = on;
    document.body.classList.toggle("drawing", on);
    get("measure").setAttribute("aria-pressed", String(on));
    this.hint?.remove();
    if (on) {
      this.inspector.close();
      this.hint = notice("Draw a line across the map");
    }
  }
  startLine(event) {
    if (!this.measuring || event.button) return;
    event.stopImmediatePropagation();
    const from = this.placeUnder(event.clientX, event.clientY);
    if (!from || !isHeight(this.result ?? {})) return;
    this.canvas.setPointerCapture(event.pointerId);
    const draw = done => at => {
      const to = this.placeUnder(at.clientX, at.clientY);
      if (to) this.inspector.line(from, to, done);
    };
    const move = draw(false), end = up => {
      this.canvas.removeEventListener("pointermove", move);
      this.canvas.removeEventListener("pointerup", end);
      draw(true)(up);
      this.measure(false);
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", end);
  }
}

try {
  const explorer = globalThis.explorer = new Explorer();
  explorer.start().catch(error => notice(error.message, { bad: true, seconds: 0 }));
} catch (error) {
  notice("Nothing can be drawn: " + error.message, { bad: true, seconds: 0 });
}
