// Legends in the bar below: a strip of colours with labels, of the ground and of what is laid over it.
import { brief, element } from "./dom.js";

const SHORE = 0.5; // where the shore of the ground's legend is, from its left end
const APART = 5; // units of the third digit

export class Legend {
  constructor(figure) {
    this.figure = figure;
    this.usual = figure.ariaLabel;
    this.told = "";
  }
  // { name, title, labels: [[share, text], …], colourAt(share) → CSS }; null hides it. `name`: for those who do not
  // see it.
  tell(legend) {
    this.figure.hidden = !legend;
    if (!legend) return;
    const canvas = this.figure.querySelector("canvas"),
      context = canvas.getContext("2d"),
      { title = "", labels, colourAt } = legend;
    for (let x = 0; x < canvas.width; x++) {
      context.fillStyle = colourAt(x / canvas.width);
      context.fillRect(x, 0, 1, canvas.height);
    }
    const told = JSON.stringify([title, labels]);
    if (this.told === told) return;
    this.told = told;
    this.figure.ariaLabel = legend.name ?? this.usual;
    this.figure.classList.toggle("words", Boolean(legend.name));
    const name = this.figure.querySelector(".title");
    if (name) name.textContent = title;
    this.figure.querySelector(".labels").replaceChildren(
      ...labels.map(([share, text]) => {
        const made = element("span", { className: share === 0 ? "" : share === 1 ? "end" : "inner" }, text);
        if (made.className === "inner") made.style.left = share * 100 + "%";
        return made;
      }),
    );
  }
}

// What natural colours stand for; the climate varies them.
const covers = [
  ["trees", "rgb(80 112 62)"],
  ["grass", "rgb(146 148 86)"],
  ["sand", "rgb(210 184 134)"],
  ["rock", "rgb(139 130 117)"],
  ["snow", "rgb(244 247 251)"],
];
export const coverLegend = {
  name: "Natural colours",
  labels: covers.map(([name], i) => [(i + 0.5) / covers.length, name]),
  colourAt: share => covers[Math.floor(share * covers.length)][1],
};

// The legend of a range of altitudes above `centre`: which share of it is sea, and its labels, each with its
// share. Where the sea is in view, its left end is the deepest, and the shore, at this share, has the sea's
// level. Colours end a little before the lowest and the highest (rangeOf), which the labels say, unless the
// range is `exact`.
export function legendOf({ low, high, deep, exact = false }, coast, centre, level, shore = SHORE) {
  const [least, most] = exact ? ["", ""] : ["≤ ", "≥ "];
  if (!coast) {
    const { alike, texts } = endsOf(centre + low, centre + high, high - low);
    return {
      sea: 0,
      labels: alike
        ? [
            [0, texts[0]],
            [1, texts[1]],
          ]
        : [
            [0, least + texts[0]],
            [1, most + texts[1]],
          ],
    };
  }
  const ends = [centre + deep, level, centre + high].map(value => rounded(value, high - deep));
  return high - low > 1e-200
    ? {
        sea: shore,
        labels: [
          [0, least + ends[0]],
          [shore, ends[1]],
          [1, most + ends[2]],
        ],
      }
    : {
        sea: 1,
        labels: [
          [0, least + ends[0]],
          [1, ends[1]],
        ],
      };
}

// A number of a range of this span: what is nothing beside it is 0.
const rounded = (value, span) => (Math.abs(value) < 5e-4 * span ? "0" : brief(value, 3));

// The ends of a range as texts. Deep down all absolute altitudes are the same number, so that the span is
// given where three digits tell the ends apart by less than `APART` of the last digit.
function endsOf(low, high, span) {
  const near = Math.max(Math.abs(low), Math.abs(high)),
    alike = span < APART * 10 ** (Math.floor(Math.log10(near)) - 2);
  return {
    alike,
    texts: alike ? [brief(low, 5), "+ " + brief(span, 2)] : [rounded(low, span), rounded(high, span)],
  };
}

// Of values from low to high, where each lies in a palette: where it has colours for what is below 0 and
// there are such values, both ways from 0; else from its lowest to its highest.
export function scaleOf({ low, high, log = false }, below) {
  const both = below && low < 0 && !log,
    most = Math.max(-low, high),
    zero = -low / (high - low),
    near = zero < 0.15 || zero > 0.85;
  const texts = log || !(high > low) ? [brief(low, 3), brief(high, 3)] : endsOf(low, high, high - low).texts;
  const labels = [[0, texts[0]], ...(both && high > 0 && !near ? [[zero, "0"]] : []), [1, texts[1]]];
  return { log, labels, positionAt: share => (both ? (low + share * (high - low)) / most : share) };
}
