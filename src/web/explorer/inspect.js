// What is at a place: a click shows it, a line drawn across shows the profile. Both stay at their places as
// the view moves.
import { toDigits } from "./address.js";
import { brief, drawn, element, get } from "./dom.js";
import { geographicTexts } from "./globe.js";
import { areaText, lengthText, quantityOf } from "./metres.js";
import { profilePlot } from "./plots.js";

const shorter = digits => (digits.length > 22 ? digits.slice(0, 10) + "…" + digits.slice(-9) : digits);
const names = {
  latitude: "Latitude",
  longitude: "Longitude",
  face: "Face",
  x: "x",
  y: "y",
  altitude: "",
  lake: "Lake at",
  slope: "Slope",
  drained: "Drains",
  river: "River",
  basin: "Flows to",
};
const SAMPLES = 160; // of a profile
const AGAIN = 300; // milliseconds between two looks at what tiles tell while they arrive

export class Inspector {
  // app: camera, stage, ground, result, goTo(place)
  constructor(app) {
    this.app = app;
    this.places = [];
    this.again = null; // asks for what is told once more
    this.refresh = null; // tells a map's height as it is drawn now
  }
  close() {
    get("inspector").hidden = true;
    get("drawing").replaceChildren();
    this.places = [];
    this.again = this.refresh = null;
  }
  // What is told was of other ground.
  askAgain() {
    this.again?.();
  }
  open(title, places, ...children) {
    this.places = places;
    get("inspector").replaceChildren(
      element(
        "header",
        {},
        element("span", {}, title),
        element("button", { className: "plain", ariaLabel: "Close", onclick: () => this.close() }, "×"),
      ),
      ...children,
    );
    get("inspector").hidden = false;
    this.follow();
  }

  // look() gives a function for what is known of which result, which is shown at once, and promises the rest;
  // null where nothing is to be told any more. It is called again where the ground is another; until it
  // answers, what was told is dim. A map's height is always that of what is drawn, as in the bar below: it
  // depends on the zoom.
  place(title, place, look) {
    const { zoom } = this.app.camera.view,
      list = element("dl", { className: "scores" });
    const where = {
      ...(place.face ? { ...geographicTexts(place, zoom), face: place.face } : {}),
      x: shorter(toDigits(place.x, zoom)),
      y: shorter(toDigits(place.y, zoom)),
    };
    const isTold = (name, value) =>
      value !== null && value !== undefined && value !== false && !(name === "drained" && !value);
    const fill = (values, result) =>
      list.replaceChildren(
        ...Object.keys(names)
          .map(name => [name, values[name]])
          .filter(([name, value]) => isTold(name, value))
          .flatMap(([name, value]) => [
            element("dt", {}, names[name] || quantityOf(result).name),
            element("dd", { dataset: { name } }, this.textOf(name, value, result)),
          ]),
      );
    let newest;
    const ask = () => {
      const looked = (newest = look());
      if (!looked) return this.close();
      const { known, asked, result } = looked;
      this.looked = asked ? Infinity : performance.now(); // without a server only tiles tell of a place
      const told = more => {
        if (newest !== looked) return;
        const drawn = known();
        this.partial = drawn.altitude === undefined && !asked;
        fill({ ...where, ...drawn, ...more, ...(result.kind === "map" ? drawn : {}) }, result);
        list.classList.remove("dim");
      };
      if (!asked || !list.firstChild) told();
      list.classList.toggle("dim", Boolean(asked) && this.again !== null);
      asked?.then(told, () => told());
    };
    this.again = this.refresh = null;
    ask();
    this.open(title, [place], list);
    this.again = ask;
    this.refresh = () => {
      const { known, result } = newest,
        { altitude } = known(),
        told = list.querySelector("[data-name=altitude]");
      if (result.kind !== "map" || !told || altitude === undefined) return;
      const text = this.textOf("altitude", altitude, result);
      if (told.textContent !== text) told.textContent = text;
    };
  }
  textOf(name, value, result) {
    if (name === "altitude" || name === "lake") return brief(value, 5) + quantityOf(result).unit;
    if (name === "slope") return brief(value, 3) + "°";
    if (name === "drained") return areaText(result, value);
    if (name === "basin")
      return element(
        "button",
        {
          title: `Go there: ${lengthText(result, value.distance)} along the water's way`,
          onclick: () => this.app.goTo(value),
        },
        shorter(value.x) + ", " + shorter(value.y),
      );
    return typeof value === "number" ? brief(value, 5) : value === true ? "yes" : String(value);
  }

  // A line between two places.
  line(from, to, done) {
    this.places = [from, to];
    this.again = this.refresh = null;
    this.follow();
    if (!done) return;
    this.profile = element("div");
    this.open("Profile", [from, to], this.profile);
    this.measure();
  }
  measure() {
    const { app } = this,
      { view } = app.camera,
      { space } = app.stage,
      [from, to] = this.places;
    const way = space.towards({ ...view, ...from }, to, view.zoom),
      along = share =>
        space.panned({ ...view, ...from }, way.east * way.distance * share, way.north * way.distance * share);
    const heights = Array.from(
      { length: SAMPLES + 1 },
      (_, i) => app.ground?.heightAt(along(i / SAMPLES), view.zoom) ?? NaN,
    );
    const finite = heights.filter(Number.isFinite),
      low = Math.min(...finite),
      high = Math.max(...finite),
      centre = app.ground?.anchor?.tile?.centre ?? 0,
      { name, unit } = quantityOf(app.result);
    this.measured = performance.now();
    const absolute =
      high - low > 1e-4 * Math.abs(centre + high)
        ? `${app.result?.kind === "field" ? name + " " : ""}${brief(centre + low, 4)} to ${brief(centre + high, 4)}${unit} · `
        : "";
    this.profile.replaceChildren(
      profilePlot(heights, app.ground?.seaAbove()),
      element(
        "p",
        { className: "dim" },
        finite.length
          ? `${absolute}relief ${brief(high - low, 3)}${unit} · ${lengthText(app.result, way.distance * 2 ** -view.zoom)} long`
          : "No heights here",
      ),
    );
  }

  // Marks go where their places are on the screen.
  follow() {
    const { camera, stage } = this.app,
      drawing = get("drawing");
    if (!this.places.length || !camera.view) return drawing.replaceChildren();
    const at = this.places.map(place => stage.pixelAt(camera.view, place));
    const marks = at
      .filter(Boolean)
      .map(([x, y]) =>
        drawn("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: this.places.length > 1 ? 4 : 6 }),
      );
    const line =
      at.length > 1 && at.every(Boolean)
        ? [drawn("line", { x1: at[0][0], y1: at[0][1], x2: at[1][0], y2: at[1][1] })]
        : [];
    drawing.replaceChildren(...line, ...marks);
    const now = performance.now();
    if (this.places.length > 1 && this.profile?.isConnected && stage.busy && now - this.measured > AGAIN)
      this.measure();
    const due = stage.busy ? now - this.looked > AGAIN : this.partial || this.arriving;
    this.arriving = stage.busy;
    if (this.again && this.looked < Infinity && due) this.again();
    this.refresh?.();
  }
}
