// What the page tells of the view: place, zoom and height, scale, legend; and of a place that is clicked.
// tellView() is called at each frame.
import { isOnMap, magnification, toDigits, toHex } from "./address.js";
import { getJSON } from "./api.js";
import { brief, get } from "./dom.js";
import { geographicTexts } from "./globe.js";
import { isHeight } from "./kinds.js";
import { legendOf } from "./legend.js";
import { lengthText, metresOf, quantityOf } from "./metres.js";

export class Readout {
  // app: state, result, ground, camera, look, inspector, addressBar, ruler, zoom
  constructor(app) {
    this.app = app;
    app.camera.clicked = (at, event) => this.click(at, event);
    app.camera.hovered = at => {
      this.pointer = at;
      if (app.camera.view && app.state) this.tellView();
    };
  }

  tellView() {
    const {
      camera: { view },
      inspector,
      addressBar,
      ruler,
    } = this.app;
    ruler.follow();
    inspector.follow();
    this.app.names.follow();
    this.app.edits?.follow();
    this.tellStatus(view);
    this.tellScale(view);
    this.tellLegend();
    if (view !== this.told) addressBar.tell();
    this.told = view;
  }
  tellStatus(view) {
    const short = text => (text.length > 14 ? "…" + text.slice(-8) : text);
    const pointed = this.pointer && this.placeAt(this.pointer),
      place = pointed ?? view,
      known = pointed && this.heightAt(...this.pointer);
    const at =
      this.app.result?.faces > 1
        ? Object.values(geographicTexts(place, view.zoom))
        : [place.x, place.y].map(value => short(toDigits(value, view.zoom)));
    const { ground, result } = this.app,
      { name, unit } = quantityOf(result),
      about = ground?.source?.only?.width < result?.width ? "about " : "", // the mean of some cells
      value =
        typeof known === "number"
          ? ` · ${result.kind === "field" ? name : "height"} ${about}${brief(known, 4)}${unit}`
          : "";
    get("place").textContent = `${magnification(this.app.zoom)} · ${at.join(", ")}${value}`;
    get("tilt").setAttribute("aria-pressed", String(view.tilt > 0));
    get("north").firstElementChild.setAttribute("transform", `rotate(${-view.turn})`);
  }
  // A bar of 1, 2 or 5 times a power of ten, at most 120 pixels long.
  tellScale(view) {
    const { result } = this.app,
      unit = Math.log10(metresOf(result) || 1),
      bits = view.zoom * Math.log10(2) - unit,
      power = Math.floor(Math.log10(110 / 256) - bits),
      wide = 10 ** (power + bits) * 256;
    const factor = wide * 5 < 120 ? 5 : wide * 2 < 120 ? 2 : 1;
    get("scale").lastElementChild.style.width = wide * factor + "px";
    get("scale").firstElementChild.textContent = lengthText(result, factor * 10 ** (power - unit), 2);
  }
  tellLegend() {
    const { ground, look, result, shown } = this.app;
    look.tellLayer(ground ? shown.layers.told(ground) : null);
    if (ground?.mesh && !ground.mesh.texture)
      return look.tell(legendOf({ low: ground.low, high: ground.high, exact: true }, false, 0, null), () =>
        ground.heights(),
      );
    if (!isHeight(result)) return look.tell(null);
    if (!ground?.range || !ground.anchor?.tile) return; // the one before stays until the new ground is there
    const middle = ground.diverging ? [0, 0.5] : [ground.sea]; // its value, and where it is
    const legend = legendOf(ground.range, ground.coast, ground.anchor.tile.centre, ...middle);
    if (result.kind === "map") legend.labels.at(-1)[1] += quantityOf(result).unit;
    look.tell(
      legend,
      () => ground.heights ?? [],
      result.kind === "field" ? result.name + (result.unit ? `, ${result.unit},` : "") : undefined,
    );
  }

  heightAt(x, y) {
    const { camera, stage } = this.app,
      place = this.placeAt([x, y]);
    const ground = stage.isFirst([x, y]) ? stage.grounds[0] : this.app.ground;
    return place ? (ground?.known(place, camera.view.zoom).altitude ?? null) : null;
  }
  // Beyond the end of the map, or of a field's cells, there is nothing to tell.
  placeAt(at) {
    const { camera, result } = this.app,
      place = camera.view && isHeight(result) ? camera.placeOf(at) : null;
    return place && isOnMap(place, result.width, result.height) ? place : null;
  }
  // What is known here is shown at once, what only the server knows when it comes. Keys click without an
  // event.
  click(at, event) {
    const { camera, inspector, ruler, stage } = this.app;
    if (ruler.on) return event ? undefined : ruler.mark(at);
    if (this.app.edits?.on) return this.app.edits.click(at, event);
    const place = this.placeAt(at),
      { zoom } = camera.view,
      first = stage.isFirst(at),
      title = stage.grounds.length < 2 ? "This place" : "This place in " + (first ? "A" : "B");
    if (place) inspector.place(title, place, () => this.lookAt(place, zoom, first));
  }
  // `first`: in A, as long as it is compared.
  lookAt(place, zoom, first) {
    const { state, stage } = this.app,
      ground = first && stage.grounds.length > 1 ? stage.grounds[0] : this.app.ground,
      result = ground?.result ?? this.app.result;
    if (!isHeight(result)) return null;
    // As of a window of 256 pixels
    const query = new URLSearchParams({
      face: place.face,
      x: toHex(place.x),
      y: toHex(place.y),
      zoom: String(2 ** zoom),
    });
    const target =
      result.kind === "map" ? result.world : `${ground.generation}/${encodeURIComponent(result.name)}`;
    return {
      known: () => ground.known(place, this.app.camera.view.zoom),
      result,
      asked: state.static ? null : getJSON(`api/at/${target}?${query}`),
    };
  }
}
