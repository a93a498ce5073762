// Sliders and fields for a recipe's parameters, and its scores.
import { brief, element, get } from "./dom.js";
import { isNumber, objection, present, typedValue } from "./values.js";

// The range of a slider: the declared one, else one that has the default and the value in it.
export function rangeOf(param) {
  const value = Number(param.value ?? param.default),
    given = Number(param.default) || 0;
  const low = param.low ?? Math.min(0, 2 * given, value),
    high = param.high ?? Math.max(2 * given, value, low + 1);
  const logarithmic = low > 0 && high / low >= 200;
  return { low, high, logarithmic, whole: param.kind === "whole" };
}
const toSlider = ({ low, high, logarithmic }, value) =>
  1000 * (logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
function fromSlider({ low, high, logarithmic, whole }, position) {
  const share = position / 1000,
    value = logarithmic ? low * (high / low) ** share : low + (high - low) * share;
  return whole ? Math.round(value) : Math.min(Math.max(Number(value.toPrecision(4)), low), high);
}
// Within what the parameter allows.
export function randomSeed({ low = 0, high = low + 999999 }) {
  return (
    Math.ceil(low) +
    (crypto.getRandomValues(new Uint32Array(1))[0] %
      (Math.floor(Math.min(high, low + 999999)) - Math.ceil(low) + 1))
  );
}

// moved(name, value, dragging) is told what the user chooses; what the recipe does not allow is refused at
// its field.
export class Panel {
  constructor(moved) {
    this.moved = moved;
    this.shown = "";
    this.controls = new Map();
  }

  // `failed`: the recipe may have ended before it declared them.
  show(params, values, failed) {
    const declared = JSON.stringify([
      Boolean(failed && !params.length),
      ...params.map(({ value, ...rest }) => rest),
    ]);
    if (declared !== this.shown) {
      this.shown = declared;
      this.controls.clear();
      const rows = params.map(param => this.row(param));
      get("parameters")
        .querySelector(".params")
        .replaceChildren(...rows);
      if (!rows.length && !failed)
        get("parameters")
          .querySelector(".params")
          .append(
            element(
              "p",
              { className: "dim" },
              "The recipe declares no parameters: params{ name = default } gives sliders.",
            ),
          );
    }
    const now = present(params, values);
    for (const { name } of params) this.controls.get(name).set(now[name]);
  }

  row(param) {
    const id = "p-" + param.name,
      row = element("div", { className: "param" });
    const label = element(
      "label",
      { for: id, title: "Double click: the default, " + param.default },
      param.name,
    );
    const wrong = element("p", { className: "wrong", role: "alert", hidden: true });
    const refuse = problem => {
      wrong.hidden = !problem;
      wrong.textContent = problem ?? "";
      row.classList.toggle("bad", Boolean(problem));
    };
    const send = (given, dragging) => {
      const value = typeof given === "number" ? typedValue(param, String(given)) : given,
        problem = objection(param, value);
      refuse(problem);
      if (!problem) this.moved(param.name, value, dragging);
    };
    const control = param.choices?.length
      ? this.choice(param, id, send)
      : param.kind === "boolean"
        ? this.box(id, send)
        : isNumber(param)
          ? this.number(param, id, send)
          : this.text(id, send);
    label.ondblclick = () => send(param.default, false);
    row.append(label, ...control.elements, wrong);
    if (param.doc) row.append(element("p", {}, param.doc));
    this.controls.set(param.name, {
      set: value => {
        row.classList.toggle("changed", String(value) !== String(param.default));
        refuse(null);
        if (!row.contains(document.activeElement) || document.activeElement.type !== "number")
          control.set(value);
        else if (control.slide) control.slide(value);
      },
    });
    return row;
  }
  choice(param, id, send) {
    const select = element("select", { id }, ...param.choices.map(choice => new Option(choice, choice)));
    select.onchange = () => send(typedValue(param, select.value), false);
    return {
      elements: [select],
      set: value => {
        select.value = value;
      },
    };
  }
  box(id, send) {
    const box = element("input", { id, type: "checkbox" });
    box.onchange = () => send(box.checked, false);
    return {
      elements: [box],
      set: value => {
        box.checked = value === true || value === "true";
      },
    };
  }
  text(id, send) {
    const field = element("input", { id, type: "text", spellcheck: false });
    field.onchange = () => send(field.value, false);
    return {
      elements: [field],
      set: value => {
        field.value = value;
      },
    };
  }
  number(param, id, send) {
    const range = rangeOf(param),
      seed = param.name === "seed";
    const field = element("input", { id, type: "number", step: range.whole ? 1 : "any" });
    if (param.low !== undefined) field.min = param.low;
    if (param.high !== undefined) field.max = param.high;
    field.onchange = () => send(typedValue(param, field.value), false);
    const slide = value => {
      if (slider !== document.activeElement || !slider.held) slider.value = toSlider(range, Number(value));
    };
    const slider = element("input", { type: "range", min: 0, max: 1000, step: "any", ariaLabel: param.name });
    slider.oninput = () => {
      const value = fromSlider(range, Number(slider.value));
      slider.held = true;
      field.value = value;
      send(value, true);
    };
    slider.onchange = () => {
      slider.held = false;
      send(fromSlider(range, Number(slider.value)), false);
    };
    slider.onkeydown = event => {
      // arrows go by a hundredth, or by one
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const step = range.whole ? way : 0;
      const value = step ? Number(field.value) + step : fromSlider(range, Number(slider.value) + way * 10);
      send(Math.min(Math.max(value, range.low), range.high), false);
    };
    const set = value => {
      field.value = value;
      slide(value);
    };
    if (seed) {
      const dice = element(
          "button",
          { title: "Random seed (R)", onclick: () => send(randomSeed(param), false) },
          "Random",
        ),
        row = element("span", { className: "row" }, field, dice);
      return param.low === undefined || param.high === undefined
        ? { elements: [row], set }
        : { elements: [row, slider], set, slide };
    }
    return { elements: [field, slider], set, slide };
  }
}

// Numbers and texts that the recipe returned.
export function showScores(place, results) {
  const rows = results
    .filter(result => result.kind === "number" || result.kind === "text")
    .flatMap(result => [
      element("dt", {}, result.name),
      element("dd", {}, result.kind === "number" ? brief(result.value, 5) : String(result.value)),
    ]);
  place.replaceChildren(...rows);
  place.hidden = !rows.length;
}
