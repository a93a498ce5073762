// The recipe: values of its parameters and its text, which the user changes, undoes and saves. take(state)
// shows what the server says of it; each change here starts a run.
import { post } from "./api.js";
import { world } from "./ask.js";
import { ask, copy, copyable, download, element, get, notice } from "./dom.js";
import { Panel, randomSeed, showScores } from "./panel.js";
import { Printed } from "./printed.js";
import { changed, commandOf, isSame, taken } from "./values.js";
import { Writing } from "./writing.js";

const MOST_UNDONE = 200;

export class Recipe {
  // app: state, run(…)
  constructor(app) {
    this.app = app;
    this.values = {}; // of the parameters, where the user has set them
    this.text = undefined; // where it was edited here; `unedited` is what it was before
    this.done = [];
    this.undone = [];
    this.printed = new Printed();
    this.writing = new Writing(app, this);
    this.panel = new Panel((name, value, dragging) => this.setParameter(name, value, dragging));
    this.fill(get("parameters"));
  }
  fill(place) {
    const button = (name, onclick, more = {}) => element("button", { onclick, ...more }, name);
    this.scores = element("dl", { className: "scores", hidden: true });
    this.output = element("pre");
    this.undoButton = button("Undo", () => this.undo(), { title: "Undo (Ctrl+Z)", disabled: true });
    this.redoButton = button("Redo", () => this.redo(), { title: "Redo (Ctrl+Y)", disabled: true });
    place.append(
      element(
        "div",
        { className: "row live" },
        this.undoButton,
        this.redoButton,
        button("Defaults", () => this.reset()),
      ),
      element("div", { className: "params sheet" }),
      this.scores,
      element(
        "details",
        { className: "output", hidden: true },
        element("summary", {}, "Printed"),
        this.output,
      ),
      element(
        "div",
        { className: "row" },
        button("Save as recipe", () => this.save(), { className: "live" }),
        world?.files
          ? button("Open GeoTIFF", () => world.files.pick(), { title: "Or drop one onto the page" })
          : null,
        button("Copy command", () => copy(this.command(), "The command")),
      ),
    );
  }

  take(state, preview) {
    this.printed.take(state);
    if (this.text === undefined) this.unedited = state.recipe.text;
    this.app.edits?.take(); // before errors are told, which may be an edit's
    if (!preview) this.leaveOut(state);
    this.panel.show(state.params, this.values, state.error);
    this.tellError(state.error);
    if (!preview) this.writing.take(state.recipe.text);
    if (state.error) return; // what was told stays
    showScores(this.scores, state.results);
    this.tellLog(this.printed.text);
  }
  // Another text may not have the parameters that were set; undo brings them back.
  leaveOut({ params, error }) {
    if (error && !params.length) return; // it may have ended before it declared them
    const { values, left } = taken(params, this.values);
    if (!left.length) return;
    this.values = values;
    notice("The recipe no longer takes the value of " + left.join(", "));
  }
  tellError(error) {
    get("error").hidden = !error;
    get("error").textContent = error ? error.message : "";
    this.folded?.remove();
    this.folded =
      error && get("sheets").hidden && !this.app.edits?.tells(error)
        ? notice(error.message, { bad: true, seconds: 0 })
        : null;
    this.writing.problem(error);
  }
  tellLog(text) {
    this.output.textContent = text ?? "";
    this.output.parentElement.hidden = !text;
  }
  addToLog(generation, text) {
    if (this.printed.add(generation, text)) this.tellLog(this.printed.text);
  }

  // --- changes ---------------------------------------------------------------------------------------------

  setParameter(name, value, dragging) {
    if (!this.dragged) this.remember();
    this.dragged = dragging;
    this.values = { ...this.values, [name]: value };
    this.panel.show(this.app.state.params, this.values);
    this.app.run({ preview: dragging });
  }
  // All values at once, as a step that can be undone.
  setValues(values) {
    this.remember();
    this.values = values;
    this.app.run({});
  }
  setText(text) {
    if (text !== (this.text ?? this.unedited)) this.remember();
    this.text = text;
    this.app.run({ text });
  }
  // A file that was saved takes the place of what was written here.
  takeFile({ recipe: { text }, error }) {
    const edits = this.writing.stop() ?? this.text;
    this.text = undefined;
    if (edits === undefined || edits === text) return error || notice("The recipe was saved: drawn again");
    this.done.push({ values: this.values, text: edits });
    this.tellUndo();
    const action = { name: "Bring my edits back", run: () => this.setText(edits) };
    notice("The recipe was saved in another program: its text takes the place of your edits", {
      seconds: 20,
      action,
    });
  }
  // Whether the server ran the recipe with what it would take of the values here.
  hasValuesOf({ params, values }) {
    return isSame(params, taken(params, this.values).values, taken(params, values).values);
  }
  random() {
    const seed = this.app.state?.params.find(param => param.name === "seed");
    if (seed) this.setParameter("seed", randomSeed(seed), false);
    else notice("The recipe has no parameter seed");
  }
  reset() {
    this.setValues({});
    this.panel.show(this.app.state.params, this.values);
  }

  remember() {
    this.done.push({ values: this.values, text: this.text });
    this.undone = [];
    if (this.done.length > MOST_UNDONE) this.done.shift();
    this.tellUndo();
  }
  undo() {
    this.step(this.done, this.undone);
  }
  redo() {
    this.step(this.undone, this.done);
  }
  step(from, to) {
    const before = from.pop();
    if (!before) return;
    to.push({ values: this.values, text: this.text });
    this.values = before.values;
    this.text = before.text;
    this.tellUndo();
    this.panel.show(this.app.state.params, this.values);
    this.app.run({ text: before.text ?? this.unedited });
  }
  tellUndo() {
    this.undoButton.disabled = !this.done.length;
    this.redoButton.disabled = !this.undone.length;
  }

  // --- to take away ----------------------------------------------------------------------------------------

  command() {
    const { params, recipe, results } = this.app.state;
    return commandOf(recipe.name, params, this.values, results);
  }
  async save() {
    const asked = {
      page: this.app.runs.page,
      params: changed(this.app.state.params, this.values),
      text: this.text,
    };
    try {
      if (world) {
        const { text } = await post("api/text", asked);
        return download(this.app.state.recipe.name, new Blob([text]));
      }
      const saved = await post("api/save", asked);
      const { error, results } = this.app.state,
        command = () => copyable(commandOf(saved.path, [], {}, results), "The command");
      ask(
        "Saved",
        copyable(saved.path, "The path"),
        ...(error
          ? [element("p", { className: "wrong" }, "The recipe fails with these values: " + error.message)]
          : [element("p", { className: "dim" }, "The same from the command line:"), command()]),
      );
    } catch (error) {
      notice("Not saved: " + error.message, { bad: true });
    }
  }
}
