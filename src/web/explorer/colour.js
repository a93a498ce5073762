// Colours: the ramps of Esker's palettes, and the range of altitudes that a view spreads them over. Pure.

export const RAMP = 512; // colours of a ramp: the sea's from the deepest to the shore, then the land's

const light = value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encoded = value => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

// Colours between the stops [position, red, green, blue], -1 to 1, are blended in linear light.
export function rampOf(stops) {
  const bytes = new Uint8Array(RAMP * 4);
  for (let i = 0; i < RAMP; i++) {
    const half = RAMP / 2,
      land = i >= half;
    const at = land ? (i - half) / (half - 1) : Math.min((i - half + 0.5) / half, -1e-6);
    let next = stops.findIndex(stop => stop[0] > at);
    if (next < 0) next = stops.length;
    const below = stops[Math.max(next - 1, 0)],
      above = stops[Math.min(next, stops.length - 1)];
    const share = above[0] > below[0] ? (at - below[0]) / (above[0] - below[0]) : 0;
    for (let c = 0; c < 3; c++) {
      const mixed = light(below[c + 1] / 255) * (1 - share) + light(above[c + 1] / 255) * share;
      bytes[i * 4 + c] = Math.round(encoded(mixed) * 255);
    }
    bytes[i * 4 + 3] = 255;
  }
  return bytes;
}

export const cssOf = (ramp, position) => {
  const i = Math.round(((position + 1) / 2) * (RAMP - 1)) * 4;
  return `rgb(${ramp[i]} ${ramp[i + 1]} ${ramp[i + 2]})`;
};

// Esker's palette "atlas", where the server sends none. Colours of different heights differ for any colour
// vision.
export const standard = {
  atlas: [
    [-1, 22, 52, 79],
    [-0.5, 36, 85, 122],
    [-0.15, 63, 127, 163],
    [-0.02, 121, 176, 196],
    [-0.0001, 163, 205, 211],
    [0, 92, 128, 84],
    [0.15, 128, 154, 88],
    [0.3, 178, 188, 112],
    [0.45, 228, 216, 156],
    [0.6, 200, 160, 130],
    [0.74, 148, 110, 104],
    [0.85, 112, 88, 98],
    [0.93, 182, 174, 184],
    [1, 250, 249, 248],
  ],
};

// Seas for palettes that have none: the usual one, and one for palettes with blue land.
const seas = [
  standard.atlas,
  [
    [-1, 140, 145, 150],
    [-0.0001, 238, 241, 243],
    [0, 255, 255, 255],
  ],
].map(stops => rampOf(stops).subarray(0, RAMP * 2));
const APART = 35; // what one tells apart, of 255 in each channel
const SHALLOW = RAMP / 4; // half way down

const isApart = (one, i, other, j, least = APART) =>
  Math.hypot(...[0, 1, 2].map(c => one[i * 4 + c] - other[j * 4 + c])) > least;
// Whether a colour of the sea is no colour of the land up to this height.
function isToldApart(sea, i, ramp, height = 1) {
  for (let j = RAMP / 2; j < (RAMP / 2) * (1 + height); j++) if (!isApart(sea, i, ramp, j)) return false;
  return true;
}
const hasSea = ramp => isToldApart(ramp, SHALLOW, ramp, 0.4);
// The colours of a ground: those of the stops, with another sea where land and sea would look alike.
export function groundRamp(stops) {
  const ramp = rampOf(stops),
    shore = RAMP / 2;
  const suits = sea =>
    [0, SHALLOW, shore - 1].every(i => isToldApart(sea, i, ramp)) &&
    isApart(sea, shore - 1, ramp, shore, 2 * APART);
  if (!hasSea(ramp)) ramp.set(seas.find(suits) ?? seas.at(-1));
  return ramp;
}
// Whether a palette's colours go both ways from 0, without the break of a shore.
export function isDiverging(stops) {
  const ramp = rampOf(stops);
  return stops[0][0] < 0 && hasSea(ramp) && !isApart(ramp, RAMP / 2 - 1, ramp, RAMP / 2);
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

const LEVELLED = 0.8; // how much of the whole view's slope is taken away before it is shaded
const ROUGH = 0.16; // the least roughness, as a share of the slope, that is shaded in full

// The range that a view's colours span, from the altitudes and slopes, [east, south], of samples: { low,
// high, deep, steep, east, south }, altitudes above the datum as `samples` are. Where the sea is seen,
// colours of the land begin at its shore. Light shows what differs from the slope of the whole view, so that
// a hillside on which one stands is no plain surface.
export function rangeOf(samples, slopes, sea) {
  const land = Float64Array.from(samples.filter(value => !(value < sea))).sort();
  const water = Float64Array.from(samples.filter(value => value < sea)).sort();
  const least = 1e-300;
  if (!samples.length) return null;
  const coast = water.length > samples.length / 200;
  const low = land.length ? (coast ? Math.max(sea, -Infinity) : quantile(land, 0.01)) : sea;
  const high = land.length ? quantile(land, 0.985) : sea;
  const deep = water.length ? quantile(water, 0.02) : sea;
  const span = Math.max(high - low, least),
    mean = of =>
      slopes.reduce((sum, slope) => sum + Math.max(-1e6, Math.min(of(slope), 1e6)), 0) /
      Math.max(slopes.length, 1);
  const east = LEVELLED * mean(slope => slope[0]),
    south = LEVELLED * mean(slope => slope[1]);
  const rough = mean(slope => (slope[0] - east) ** 2 + (slope[1] - south) ** 2),
    whole = mean(slope => slope[0] ** 2 + slope[1] ** 2);
  return {
    low,
    high: low + span,
    deep: Math.min(deep, sea - (coast ? 0 : span)),
    east,
    south,
    steep: Math.max(Math.sqrt(rough), ROUGH * Math.sqrt(whole), 1e-9),
  };
}

// The same for a palette that diverges: as far below `zero` as above it.
export function rangeAround(zero, range, samples) {
  const most = Math.max(
    quantile(Float64Array.from(samples, value => Math.abs(value - zero)).sort(), 0.985),
    1e-300,
  );
  return { ...range, low: zero, high: zero + most, deep: zero - most };
}

// Moves `from` towards `to` by the share that `seconds` of easing cover; at once where the view is of another
// scale, as after a jump: a range of 1 would take seconds to become one of 10^-20.
export function eased(from, to, seconds) {
  const times = from ? (from.high - from.low) / (to.high - to.low) : Infinity;
  if (!(times < 8 && times > 1 / 8)) return { ...to };
  const share = 1 - Math.exp(-seconds / 0.18),
    next = {};
  for (const name in to) next[name] = from[name] + (to[name] - from[name]) * share;
  next.steep = from.steep * (to.steep / from.steep) ** share;
  return next;
}

// A field as a picture: colours of a ramp from its lowest to its highest cell, or both ways from 0 where the
// ramp has colours for what is below 0 and the field has such cells. Cells that are no number are clear.
export function pictureOf({ width, height, low, high, cells }, ramp, below) {
  const pixels = new Uint8Array(width * height * 4),
    most = Math.max(-low, high),
    both = below && low < 0;
  for (let i = 0; i < cells.length; i++) {
    if (!Number.isFinite(cells[i])) continue;
    const position = both ? cells[i] / most : (cells[i] - low) / Math.max(high - low, 1e-30),
      at = Math.round(((position + 1) / 2) * (RAMP - 1)) * 4;
    for (let k = 0; k < 4; k++) pixels[4 * i + k] = ramp[at + k];
  }
  return { src: pixels, width, height };
}
