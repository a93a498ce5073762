// What is at a place: a click shows it; a line drawn across shows the profile.
import { toDigits } from "./address.js";
import { brief, drawn, element, get } from "./dom.js";
import { profilePlot } from "./plots.js";

const shorter = digits => digits.length > 22 ? digits.slice(0, 10) + "…" + digits.slice(-9) : digits;

export function closeInspector() {
  get("inspector").hidden = true;
  get("drawing").replaceChildren();
}
function open(title, ...children) {
  get("inspector").replaceChildren(element("header", {}, element("span", {}, title),
    element("button", { className: "plain", ariaLabel: "Close", onclick: closeInspector }, "×")), ...children);
  get("inspector").hidden = false;
}

const names = { altitude: "Height", slope: "Slope", drained: "Drains", river: "River", basin: "Basin" };

export function showPlace(place, zoom, known, asked) {
  const list = element("dl", { className: "scores" });
  const fill = values => list.replaceChildren(...Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== false)
    .flatMap(([name, value]) => [element("dt", {}, names[name] ?? name), element("dd", {}, typeof value === "number" ? brief(value, 5) : String(value))]));
  const where = { x: shorter(toDigits(place.x, zoom)), y: shorter(toDigits(place.y, zoom)) };
  fill({ ...where, ...known });
  open("This place", list);
  asked?.then(more => fill({ ...where, ...known, ...more }), () => {});
}

// A line between two points of the screen, and the heights that `heightAt(x, y)` has along it.
export function showProfile(from, to, heightAt, sea, done) {
  const [x1, y1, x2, y2] = [...from, ...to];
  get("drawing").replaceChildren(drawn("line", { x1, y1, x2, y2 }), drawn("circle", { cx: x1, cy: y1, r: 4 }), drawn("circle", { cx: x2, cy: y2, r: 4 }));
  if (!done) return;
  const heights = Array.from({ length: 161 }, (_, i) => heightAt(x1 + (x2 - x1) * i / 160, y1 + (y2 - y1) * i / 160));
  const finite = heights.filter(Number.isFinite), low = Math.min(...finite), high = Math.max(...finite);
  open("Profile", profilePlot(heights, sea), element("p", { className: "row dim" }, `${brief(low, 4)} to ${brief(high, 4)}`,
    "· rises by " + brief(high - low, 3)));
}
