// Bookmarks and journeys between them.
import { magnification } from "./address.js";
import { download, element, get, notice } from "./dom.js";

const KEY = "esker-places";
const readKept = () => { try { return JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; } };

export class Places {
  // app: address() → text, visit(text, how), go(text, how), settled(), runs, adopting, camera, stage, canvas
  constructor(app) {
    this.app = app;
    this.kept = readKept();
    this.list = element("div", { className: "row" });
    const field = element("input", { type: "text", placeholder: "name of this place", id: "bookmark", maxLength: 60 });
    const keep = () => {
      this.kept.push({ name: field.value.trim() || magnification(app.zoom), address: app.address() });
      field.value = "";
      this.save();
    };
    field.onkeydown = event => { if (event.key === "Enter") keep(); };
    this.from = element("select", { ariaLabel: "from" });
    this.to = element("select", { ariaLabel: "to" });
    const film = "MediaRecorder" in globalThis && app.canvas.captureStream;
    get("places").append(
      element("div", { className: "row" }, field, element("button", { onclick: keep }, "Keep")), this.list,
      element("h2", {}, "Journey"),
      element("div", { className: "row" }, this.from, "→", this.to),
      element("div", { className: "row" }, element("button", { onclick: () => this.fly() }, "Fly"),
        element("button", { onclick: () => this.film(), disabled: !film, title: film ? "" : "This browser records no films" }, "Film"),
        element("button", { onclick: () => this.frames() }, "Frames")),
      element("p", { className: "dim" }, "A film is recorded as the screen shows it; frames, as pictures in an archive, wait until every tile is there."));
    this.show();
  }
  save() {
    try { localStorage.setItem(KEY, JSON.stringify(this.kept)); } catch { /* private window: kept until it is closed */ }
    this.show();
  }
  show() {
    this.list.replaceChildren(...this.kept.map((place, i) => element("div", { className: "place" },
      element("button", { onclick: () => this.app.visit(place.address) }, place.name),
      element("button", { className: "plain", title: "Remove", ariaLabel: "Remove " + place.name,
        onclick: () => { this.kept.splice(i, 1); this.save(); } }, "×"))));
    for (const [select, other] of [[this.from, 0], [this.to, this.kept.length - 1]]) {
      select.replaceChildren(new Option("here", ""), ...this.kept.map((place, i) => new Option(place.name, i)));
      select.value = this.kept.length > (select === this.from ? 1 : 0) ? other : "";
    }
  }
  ends() {
    const ends = [this.from, this.to].map(select => select.value === "" ? this.app.address() : this.kept[select.value].address);
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
  async film() {
    const { canvas } = this.app, ends = this.ends(), parts = [];
    if (!ends) return;
    const kind = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find(type => MediaRecorder.isTypeSupported(type));
    if (!kind) return notice("This browser records no films; Frames saves pictures instead", { bad: true });
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 12e6 });
    recorder.ondataavailable = event => parts.push(event.data);
    recorder.onstop = () => {
      this.app.stage.steady = false;
      download("journey." + (kind.includes("mp4") ? "mp4" : "webm"), new Blob(parts, { type: kind }));
    };
    await this.stand(ends[0]);
    this.app.stage.steady = true; // a film has one size
    recorder.start();
    notice("Recording…");
    await this.journey(ends);
    setTimeout(() => recorder.stop(), 500);
  }
  // One PNG a frame, each complete, thirty for a second of flight; all in one archive.
  async frames() {
    const ends = this.ends(), { app } = this;
    if (!ends) return;
    await this.stand(ends[0]);
    const { Zip } = await import("./zip.js"), zip = new Zip(), path = app.path(ends[1]), count = Math.max(2, Math.round(path.seconds * 30));
    const told = notice("", { seconds: 0, action: { name: "Stop", run: () => { this.stopped = true; } } });
    this.stopped = false;
    for (let i = 0; i < count && !this.stopped; i++) {
      if (i < count - 1) app.camera.set(path.at(i / (count - 1)));
      else await this.stand(ends[1]);
      await app.settled();
      told.firstChild.textContent = `Frame ${i + 1} of ${count}`;
      await zip.add(`journey-${String(i).padStart(4, "0")}.png`, await app.picture());
    }
    told.remove();
    download("journey.zip", zip.finish());
  }
}
