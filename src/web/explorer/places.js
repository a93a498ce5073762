// Bookmarks and journeys between them.
import { magnification } from "./address.js";
import { download, element, get, notice } from "./dom.js";

const KEY = "esker-places";
const RATE = 30; // frames a second
const canFilm = "VideoEncoder" in globalThis;
const readKept = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
};

export class Places {
  // app: address() → text, visit(text, how), go(text, how), settled(), runs, adopting, camera, stage, canvas
  constructor(app) {
    this.app = app;
    this.kept = readKept();
    this.list = element("div", { className: "row" });
    const field = element("input", {
      type: "text",
      placeholder: "name of this place",
      id: "bookmark",
      maxLength: 60,
    });
    const keep = () => {
      this.kept.push({ name: field.value.trim() || magnification(app.zoom), address: app.address() });
      field.value = "";
      this.save();
    };
    field.onkeydown = event => {
      if (event.key === "Enter") keep();
    };
    this.from = element("select", { ariaLabel: "from" });
    this.to = element("select", { ariaLabel: "to" });
    get("places").append(
      element("div", { className: "row" }, field, element("button", { onclick: keep }, "Keep")),
      this.list,
      element("h2", {}, "Journey"),
      element("div", { className: "row" }, this.from, "→", this.to),
      element(
        "div",
        { className: "row" },
        element("button", { onclick: () => this.fly() }, "Fly"),
        element(
          "button",
          {
            onclick: () => this.film(),
            disabled: !canFilm,
            title: canFilm ? "" : "This browser records no films, or does so for https alone",
          },
          "Film",
        ),
        element("button", { onclick: () => this.frames() }, "Frames"),
      ),
      element(
        "p",
        { className: "dim" },
        "Thirty frames a second, as a film or as pictures in an archive; each waits until every tile is there.",
      ),
    );
    this.show();
  }
  save() {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      /* private window: kept until it is closed */
    }
    this.show();
  }
  show() {
    this.list.replaceChildren(
      ...this.kept.map((place, i) =>
        element(
          "div",
          { className: "place" },
          element("button", { onclick: () => this.app.visit(place.address) }, place.name),
          element(
            "button",
            {
              className: "plain",
              title: "Remove",
              ariaLabel: "Remove " + place.name,
              onclick: () => {
                this.kept.splice(i, 1);
                this.save();
              },
            },
            "×",
          ),
        ),
      ),
    );
    for (const [select, other] of [
      [this.from, 0],
      [this.to, this.kept.length - 1],
    ]) {
      select.replaceChildren(
        new Option("here", ""),
        ...this.kept.map((place, i) => new Option(place.name, i)),
      );
      select.value = this.kept.length > (select === this.from ? 1 : 0) ? other : "";
    }
  }
  ends() {
    const ends = [this.from, this.to].map(select =>
      select.value === "" ? this.app.address() : this.kept[select.value].address,
    );
    if (ends[0] !== ends[1]) return ends;
    notice("A journey needs two places: keep one, go elsewhere and keep another", { bad: true });
    return null;
  }
  // Shows a place with its parameters and its result, and waits for those.
  async stand(address) {
    const { app } = this;
    app.visit(address, { at_once: true });
    if (app.runs.running || app.adopting) await app.settled();
  }
  // A flight is over the land of the first place; that of the second is drawn on arrival.
  async journey(ends) {
    await this.stand(ends[0]);
    const arrived = await new Promise(done => this.app.go(ends[1], { done }));
    if (arrived) await this.stand(ends[1]);
  }
  fly() {
    const ends = this.ends();
    if (ends) this.journey(ends);
  }
  film() {
    return this.record("webm", async () => {
      const { Film } = await import("./film.js"),
        film = await Film.open(this.app.canvas, RATE);
      if (!film) throw new Error("this browser records no films; Frames saves pictures instead");
      return {
        add: () => {
          this.app.drawNow();
          return film.add();
        },
        finish: () => film.finish(),
      };
    });
  }
  // One PNG a frame, all in one archive.
  frames() {
    return this.record("zip", async () => {
      const { Zip } = await import("./zip.js"),
        zip = new Zip();
      return {
        add: async i => zip.add(`journey-${String(i).padStart(4, "0")}.png`, await this.app.picture()),
        finish: () => zip.finish(),
      };
    });
  }
  // Frames of a journey, each complete, become a file; open() promises what takes them. What there is when it
  // is stopped is saved.
  async record(ending, open) {
    const ends = this.ends();
    if (!ends || this.recording) return;
    const { canvas, stage } = this.app,
      turn = (this.recording = new AbortController());
    const told = notice("Recording…", { seconds: 0, action: { name: "Stop", run: () => this.stop() } });
    canvas.inert = stage.posing = true; // nothing moves but the journey
    try {
      const file = await open();
      await this.pose(ends, turn.signal, {
        take: i => file.add(i),
        tell: text => {
          told.firstChild.textContent = text;
        },
      }).catch(error => notice("The journey ends early: " + error.message, { bad: true }));
      download("journey." + ending, await file.finish());
    } catch (error) {
      notice("Not saved: " + error.message, { bad: true });
    } finally {
      canvas.inert = stage.posing = false;
      this.recording = null;
      told.remove();
    }
  }
  // Takes the view from place to place, thirty times for a second of flight, and half a second longer at its
  // end.
  async pose(ends, signal, { take, tell }) {
    const { app } = this,
      stopped = new Promise(done => signal.addEventListener("abort", done));
    await this.stand(ends[0]);
    const path = app.path(ends[1]),
      count = Math.max(2, Math.round(path.seconds * RATE)),
      whole = count + RATE / 2;
    for (let i = 0; i < whole && !signal.aborted; i++) {
      if (i < count - 1) app.camera.set(path.at(i / (count - 1)));
      else if (i === count - 1) await this.stand(ends[1]);
      await Promise.race([app.settled(), stopped]);
      if (signal.aborted) return;
      tell(`Frame ${i + 1} of ${whole}; Escape stops`);
      await take(i);
    }
  }
  // Whether there was something to stop.
  stop() {
    this.recording?.abort();
    return Boolean(this.recording);
  }
}
