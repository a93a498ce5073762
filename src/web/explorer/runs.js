// Runs of the recipe on the server: run() starts one with the values and the text of the moment, and what it
// gives is adopted. A newer run of this page takes the place of an older one, those of other pages take turns
// with them; `running` is null when none is under way.
import { post } from "./api.js";
import { get, notice } from "./dom.js";
import { PREVIEW } from "./source.js";

export class Runs {
  // app: recipe (values, text), shown.wish, stage, adopt(state, preview)
  constructor(app) {
    this.app = app;
    this.running = null;
    this.next = null; // the newest wish for a preview
    this.page = crypto.getRandomValues(new BigUint64Array(1))[0].toString(36); // its name
  }

  // While a preview is computed the newest wish waits: the server need not be stopped for each. `again`: also
  // where something else took its place.
  // `draft`: of a text that changes while something is dragged, which is no step of the recipe.
  async run({ preview = false, text = this.app.recipe.text, again = true, draft = false } = {}) {
    const wish = { preview, text };
    if (preview && this.running) {
      this.next = wish;
      return;
    }
    this.next = null;
    this.running?.abort();
    const turn = (this.running = new AbortController());
    get("busy").hidden = false;
    try {
      await this.app.adopt(await post("api/run", this.bodyOf(wish), turn.signal), { preview, draft });
    } catch (error) {
      if (error.status === 409 && this.running === turn && again)
        this.next ??= wish; // one that was aborted came later
      else if (error.name !== "AbortError" && error.status !== 409) notice(error.message, { bad: true });
    } finally {
      if (this.running === turn) this.end();
    }
  }
  bodyOf({ preview, text }) {
    const body = { page: this.page, params: this.app.recipe.values, only: this.app.shown.wish };
    if (text !== undefined) body.text = text;
    if (preview) body.preview = PREVIEW;
    return body;
  }
  end() {
    this.running = null;
    this.app.stage.wake();
    this.tellProgress(null, 0);
    if (this.next) this.run(this.next);
  }

  tellProgress(name, share) {
    get("progress").hidden = !name;
    get("progress").value = share;
    get("progress").title = get("doing").textContent = name ?? "";
  }
}
