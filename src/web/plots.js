// What Apache ECharts draws of a gallery's rows. Tooltips are nodes that hold text: ECharts would take a
// string for HTML.
"use strict";

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
const least = values => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = values => values.reduce((a, b) => Math.max(a, b), -Infinity);

function tooltip(describe) {
  return {
    formatter: point => {
      const node = document.createElement("span");
      node.textContent = describe(point);
      return node;
    },
  };
}

// The 0.975 quantile of Student's t (Abramowitz and Stegun 1964, 26.7.5): less than 0.1 % off from four
// degrees of freedom on.
function studentT(freedom) {
  if (freedom <= 3) return [12.7062, 4.30265, 3.18245][freedom - 1];
  const z = 1.959964,
    v = freedom;
  return (
    z +
    (z ** 3 + z) / (4 * v) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * v ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * v ** 3) +
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * v ** 4)
  );
}
// Mean and 95 % confidence interval of the mean; the interval is the mean where there is one value.
function meanOf(values) {
  const middle = mean(values),
    count = values.length;
  if (count < 2) return { middle, low: middle, high: middle, count };
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (count - 1)),
    half = (studentT(count - 1) * deviation) / Math.sqrt(count);
  return { middle, low: middle - half, high: middle + half, count };
}

const MOST_LINES = 12;

const areNumbers = values => values.every(value => typeof value === "number" || missing(value));
// Numbers by size, else names by the alphabet.
const inOrder = values => [...new Set(values)].sort(compare);
// An axis of numbers, or of names where not all values are numbers; place(value) is where a value lies on it.
function along(style, name, values) {
  if (areNumbers(values)) return { axis: style.axis(name), place: value => value };
  const names = inOrder(values.filter(value => !missing(value)).map(String));
  return {
    axis: { ...style.axis(name), type: "category", data: names },
    place: value => names.indexOf(String(value)),
  };
}

// An interval as a bar with ends, where a line has one point alone and so no band.
function intervalAt([x, low, high]) {
  const line = (x1, y1, x2, y2) => ({ x1, y1, x2, y2 }),
    wide = 7;
  return [line(x, low, x, high), line(x - wide, low, x + wide, low), line(x - wide, high, x + wide, high)];
}
// How far the name of an axis of texts is from it: beyond the longest.
const gapBeside = texts => 14 + Math.min(7 * most([0, ...texts.map(text => text.length)]), 150);

// The colours and parts that all plots share.
function plotStyle() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const front = dark ? "#e6e4df" : "#23282b",
    line = dark ? "#2e3437" : "#dcd9d1";
  return {
    front,
    tones: dark
      ? ["#7fb2e5", "#e6a85c", "#6fc39b", "#d684b0", "#a7abef", "#c9a871"]
      : ["#1c5694", "#b06c14", "#2f7d5a", "#a1447c", "#6b6fc4", "#8a6d3b"],
    mark: dark ? "#7fb2e5" : "#1c5694",
    base: {
      textStyle: { color: front },
      grid: { left: 70, right: 30, top: 24, bottom: 48 },
      animation: false,
    },
    axis: (name, gap = 28) => ({
      name,
      nameLocation: "middle",
      nameGap: gap,
      scale: true,
      type: "value",
      axisLabel: { color: front },
      nameTextStyle: { color: front },
      splitLine: { lineStyle: { color: line } },
    }),
    legend: names =>
      names.length > 1 ? { data: names, textStyle: { color: front }, top: 0, type: "scroll" } : undefined,
    colours: values => ({
      min: least(values),
      max: most(values),
      calculable: true,
      precision: 3,
      orient: "vertical",
      right: 4,
      top: 24,
      textStyle: { color: front },
      inRange: { color: ["#2b4f81", "#4f9a94", "#e3c567", "#c8553d"] },
    }),
  };
}

