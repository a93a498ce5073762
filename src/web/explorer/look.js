// How it looks: palette, light, exaggeration, contours, what is laid over the ground; the histogram of what is seen.
import { cssOf, rampOf } from "./colour.js";
import { brief, element, get } from "./dom.js";
import { histogramPlot } from "./plots.js";

const SHORE = 0.4; // where the legend's shore is, from its left end

const degrees = value => Math.round(value) + "°", percent = value => Math.round(value * 100) + " %";
const sliders = [
  ["exaggeration", "Vertical exaggeration", 0, 4, value => "× " + value.toFixed(2), "in 3D; the same at every zoom"],
  ["shading", "Shading", 0, 2, percent],
  ["azimuth", "Sun from", 0, 360, degrees],
  ["altitude", "Sun's height", 8, 88, degrees],
  ["haze", "Haze", 0, 1, percent],
];

// A slider with its name and its value as a text.
function sliderRow(id, title, [low, high], value, { text, doc, moved }) {
  const told = element("output", { for: id }, text(value));
  const input = element("input", { id, type: "range", min: low, max: high, step: "any", value });
  input.oninput = () => {
    told.textContent = text(Number(input.value));
    moved(Number(input.value));
  };
  return element("div", { className: "param" }, element("label", { for: id }, title), told, input, ...doc ? [element("p", {}, doc)] : []);
}

export class Look {
  // changed() is called after each change of stage.settings, `palette`, `overlay` or `opacity`.
  constructor(stage, changed) {
    Object.assign(this, { stage, changed, palettes: {}, palette: "", overlay: "", overPalette: "viridis", opacity: 0.8, contours: false, rivers: false });
    const rows = sliders.map(([name, title, low, high, text, doc]) => sliderRow("look-" + name, title, [low, high], stage.settings[name],
      { text, doc, moved: value => { stage.settings[name] = value; changed(); } }));
    this.select = element("select", { id: "palette", onchange: () => this.choose(this.select.value) });
    this.over = element("select", { id: "overlay", onchange: () => this.layOver(this.over.value) });
    this.overSelect = element("select", { ariaLabel: "Palette of what is laid over", onchange: () => { this.overPalette = this.overSelect.value; changed(); } });
    this.throughRow = sliderRow("opacity", "Its opacity", [0, 1], this.opacity, { text: percent, moved: value => { this.opacity = value; changed(); } });
    const lines = element("input", { id: "contours", type: "checkbox", onchange: () => { this.contours = lines.checked; changed(); } });
    const rivers = element("input", { id: "rivers", type: "checkbox", onchange: () => { this.rivers = rivers.checked; changed(); } });
    this.riverRow = element("div", { className: "param" }, element("label", { for: "rivers" }, "Rivers as lines"), rivers);
    this.histogram = element("div");
    this.overRow = element("div", { className: "param" }, element("label", { for: "overlay" }, "Laid over"), element("span", { className: "row" }, this.over, this.overSelect));
    get("look").append(
      element("div", { className: "param" }, element("label", { for: "palette" }, "Palette"), this.select), this.overRow, this.throughRow,
      element("div", { className: "param" }, element("label", { for: "contours" }, "Contour lines"), lines), this.riverRow, ...rows,
      this.heights = element("div", {}, element("h2", {}, "Heights in view"), this.histogram));
  }
  layOver(name) {
    this.overlay = name;
    this.throughRow.hidden = !name;
    this.changed();
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
    this.throughRow.hidden = !this.overlay;
  }
  choose(name) {
    if (!this.palettes[name]) name = Object.keys(this.palettes)[0];
    this.palette = this.select.value = name;
    this.ramp = rampOf(this.palettes[name]);
    this.stage.paint(this.ramp);
    this.changed();
  }

  // The legend, of legendOf, and the histogram where it is seen, of a sample of altitudes.
  tell(legend, values) {
    const canvas = get("legend").firstElementChild, caption = get("legend").lastElementChild;
    get("legend").hidden = this.heights.hidden = !legend;
    if (!legend || !this.ramp) return;
    const context = canvas.getContext("2d"), { sea, labels } = legend;
    for (let x = 0; x < canvas.width; x++) {
      const share = x / canvas.width;
      context.fillStyle = cssOf(this.ramp, share < sea ? share / sea - 1 - 1e-3 : (share - sea) / (1 - sea));
      context.fillRect(x, 0, 1, canvas.height);
    }
    if (this.labels !== JSON.stringify(labels)) {
      this.labels = JSON.stringify(labels);
      caption.replaceChildren(...labels.map(([share, text]) => {
        const made = element("span", { className: share === 0 ? "" : share === 1 ? "end" : "inner" }, text);
        if (made.className === "inner") made.style.left = share * 100 + "%";
        return made;
      }));
    }
    if (!get("look").hidden && performance.now() - (this.told ?? 0) > 400) {
      this.told = performance.now();
      this.histogram.replaceChildren(histogramPlot(values));
    }
  }
}

// The legend of a range of altitudes above `centre`: which share of it is sea, and its labels, each with its share. Where the sea
// is in view, its left end is the deepest, and the shore has the sea's level.
export function legendOf({ low, high, deep }, coast, centre, level) {
  if (!coast) return { sea: 0, labels: labelsOf(low, high, centre).map((text, i) => [i, text]) };
  const ends = [centre + deep, level, centre + high].map(value => rounded(value, high - deep));
  return high - low > 1e-200 ? { sea: SHORE, labels: [[0, ends[0]], [SHORE, ends[1]], [1, ends[2]]] }
    : { sea: 1, labels: [[0, ends[0]], [1, ends[1]]] };
}

// A number of a range of this span: what is nothing beside it is 0.
const rounded = (value, span) => Math.abs(value) < 5e-4 * span ? "0" : brief(value, 3);

// The ends of a legend without sea. Deep down all absolute altitudes are the same number, so that there the span is given.
function labelsOf(low, high, centre) {
  const span = high - low, near = Math.max(Math.abs(centre + low), Math.abs(centre + high));
  if (span > 1e-3 * near) return [rounded(centre + low, span), rounded(centre + high, span)];
  return [brief(centre, 5), "+ " + brief(span, 2)];
}
