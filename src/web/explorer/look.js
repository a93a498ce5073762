// How it looks: palette, light, exaggeration, contours, what is laid over the ground; the histogram of what
// is seen.
import { lightRanges, usualLook } from "./address.js";
import { cssOf, groundRamp, isDiverging } from "./colour.js";
import { element, get } from "./dom.js";
import { NATURAL } from "./kinds.js";
import { coverLegend, Legend } from "./legend.js";
import { histogramPlot } from "./plots.js";

const AGAIN = 400; // milliseconds between two histograms

const degrees = value => Math.round(value) + "°",
  percent = value => Math.round(value * 100) + " %";
const sliders = [
  [
    "exaggeration",
    "Vertical exaggeration",
    value => "× " + value.toFixed(2),
    "in 3D; maps in metres have their own from afar, which this multiplies",
  ],
  ["shading", "Shading", percent],
  ["azimuth", "Sun from", degrees],
  ["altitude", "Sun's height", degrees],
  ["haze", "Haze", percent],
];

// A slider with its name and its value as a text; row.show(value) sets it.
function sliderRow(id, title, [low, high], value, { text, doc, moved }) {
  const told = element("output", { for: id }, text(value));
  const input = element("input", {
    id,
    type: "range",
    min: low,
    max: high,
    step: high > 10 ? 1 : 0.01,
    value,
  });
  input.oninput = () => {
    told.textContent = text(Number(input.value));
    moved(Number(input.value));
  };
  const row = element(
    "div",
    { className: "param" },
    element("label", { for: id }, title),
    told,
    input,
    ...(doc ? [element("p", {}, doc)] : []),
  );
  return Object.assign(row, {
    show: value => {
      input.value = value;
      told.textContent = text(value);
    },
  });
}

export class Look {
  // changed() is called after each change of stage.settings, a palette, `overlay` or `opacity`.
  constructor(stage, changed) {
    Object.assign(this, { stage, changed, palettes: {}, overlays: [], usualOver: "" });
    for (const name in usualLook) this.partOf(name)[name] = usualLook[name];
    this.rows = sliders.map(([name, title, text, doc]) =>
      Object.assign(
        sliderRow("look-" + name, title, lightRanges[name], stage.settings[name], {
          text,
          doc,
          moved: value => {
            stage.settings[name] = value;
            changed();
          },
        }),
        { of: name },
      ),
    );
    this.select = element("select", { id: "palette", onchange: () => this.choose(this.select.value) });
    this.over = element("select", { id: "overlay", onchange: () => this.layOver(this.over.value) });
    this.overSelect = element("select", {
      id: "over-palette",
      onchange: () => this.chooseOver(this.overSelect.value),
    });
    this.throughRow = sliderRow("opacity", "Its opacity", [0, 1], this.opacity, {
      text: percent,
      moved: value => {
        this.opacity = value;
        changed();
      },
    });
    this.boxes = ["contours", "rivers", "places"].map(id =>
      element("input", {
        id,
        name: id,
        type: "checkbox",
        onchange: event => {
          this[id] = event.target.checked;
          changed();
        },
      }),
    );
    const [lines, rivers, places] = this.boxes;
    places.id = "settled"; // a sheet of the panel is called places
    this.riverRow = element(
      "div",
      { className: "param" },
      element("label", { for: "rivers" }, "Rivers as lines"),
      rivers,
    );
    this.placesRow = element(
      "div",
      { className: "param" },
      element("label", { for: "settled" }, "Places and roads"),
      places,
    );
    this.histogram = element("div");
    this.overRow = element(
      "div",
      { className: "param" },
      element("label", { for: "overlay" }, "Laid over"),
      this.over,
    );
    this.overPaletteRow = element(
      "div",
      { className: "param" },
      element("label", { for: "over-palette" }, "Its palette"),
      this.overSelect,
    );
    this.paletteRow = element(
      "div",
      { className: "param" },
      element("label", { for: "palette" }, "Palette"),
      this.select,
    );
    this.layerHistogram = element("div");
    get("look").append(
      this.paletteRow,
      this.overRow,
      this.overPaletteRow,
      this.throughRow,
      element("div", { className: "param" }, element("label", { for: "contours" }, "Contour lines"), lines),
      this.riverRow,
      this.placesRow,
      ...this.rows,
      (this.heights = element("div", {}, element("h2", {}, "Heights in view"), this.histogram)),
      (this.layerValues = element("div", { hidden: true }, element("h2", {}), this.layerHistogram)),
    );
    this.legend = new Legend(get("legend"));
    this.layerLegend = new Legend(get("layer-legend"));
  }
  layOver(name) {
    this.overlay = name === this.usualOver ? null : name;
    this.showOverlay();
    this.changed();
  }
  // What lies over the ground: what was chosen, or what its result usually has.
  get laid() {
    return this.overlay ?? this.usualOver;
  }

