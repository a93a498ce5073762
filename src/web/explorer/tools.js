// Buttons, tabs and keys: each calls what does it. makeRoom() says to the stage what the panel covers.
import { between } from "./address.js";
import { world } from "./ask.js";
import { ask, copy, element, get, notice } from "./dom.js";

// No letter means anything in a number
const TYPING = "input:not([type=range], [type=checkbox], [type=number]), select, textarea, #editor, dialog";
const COLUMNS = 5; // of buttons, at most
const OWN_KEYS = "#sheets, #inspector, #swipe, input, select, textarea";
const KEYS = [
  ["drag, arrows", "move"],
  ["wheel, pinch, + −, double click", "zoom"],
  ["Page Up, Page Down", "zoom by two levels"],
  ["right button, Shift + arrows, two fingers", "tilt and turn"],
  ["T, N, Home", "3D, north up, the whole"],
  ["click, Enter", "what is at a place"],
  ["P", "profile along a line (Enter marks its ends)"],
  ["C", "compare A and B"],
  ["E", "shape the land"],
  ["R", "random seed"],
  ["Ctrl Z, Ctrl Y", "undo, redo"],
  ["Ctrl Enter", "in the editor: draw"],
  ["M; Escape in a text field", "to the map"],
];

// Whether two views look alike.
const isSame = (a, b) =>
  ["face", "tilt", "turn"].every(name => a[name] === b[name]) &&
  Math.abs(a.zoom - b.zoom) < 1e-3 &&
  ["x", "y"].every(name => Math.abs(between(a[name], b[name], 0)) < 1e-3);