// `view` names what is plotted: { x, y, colour, apart, several, results }, all but the lists names of
// columns; `at` is the Map of their indices.
const plotKinds = {
  histogram: (rows, at, view, style) => {
    const all = rows.map(row => row[at.get(view.x)]).filter(value => !missing(value));
    if (!areNumbers(all)) {
      const names = inOrder(all.map(String)),
        counts = names.map(name => all.filter(value => String(value) === name).length);
      return {
        ...style.base,
        tooltip: tooltip(point => point.name + ": " + point.value + " runs"),
        yAxis: style.axis("runs", 44),
        xAxis: { ...style.axis(view.x), type: "category", data: names },
        series: [{ type: "bar", data: counts, itemStyle: { color: style.mark } }],
      };
    }
    const values = all.filter(Number.isFinite);
    const low = least(values),
      count = Math.max(1, Math.ceil(Math.sqrt(values.length)));
    const step = (most(values) - low) / count || 1,
      bins = Array(count).fill(0);
    for (const value of values) bins[Math.min(count - 1, Math.floor((value - low) / step))]++;
    return {
      ...style.base,
      tooltip: tooltip(point => point.name + ": " + point.value + " runs"),
      yAxis: style.axis("runs", 44),
      xAxis: {
        ...style.axis(view.x),
        type: "category",
        data: bins.map((_, i) => textOf(low + (i + 0.5) * step)),
      },
      series: [{ type: "bar", data: bins, barCategoryGap: "4%", itemStyle: { color: style.mark } }],
    };
  },
  "heat map": (rows, at, view, style) => {
    const cells = new Map(),
      xs = new Set(),
      ys = new Set();
    const x = at.get(view.x),
      y = at.get(view.y);
    const z = at.get(
      rows.some(row => Number.isFinite(row[at.get(view.colour)])) ? view.colour : view.results[0],
    );
    for (const row of rows) {
      if (!Number.isFinite(row[z])) continue;
      const key = row[x] + "\t" + row[y];
      xs.add(row[x]);
      ys.add(row[y]);
      cells.set(key, (cells.get(key) || []).concat(row[z]));
    }
    const across = [...xs].sort(compare),
      up = [...ys].sort(compare);
    const names = up.map(textOf),
      gap = gapBeside(names),
      points = [...cells].map(([key, values]) => {
        const [a, b] = key.split("\t");
        return [
          across.findIndex(v => String(v) === a),
          up.findIndex(v => String(v) === b),
          +mean(values).toPrecision(5),
        ];
      });
    return {
      ...style.base,
      grid: { ...style.base.grid, left: gap + 26, right: 90 },
      visualMap: style.colours(points.map(point => point[2])),
      tooltip: tooltip(
        point => textOf(across[point.value[0]]) + ", " + textOf(up[point.value[1]]) + ": " + point.value[2],
      ),
      xAxis: { ...style.axis(view.x), type: "category", data: across.map(textOf) },
      yAxis: {
        ...style.axis(view.y, gap),
        type: "category",
        data: names,
        axisLabel: { color: style.front, width: 150, overflow: "truncate" },
      },
      series: [{ type: "heatmap", data: points }],
    };
  },
  // Means over runs that differ in nothing but x, colour and seeds, with what 95 % of such samples cover: a
  // line for each value of the colour, and of the parameters of view.apart, which were varied as well.
  means: (rows, at, view, style) => {
    const x = at.get(view.x),
      y = at.get(view.y),
      groups = new Map(),
      { axis, place } = along(
        style,
        view.x,
        rows.map(row => row[x]),
      );
    const apart = (view.colour ? [view.colour] : []).concat(view.apart),
      alone = view.apart.length === 0;
    const nameOf = row =>
      apart.map(name => (alone ? "" : name + " ") + textOf(row[at.get(name)])).join(", ") || view.y;
    for (const row of rows) {
      if (missing(row[x]) || !Number.isFinite(row[y])) continue;
      const name = nameOf(row);
      if (!groups.has(name)) groups.set(name, new Map());
      const places = groups.get(name),
        spot = place(row[x]);
      places.set(spot, (places.get(spot) || []).concat(row[y]));
    }
    const all = [...groups].slice(0, MOST_LINES);
    const series = all.flatMap(([name, places], i) => {
      const points = [...places]
          .sort((a, b) => a[0] - b[0])
          .map(([at, values]) => ({ at, ...meanOf(values) })),
        color = style.tones[i % style.tones.length];
      const outline = points
        .map(point => [point.at, point.high])
        .concat(points.map(point => [point.at, point.low]).reverse());
      const bar = (params, api) =>
        params.dataIndex
          ? undefined
          : {
              type: "group",
              children: intervalAt([...api.coord(outline[0]), api.coord(outline[1])[1]]).map(shape => ({
                type: "line",
                shape,
                style: { stroke: color, lineWidth: 1.5 },
              })),
            };
      const band = (params, api) =>
        params.dataIndex
          ? undefined
          : {
              type: "polygon",
              shape: { points: outline.map(point => api.coord(point)) },
              style: { fill: color, opacity: 0.18 },
            };
      return [
        {
          type: "custom",
          renderItem: points.length > 1 ? band : bar,
          data: outline,
          silent: true,
          tooltip: { show: false },
          clip: true,
        },
        {
          type: "line",
          name,
          symbolSize: 7,
          itemStyle: { color },
          lineStyle: { color, width: 2 },
          data: points.map(point => [point.at, point.middle, point.low, point.high, point.count]),
        },
      ];
    });
    const more =
      groups.size > MOST_LINES
        ? {
            text: `${MOST_LINES} of ${groups.size} lines: filter to see the others`,
            right: 8,
            bottom: 0,
            textStyle: { color: style.front, fontSize: 12 },
          }
        : undefined;
    return {
      ...style.base,
      xAxis: axis,
      yAxis: style.axis(view.y, 44),
      legend: style.legend(all.map(([name]) => name)),
      title: more,
      tooltip: tooltip(
        point =>
          `${view.x} ${axis.data?.[point.value[0]] ?? textOf(point.value[0])}: ${textOf(point.value[1])} (${textOf(point.value[2])} to ${textOf(point.value[3])}, ${point.value[4]} runs)`,
      ),
      series,
    };
  },
  parallel: (rows, at, view, style) => ({
    ...style.base,
    parallel: { left: 60, right: 60, top: 44, bottom: 24 },
    parallelAxis: view.several.map((name, dim) => ({
      dim,
      name,
      scale: true,
      nameTextStyle: { color: style.front },
      axisLabel: { color: style.front },
    })),
    series: [
      {
        type: "parallel",
        lineStyle: { opacity: 0.25, color: style.mark },
        data: rows
          .filter(row => view.several.every(name => Number.isFinite(row[at.get(name)])))
          .map(row => view.several.map(name => row[at.get(name)])),
      },
    ],
  }),
  scatter: (rows, at, view, style) => {
    const x = at.get(view.x),
      y = at.get(view.y),
      c = at.get(view.colour),
      key = at.get("key");
    const whole = rows.filter(row => !missing(row[x]) && Number.isFinite(row[y])),
      { axis, place } = along(
        style,
        view.x,
        whole.map(row => row[x]),
      );
    const named = c !== undefined && !areNumbers(whole.map(row => row[c])),
      names = named ? inOrder(whole.map(row => textOf(row[c]))) : [view.y];
    const colours = c === undefined || named ? [] : whole.map(row => row[c]).filter(Number.isFinite);
    const captions = new Map(whole.map(row => [row[key], row]));
    const series = names.map((name, i) => ({
      type: "scatter",
      name,
      symbolSize: 8,
      itemStyle: {
        opacity: 0.75,
        color: colours.length ? undefined : named ? style.tones[i % style.tones.length] : style.mark,
      },
      data: whole
        .filter(row => !named || textOf(row[c]) === name)
        .map(row => [place(row[x]), row[y], c === undefined ? 0 : row[c], row[key]]),
    }));
    return {
      ...style.base,
      xAxis: axis,
      yAxis: style.axis(view.y, 44),
      legend: style.legend(names),
      grid: { ...style.base.grid, right: colours.length ? 90 : 30 },
      tooltip: tooltip(point => captionOf(captions.get(point.value[3]))),
      visualMap: colours.length ? { ...style.colours(colours), dimension: 2 } : undefined,
      series,
    };
  },
};