  // Light is the stage's.
  partOf(name) {
    return name in lightRanges ? this.stage.settings : this;
  }
  // What an address tells of it, and the same from an address.
  get worn() {
    return Object.fromEntries(Object.keys(usualLook).map(name => [name, this.partOf(name)[name]]));
  }
  wear(look) {
    for (const name in usualLook) this.partOf(name)[name] = look[name];
    for (const row of this.rows) row.show(look[row.of]);
    for (const box of this.boxes) box.checked = look[box.name];
    this.throughRow.show(this.opacity);
    this.showOverlay();
    this.overSelect.value = this.layer === "lines" ? this.linePalette : this.overPalette;
    this.dye(this.palette);
  }
  showOverlay() {
    if (this.overlay && !this.overlays.includes(this.overlay)) this.overlay = null;
    this.over.value = this.laid;
    this.throughRow.hidden = !this.laid || this.laid === NATURAL;
  }

  turnPlaces(on) {
    const [, , box] = this.boxes;
    this.places = box.checked = on;
    this.changed();
  }
  // Names that other results, as pictures, may lie over the ground, and the usual one; whether there are rivers,
  // and places and roads; `look` is what an address asks for.
  offer(palettes, { overlays, usual, rivers, settled }, look) {
    this.riverRow.hidden = !rivers;
    this.placesRow.hidden = !settled;
    this.usualOver = usual;
    const names = Object.keys(palettes);
    this.palettes = palettes;
    this.select.replaceChildren(...names.map(name => new Option(name, name)));
    this.select.value = this.palette;
    this.over.replaceChildren(new Option("nothing", ""), ...overlays.map(name => new Option(name, name)));
    if (!palettes[this.overPalette]) this.overPalette = names[0];
    this.overlays = overlays;
    this.overRow.hidden = !overlays.length;
    if (look) this.wear(look);
    else this.showOverlay();
  }
  // What has a palette: the ground's `heights`, and a layer of kind "field" or "lines", or "" where there is
  // none.
  offerPalettes(heights, layer) {
    const names = Object.keys(this.palettes).map(name => new Option(name, name));
    this.paletteRow.hidden = !heights;
    this.overPaletteRow.hidden = !layer;
    this.overPaletteRow.firstChild.textContent = heights ? "Its palette" : "Palette";
    this.layer = layer;
    this.overSelect.replaceChildren(...(layer === "lines" ? [new Option("plain", "")] : []), ...names);
    this.overSelect.value = layer === "lines" ? this.linePalette : this.overPalette;
  }
  chooseOver(name) {
    this[this.layer === "lines" ? "linePalette" : "overPalette"] = name;
    this.changed();
  }
  choose(name) {
    this.dye(name);
    this.changed();
  }
  dye(name) {
    if (!this.palettes[name]) name = Object.keys(this.palettes)[0];
    this.palette = this.select.value = name;
    this.ramp = groundRamp(this.palettes[name]);
    this.stage.settings.diverges = isDiverging(this.palettes[name]);
    this.stage.paint(this.ramp);
  }

  // The ground's legend, of legendOf, and the histogram where it is seen; values() gives a sample of
  // altitudes, or of a field of this name.
  tell(legend, values, name) {
    const shown = legend && this.ramp,
      natural = this.laid === NATURAL && legend;
    this.heights.firstChild.textContent = (name ?? "Heights") + " in view";
    this.heights.hidden = !shown;
    this.legend.tell(
      shown &&
        (natural
          ? coverLegend
          : {
              labels: legend.labels,
              colourAt: share =>
                cssOf(
                  this.ramp,
                  share < legend.sea
                    ? share / legend.sea - 1 - 1e-3
                    : (share - legend.sea) / (1 - legend.sea),
                ),
            }),
    );
    if (shown) this.tellValues(this.histogram, values);
  }
  // The same of what is laid over it: { title, scale, colours, values() }.
  tellLayer(layer) {
    this.layerValues.hidden = !layer;
    this.layerLegend.tell(
      layer && {
        title: layer.title,
        labels: layer.scale.labels,
        colourAt: share => cssOf(layer.colours, layer.scale.positionAt(share)),
      },
    );
    if (!layer) return;
    this.layerValues.firstChild.textContent = layer.title + " in view";
    this.tellValues(this.layerHistogram, layer.values, layer.scale.log);
  }
  tellValues(place, values, log) {
    const now = performance.now();
    if (get("look").hidden || now - (place.told ?? 0) < AGAIN) return;
    place.told = now;
    place.replaceChildren(histogramPlot(values(), { log }));
  }
}
