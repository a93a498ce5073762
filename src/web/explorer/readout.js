// What the page tells of the view: place, zoom and height, scale, legend; and of a place that is clicked. tellView() is
// called at each frame.
import { magnification, toDigits } from "./address.js";
import { getJSON } from "./api.js";
import { brief, get } from "./dom.js";
import { isHeight } from "./kinds.js";
import { legendOf } from "./look.js";

export class Readout {
  // app: state, result, ground, camera, look, inspector, addressBar, ruler, zoom
  constructor(app) {
    this.app = app;
    this.under = ""; // the pointer: a height
    app.camera.clicked = at => this.click(at);
    app.camera.hovered = at => { this.pointer = at; this.tellPlace(); };
  }

  tellView() {
    const { camera: { view }, inspector, addressBar } = this.app;
    inspector.follow();
    this.tellStatus(view);
    this.tellScale(view);
    this.tellLegend();
    if (view !== this.told) addressBar.tell();
    this.told = view;
  }
  tellStatus(view) {
    const short = text => text.length > 14 ? "…" + text.slice(-8) : text;
    const at = [view.x, view.y].map(value => short(toDigits(value, view.zoom)));
    const height = this.under ? " · height " + this.under : "";
    get("place").textContent = `${magnification(this.app.zoom)} · ${at.join(", ")}${height}`;
    get("tilt").setAttribute("aria-pressed", String(view.tilt > 0));
    get("north").firstElementChild.setAttribute("transform", `rotate(${-view.turn})`);
  }
  // A bar of 1, 2 or 5 times a power of ten, at most 120 pixels long.
  tellScale(view) {
    const bits = view.zoom * Math.log10(2), power = Math.floor(Math.log10(110 / 256) - bits), wide = 10 ** (power + bits) * 256;
    const factor = wide * 5 < 120 ? 5 : wide * 2 < 120 ? 2 : 1;
    get("scale").lastElementChild.style.width = wide * factor + "px";
    get("scale").firstElementChild.textContent = brief(factor * 10 ** power, 2) + " of the side";
  }
  tellLegend() {
    const { ground, look, result } = this.app;
    if (!ground?.range || !ground.anchor?.tile || !isHeight(result)) return look.tell(null);
    look.tell(legendOf(ground.range, ground.coast, ground.anchor.tile.centre, ground.sea), ground.heights ?? []);
  }

  tellPlace() {
    const known = this.pointer && this.heightAt(...this.pointer);
    this.under = known === null || known === undefined ? "" : brief(known, 4);
    if (this.app.camera.view && this.app.state) this.tellView();
  }
  heightAt(x, y) {
    const { camera, result, ground } = this.app, place = camera.view && isHeight(result) && camera.placeOf([x, y]);
    return place ? ground?.altitude(place, camera.view.zoom)?.absolute ?? null : null;
  }
  // What is known here is shown at once, what only the server knows when it comes.
  click(at) {
    const { state, result, ground, camera, inspector, ruler } = this.app;
    if (ruler.on) return;
    const place = camera.placeOf(at), { zoom } = camera.view;
    if (!place || !isHeight(result)) return;
    const [x, y] = [place.x, place.y].map(value => toDigits(value, zoom));
    const query = new URLSearchParams({ face: place.face, x, y, zoom: String(zoom) });
    const target = result.kind === "map" ? result.world : `${state.generation}/${encodeURIComponent(result.name)}`;
    inspector.place(place, ground.known(place, zoom), state.static ? null : getJSON(`api/at/${target}?${query}`));
  }
}
