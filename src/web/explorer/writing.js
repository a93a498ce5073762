// The tab with the recipe's text: open() brings the editor when it is first wanted, take(text) shows what the
// server has, and what the user writes is drawn after a pause.
import { getJSON } from "./api.js";
import { world } from "./ask.js";
import { download, element, get } from "./dom.js";

const PAUSE = 700; // milliseconds without a key until the text is drawn

export class Writing {
  // app: state; recipe: setText(text)
  constructor(app, recipe) {
    Object.assign(this, { app, recipe, editor: null, opening: false, typing: false });
  }
  async open() {
    if (this.editor || this.opening) return;
    this.opening = true;
    const { openEditor } = await import("./editor.js"),
      place = element("div", { id: "editor" });
    const draw = () => this.recipe.setText(this.editor.text());
    get("recipe").append(
      place,
      element(
        "div",
        { className: "row" },
        element("button", { onclick: draw }, "Draw"),
        element("button", { onclick: () => this.download() }, "Download"),
        element(
          "span",
          { className: "dim" },
          world
            ? "The page's address holds your edits."
            : "Edits leave the file as it is: save them as a recipe, or download them.",
        ),
      ),
    );
    this.editor = openEditor(place, this.app.state.recipe.text, {
      complete: line => getJSON("api/complete?line=" + encodeURIComponent(line)),
      help: word => getJSON("api/help?word=" + encodeURIComponent(word)),
      run: draw,
      edited: text => this.edited(text),
    });
    this.problem(this.app.state.error);
  }
  edited(text) {
    clearTimeout(this.timer);
    this.typing = true;
    this.timer = setTimeout(() => {
      this.typing = false;
      if (text !== this.app.state.recipe.text) this.recipe.setText(text);
    }, PAUSE);
  }
  // What was being written and is not drawn yet: it will not be.
  stop() {
    clearTimeout(this.timer);
    const text = this.typing ? this.editor.text() : undefined;
    this.typing = false;
    return text;
  }
  take(text) {
    if (!this.typing) this.editor?.set(text);
  }
  problem(error) {
    this.editor?.problem(error);
  }
  download() {
    download(this.app.state.recipe.name.replace(/.*\//, ""), new Blob([this.editor.text()]));
  }
}
