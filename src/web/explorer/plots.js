// Small plots as SVG: a profile and a histogram.
import { brief, drawn, element } from "./dom.js";

export function profilePlot(heights, sea) {
  const plot = drawn("svg", {
    class: "plot",
    viewBox: "0 0 240 110",
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": "Heights along the line",
  });
  const finite = heights.filter(Number.isFinite);
  if (finite.length < 2) return plot;
  const low = Math.min(...finite),
    high = Math.max(...finite),
    span = high - low || 1;
  const x = i => (i / (heights.length - 1)) * 240,
    y = height => 102 - ((height - low) / span) * 94;
  // Where the line leaves the map there is none.
  const known = heights
    .map((height, i) => [x(i).toFixed(1), height])
    .filter(([, height]) => Number.isFinite(height));
  const path = known.map(([at, height], i) => (i ? "L" : "M") + at + " " + y(height).toFixed(1)).join("");
  plot.append(
    drawn("path", { class: "under", d: `${path}L${known.at(-1)[0]} 110L${known[0][0]} 110Z` }),
    drawn("path", { d: path, "vector-effect": "non-scaling-stroke" }),
  );
  if (sea > low && sea < high)
    plot.append(
      drawn("path", { class: "sea", d: `M0 ${y(sea)}H240`, "vector-effect": "non-scaling-stroke" }),
    );
  return plot;
}

// Bars above the ends of their scale; log: bars of equal factors.
export function histogramPlot(values, { bars = 60, log = false } = {}) {
  const plot = drawn("svg", {
    class: "plot histogram",
    viewBox: "0 0 240 56",
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": "How often each value occurs",
  });
  const finite = (log ? values.map(Math.log) : values).filter(Number.isFinite);
  if (!finite.length) return plot;
  let low = Infinity,
    high = -Infinity;
  for (const value of finite) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const counts = new Array(bars).fill(0);
  for (const value of finite)
    counts[Math.min(bars - 1, Math.floor(((value - low) / (high - low || 1)) * bars))]++;
  const most = Math.max(...counts);
  counts.forEach((count, i) =>
    plot.append(
      drawn("rect", {
        x: (i * 240) / bars,
        width: 240 / bars - 0.6,
        y: 56 - (54 * count) / most,
        height: (54 * count) / most,
      }),
    ),
  );
  const ends = [low, high].map(value => brief(log ? Math.exp(value) : value, 3));
  return element(
    "div",
    {},
    plot,
    element("div", { className: "ends dim" }, ...ends.map(text => element("span", {}, text))),
  );
}
