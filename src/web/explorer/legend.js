// Legends in the bar below: a strip of colours with labels, of the ground and of what is laid over it.
import { brief, element } from "./dom.js";

const SHORE = 0.4; // where the shore of the ground's legend is, from its left end

export class Legend {
  constructor(figure) {
    this.figure = figure;
    this.told = "";
  }
  // { title, labels: [[share, text], …], colourAt(share) → CSS }; null hides it.
  tell(legend) {
    this.figure.hidden = !legend;
    if (!legend) return;
    const canvas = this.figure.querySelector("canvas"), context = canvas.getContext("2d"), { title = "", labels, colourAt } = legend;
    for (let x = 0; x < canvas.width; x++) {
      context.fillStyle = colourAt(x / canvas.width);
      context.fillRect(x, 0, 1, canvas.height);
    }
    const told = JSON.stringify([title, labels]);
    if (this.told === told) return;
    this.told = told;
    const name = this.figure.querySelector(".title");
    if (name) name.textContent = title;
    this.figure.querySelector(".labels").replaceChildren(...labels.map(([share, text]) => {
      const made = element("span", { className: share === 0 ? "" : share === 1 ? "end" : "inner" }, text);
      if (made.className === "inner") made.style.left = share * 100 + "%";
      return made;
    }));
  }
}

// The legend of a range of altitudes above `centre`: which share of it is sea, and its labels, each with its share. Where the sea
// is in view, its left end is the deepest, and the shore, at this share, has the sea's level.
export function legendOf({ low, high, deep }, coast, centre, level, shore = SHORE) {
  if (!coast) return { sea: 0, labels: labelsOf(low, high, centre).map((text, i) => [i, text]) };
  const ends = [centre + deep, level, centre + high].map(value => rounded(value, high - deep));
  return high - low > 1e-200 ? { sea: shore, labels: [[0, ends[0]], [shore, ends[1]], [1, ends[2]]] }
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

// Of values from low to high, where each lies in a palette: where it has colours for what is below 0 and there are such values,
// both ways from 0; else from its lowest to its highest.
export function scaleOf({ low, high, log = false }, below) {
  const both = below && low < 0 && !log, most = Math.max(-low, high), zero = -low / (high - low), near = zero < 0.15 || zero > 0.85;
  const labels = [[0, log ? brief(low, 3) : rounded(low, high - low)], ...both && high > 0 && !near ? [[zero, "0"]] : [], [1, rounded(high, high - low)]];
  return { log, labels, positionAt: share => both ? (low + share * (high - low)) / most : share };
}
