// The explorer: it makes the parts of the page, hands on what the server says to each, and draws each frame.
// Parts know each other only by it; its own methods are what tests and scripts use, too.

import { AddressBar, MADE_OTHERWISE } from "./addressbar.js";
import { getJSON, post } from "./api.js";
import { listen, sent, world } from "./ask.js";
import { Camera } from "./camera.js";
import { Comparison } from "./comparison.js";
import { get, notice } from "./dom.js";
import { Inspector } from "./inspect.js";
import { Look } from "./look.js";
import { Names } from "./names.js";
import { Places } from "./places.js";
import { Readout } from "./readout.js";
import { Recipe } from "./recipe.js";
import { Ruler } from "./ruler.js";
import { Runs } from "./runs.js";
import { Shown } from "./shown.js";
import { Stage } from "./stage.js";
import { Tools } from "./tools.js";
import { factorOf } from "./view.js";

const begun = getJSON("api/state"); // while the renderer starts
begun.catch(() => {}); // told where it is awaited
await sent; // the renderer keeps the page from sending it

const tellFault = error => notice(error.message, { bad: true });

class Explorer {
  constructor() {
    this.canvas = get("map");
    this.stage = new Stage(this.canvas);
    this.camera = new Camera(this.canvas, this.stage);
    this.adopting = 0;
    this.runs = new Runs(this);
    this.recipe = new Recipe(this);
    this.look = new Look(this.stage, () => this.restyle());
    this.shown = new Shown(this);
    this.addressBar = new AddressBar(this);
    this.places = new Places(this);
    this.inspector = new Inspector(this);
    this.names = new Names(this);
    this.comparison = new Comparison(this);
    this.ruler = new Ruler(this);
    this.readout = new Readout(this);
    this.stage.onframe = seconds => this.onframe(seconds);
    this.camera.whole = () => this.camera.fly(this.whole());
    addEventListener("resize", () =>
      this.tools.keepWhole(() => {
        this.stage.resize();
        this.tools.makeRoom();
      }),
    );
  }
  get values() {
    return this.recipe.values;
  }
  get result() {
    return this.shown.result;
  }
  get ground() {
    return this.shown.ground;
  }
  get zoom() {
    return factorOf(this.camera.view.zoom, this.stage.width, this.stage.height);
  }

  // --- the server's state ----------------------------------------------------------------------------------

  async start() {
    this.stage.resize();
    this.tools = new Tools(this);
    const asked = this.addressBar.read(location.hash),
      state = await begun;
    if (state.static) {
      document.body.classList.add("static");
      get("parameters").querySelector(".params").inert = true;
    } else this.listen();
    const others = this.addressBar.begin(asked, state);
    this.recipe.values = { ...state.values };
    const drawn = others ? await this.withValues(state, others) : state;
    this.addressBar.arrive(asked, drawn);
    await this.adopt(drawn);
  }
  async withValues(state, values) {
    if (state.static) {
      notice(MADE_OTHERWISE, { bad: true });
      return state;
    }
    this.recipe.values = values;
    return post("api/run", { page: this.runs.page, params: this.recipe.values }).catch(error => ({
      ...state,
      error,
    }));
  }
  listen() {
    listen({
      changed: state => {
        this.unread?.remove();
        this.recipe.takeFile(state);
        if (this.recipe.hasValuesOf(state)) this.adopt(state).catch(tellFault);
        // It was run with those of another page; a file that is saved again tells so
        else this.run({ text: state.recipe.text, again: false });
      },
      unread: ({ message }) => {
        this.unread?.remove();
        this.unread = notice(message + "; what was drawn stays", { bad: true, seconds: 0 });
      },
      log: ({ generation, text }) => this.recipe.addToLog(generation, text),
      progress: ({ name, share }) => this.runs.tellProgress(name, share),
      lost: (text = "The server does not answer. Is esker explore still running?") => {
        this.lost = notice(text, {
          bad: true,
          seconds: 0,
        });
      },
      found: () => {
        this.lost?.remove();
        this.run({});
      },
    });
  }
  // What an older run gave may come after what a newer one did.
  async adopt(state, { preview = false, draft = false } = {}) {
    if (state.generation < this.state?.generation || (draft && state.error)) return;
    this.adopting++;
    try {
      await (draft ? this.shown.take((this.state = state)) : this.take(state, preview));
    } finally {
      this.adopting--;
      if (this.camera.view) this.addressBar.tell();
    }
  }
  async take(state, preview) {
    const name = state.recipe.name.replace(/.*\//, "");
    this.state = state;
    get("name").textContent = name;
    get("name").title = state.recipe.name;
    document.title = name + " · Esker";
    this.recipe.take(state, preview);
    world?.take(state.recipe.text);
    if (state.error) return this.shown.tellFailed(state); // what was drawn stays
    await this.shown.take(state, preview);
    this.inspector.askAgain();
  }

  // --- the frame -------------------------------------------------------------------------------------------

  onframe(seconds) {
    const { camera, stage } = this;
    if (!camera.view || (!stage.grounds.length && !stage.incoming)) return;
    const moving = camera.advance(seconds);
    stage.settings.contourLines = this.look.contours;
    stage.pace(moving, seconds);
    stage.draw(camera.view, seconds, camera.speed);
    if (!this.first && stage.grounds[0]?.drawn?.length) {
      this.first = performance.now();
      performance.mark("first picture");
    }
    if (moving) stage.wake();
    this.canvas.setAttribute("aria-busy", String(moving || stage.busy));
    get("busy").hidden = !this.runs.running && !stage.busy;
    this.readout.tellView();
  }
  restyle() {
    if (this.ground) this.shown.dress();
    if (this.camera.view) this.addressBar.tell();
    this.stage.wake();
  }
  wear(look) {
    this.look.wear(look);
    this.restyle();
  }
  isSettled() {
    const still = this.canvas.getAttribute("aria-busy") === "false" && !this.stage.drawing;
    return still && !this.runs.running && !this.adopting;
  }
  async settled() {
    do await new Promise(done => requestAnimationFrame(done));
    while (!this.isSettled());
  }

  // --- what parts ask of each other ------------------------------------------------------------------------

  run(wish) {
    return this.runs.run(wish);
  }
  setParameter(name, value, dragging) {
    this.recipe.setParameter(name, value, dragging);
  }
  choose(name) {
    this.shown.choose(name);
  }
  compare(on) {
    return this.comparison.turn(on);
  }
  whole() {
    return this.shown.whole();
  }
  address(words) {
    return this.addressBar.address(words);
  }
  visit(address, how) {
    this.addressBar.visit(address, how);
  }
  go(address, how) {
    this.addressBar.go(address, how);
  }
  goTo(place) {
    this.addressBar.goTo(place);
  }
  path(address) {
    return this.addressBar.path(address);
  }
  drawNow() {
    this.stage.draw(this.camera.view, 0, 0);
  }
  async picture() {
    const { picture } = await import("./export.js");
    return picture(this);
  }
  fileName() {
    return (this.result?.name ?? "map") + "-" + String(Number(this.zoom.toPrecision(2))).replace("+", "");
  } // the zoom that is shown
}

try {
  const explorer = (globalThis.explorer = new Explorer());
  const away = { name: "Start page", run: () => location.assign("index.html") }; // there is nothing to do here
  explorer
    .start()
    .catch(error => notice(error.message, { bad: true, seconds: 0, action: world ? away : undefined }));
} catch (error) {
  notice("Nothing can be drawn: " + error.message, { bad: true, seconds: 0 });
}