export class Tools {
  // app: canvas, stage, camera, recipe, comparison, ruler, inspector, address(); and what the export needs
  constructor(app) {
    this.app = app;
    this.wireButtons();
    this.wireTabs();
    addEventListener("keydown", event => this.key(event));
    if (innerWidth <= 640) this.fold();
    new ResizeObserver(() => this.keepWhole(() => this.makeRoom())).observe(get("panel"));
    new ResizeObserver(() => this.statusChanged()).observe(get("status"));
    this.makeRoom();
  }
  wireButtons() {
    const { app } = this,
      { camera, comparison, ruler } = app;
    const buttons = {
      nearer: () => camera.zoomBy(1),
      further: () => camera.zoomBy(-1),
      whole: () => camera.whole(),
      tilt: () => camera.fly({ ...camera.view, tilt: camera.view.tilt ? 0 : 58 }),
      north: () => camera.fly({ ...camera.view, turn: 0 }),
      measure: () => ruler.turn(!ruler.on),
      edit: () => this.edit(),
      compare: () => comparison.turn(!comparison.on),
      export: () => this.export(),
      help: () => this.help(),
      place: () => copy(location.href.replace(/#.*/, "") + app.address(), "The address"),
      share: () => world.share(location.href.replace(/#.*/, "") + app.address(world.shared)),
      fold: () => this.fold(),
    };
    for (const [id, run] of Object.entries(buttons)) get(id).onclick = run;
    get("share").hidden = !world;
  }
  // What comes when it is first wanted.
  load(what, begin) {
    return begin().catch(error => notice(`${what} cannot be loaded: ${error.message}`, { bad: true }));
  }
  edit() {
    const { app } = this;
    return this.load("The tools", async () => {
      const { Edits } = await import("./edits.js");
      app.edits ??= new Edits(app);
      app.edits.turn(!app.edits.on);
    });
  }
  export() {
    return this.load("The export", async () => {
      const { exportDialog } = await import("./export.js");
      exportDialog(this.app);
    });
  }
  help() {
    const hasTools = !get("edit").hidden,
      rows = KEYS.filter(([key]) => key !== "E" || hasTools).flatMap(([keys, what]) => [
        element("dt", {}, keys),
        element("dd", {}, what),
      ]);
    ask("Keys and gestures", element("dl", {}, ...rows));
  }

  // --- the panel -------------------------------------------------------------------------------------------

  wireTabs() {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    tabs.forEach((tab, i) => {
      tab.onclick = () => this.choose(tabs, tab);
      tab.onkeydown = event => {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!way) return;
        const next = tabs[(i + way + tabs.length) % tabs.length];
        this.choose(tabs, next);
        next.focus();
      };
    });
  }
  choose(tabs, tab) {
    const writing = tab.id === "tab-recipe";
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      get(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
    document.body.classList.toggle("writing", writing);
    if (writing) this.app.recipe.writing.open();
    this.app.stage.wake();
  }
  // Its texts change all the time, its height with what is told of.
  statusChanged() {
    const { offsetHeight: height } = get("status");
    if (height !== this.statusHeight) this.keepWhole(() => this.makeRoom());
    this.statusHeight = height;
  }
  fold() {
    const open = get("fold").getAttribute("aria-expanded") !== "true";
    get("fold").setAttribute("aria-expanded", String(open));
    get("sheets").hidden = !open;
  }
  // What is seen whole is so after a change of the room for it, too.
  keepWhole(change) {
    const { camera, shown } = this.app,
      whole = shown.result && camera.view && camera.still && isSame(camera.view, shown.whole());
    change();
    if (whole && !isSame(camera.view, shown.whole())) camera.whole();
  }
  // The panel covers the left of a wide screen, or the lower part of a narrow one; the buttons cover the
  // right.
  makeRoom() {
    const { stage } = this.app,
      box = get("panel").getBoundingClientRect();
    const open = get("fold").getAttribute("aria-expanded") === "true",
      narrow = innerWidth <= 640;
    const status = get("status"),
      beside = !narrow && open && box.bottom > status.getBoundingClientRect().top;
    status.style.maxWidth = beside ? `calc(100% - ${Math.ceil(box.right)}px - 2 * var(--gap))` : "";
    const top = narrow ? Math.min(box.top, this.app.edits?.top ?? box.top) : box.top;
    const right = this.arrange(narrow ? top : status.getBoundingClientRect().top);
    stage.covered = narrow ? [0, innerHeight - top, right] : [open ? box.right : 0, 0, right];
    stage.wake();
  }
  // The buttons stand in as few columns as end above this pixel. Gives how much they cover, from the right.
  arrange(end) {
    const tools = get("tools"),
      box = () => tools.getBoundingClientRect();
    for (let columns = 1; columns <= COLUMNS; columns++) {
      tools.dataset.columns = columns;
      if (box().bottom + 6 <= end) break;
    }
    document.body.style.setProperty("--tools", box().width + "px");
    return innerWidth - box().left;
  }

  // --- keys ------------------------------------------------------------------------------------------------

  key(event) {
    const typing = event.target.closest?.(TYPING);
    if (event.key === "Escape" && !get("dialog").open && this.app.places.stop()) return;
    if (event.key === "Escape" && typing && !event.defaultPrevented && !typing.matches("dialog"))
      return this.app.canvas.focus();
    const command = event.ctrlKey || event.metaKey,
      number = event.target.matches?.("input[type=number]");
    if (typing || event.altKey || (command && number)) return; // a number's field undoes by itself
    const run = command ? this.commandOf(event) : this.letterOf(event);
    if (!run) return this.keyOfMap(event);
    event.preventDefault();
    run();
  }
  // The map's keys, wherever nothing that has the focus knows them; Enter presses a button.
  keyOfMap(event) {
    const { canvas, camera } = this.app,
      at = event.target;
    if (
      at === canvas ||
      event.defaultPrevented ||
      get("dialog").open ||
      at.closest?.(OWN_KEYS) ||
      (event.key === "Enter" && at.matches?.("button"))
    )
      return;
    if (camera.view) camera.onkeydown(event);
  }
  commandOf({ key, shiftKey }) {
    const { recipe } = this.app;
    return { z: () => (shiftKey ? recipe.redo() : recipe.undo()), y: () => recipe.redo() }[key.toLowerCase()];
  }
  letterOf({ key, target }) {
    if (key === "e" && target.matches?.("input")) return undefined; // 1e3
    const { canvas, recipe, ruler, comparison, inspector } = this.app;
    return {
      r: () => recipe.random(),
      t: () => get("tilt").click(),
      n: () => get("north").click(),
      p: () => ruler.turn(!ruler.on),
      c: () => comparison.turn(!comparison.on),
      e: () => get("edit").hidden || this.edit(),
      m: () => canvas.focus(),
      "?": () => this.help(),
      Escape: () => {
        ruler.turn(false);
        inspector.close();
      },
    }[key.length > 1 ? key : key.toLowerCase()]; // Caps Lock gives capitals
  }
}
