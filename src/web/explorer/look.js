// How it looks: palette, light, exaggeration, contours, what is laid over the ground; the histogram of what is seen.
import { cssOf, rampOf } from "./colour.js";
import { brief, element, get } from "./dom.js";
import { histogramPlot } from "./plots.js";

const sliders = [
  ["exaggeration", "Vertical exaggeration", 0, 4, "in 3D; the same at every zoom"],
  ["shading", "Shading", 0, 2],
  ["azimuth", "Sun from", 0, 360],
  ["altitude", "Sun's height", 8, 88],
  ["haze", "Haze", 0, 1],
];

export class Look {
  // changed() is called after each change of stage.settings, `palette`, `overlay` or `opacity`.
  constructor(stage, changed) {
    Object.assign(this, { stage, changed, palettes: {}, palette: "", overlay: "", overPalette: "viridis", opacity: 0.8, contours: false, rivers: false });
    const rows = sliders.map(([name, title, low, high, doc]) => this.slider(name, title, low, high, doc));
    this.select = element("select", { id: "palette", onchange: () => this.choose(this.select.value) });
    this.over = element("select", { id: "overlay", onchange: () => { this.overlay = this.over.value; changed(); } });
    this.overSelect = element("select", { ariaLabel: "Palette of what is laid over", onchange: () => { this.overPalette = this.overSelect.value; changed(); } });
    const through = element("input", { type: "range", min: 0, max: 1, step: "any", value: this.opacity, ariaLabel: "Opacity of what is laid over" });
    through.oninput = () => { this.opacity = Number(through.value); changed(); };
    const lines = element("input", { id: "contours", type: "checkbox", onchange: () => { this.contours = lines.checked; changed(); } });
    const rivers = element("input", { id: "rivers", type: "checkbox", onchange: () => { this.rivers = rivers.checked; changed(); } });
    this.riverRow = element("div", { className: "param" }, element("label", { for: "rivers" }, "Rivers as lines"), rivers);
    this.histogram = element("div");
    this.overRow = element("div", { className: "param" }, element("label", { for: "overlay" }, "Laid over"), element("span", { className: "row" }, this.over, this.overSelect), through);
    get("look").append(
      element("div", { className: "param" }, element("label", { for: "palette" }, "Palette"), this.select), this.overRow,
      element("div", { className: "param" }, element("label", { for: "contours" }, "Contour lines"), lines), this.riverRow, ...rows,
      element("h2", {}, "Heights in view"), this.histogram);
  }
  slider(name, title, low, high, doc) {
    const { settings } = this.stage, id = "look-" + name;
    const input = element("input", { id, type: "range", min: low, max: high, step: "any", value: settings[name] });
    input.oninput = () => { settings[name] = Number(input.value); this.changed(); };
    return element("div", { className: "param" }, element("label", { for: id }, title), input, ...doc ? [element("p", {}, doc)] : []);
  }

  // Names that other results, as pictures, may lie over the ground.
  offer(palettes, overlays, rivers) {
    this.riverRow.hidden = !rivers;
    const names = Object.keys(palettes);
    this.palettes = palettes;
    this.select.replaceChildren(...names.map(name => new Option(name, name)));
    this.select.value = this.palette;
    this.over.replaceChildren(new Option("nothing", ""), ...overlays.map(name => new Option(name, name)));
    if (!overlays.includes(this.overlay)) this.overlay = "";
    if (!palettes[this.overPalette]) this.overPalette = names[0];
    this.overSelect.replaceChildren(...names.map(name => new Option(name, name)));
    this.overSelect.value = this.overPalette;
    this.over.value = this.overlay;
    this.overRow.hidden = !overlays.length;
  }
  choose(name) {
    if (!this.palettes[name]) name = Object.keys(this.palettes)[0];
    this.palette = this.select.value = name;
    this.ramp = rampOf(this.palettes[name]);
    this.stage.paint(this.ramp);
    this.changed();
  }

  // The legend, and the histogram where it is seen: `range` in altitudes, `values` a sample of them.
  tell(range, values) {
    const canvas = get("legend").firstElementChild, caption = get("legend").lastElementChild;
    get("legend").hidden = !range;
    if (!range || !this.ramp) return;
    const context = canvas.getContext("2d"), sea = range.coast ? 0.3 : 0;
    for (let x = 0; x < canvas.width; x++) {
      const share = x / canvas.width;
      context.fillStyle = cssOf(this.ramp, share < sea ? share / sea - 1 - 1e-3 : (share - sea) / (1 - sea));
      context.fillRect(x, 0, 1, canvas.height);
    }
    const labels = range.labels;
    if (caption.textContent !== labels.join("")) caption.replaceChildren(...labels.map(label => element("span", {}, label)));
    if (!get("look").hidden && performance.now() - (this.told ?? 0) > 400) {
      this.told = performance.now();
      this.histogram.replaceChildren(histogramPlot(values));
    }
  }
}

// The ends of the legend. Deep down all absolute altitudes are the same number, so that there the span is given.
export function labelsOf(low, high, centre) {
  const span = high - low, near = Math.max(Math.abs(centre + low), Math.abs(centre + high));
  if (span > 1e-3 * near) return [brief(centre + low, 3), brief(centre + high, 3)];
  return [brief(centre, 5), "+ " + brief(span, 2)];
}
