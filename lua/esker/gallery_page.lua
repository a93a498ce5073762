-- The page of a sweep's gallery. DATA is replaced by the table as JSON. Its state is in the address: what is sorted,
-- filtered, plotted and open can be sent as a link.

return [==[
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Esker sweep</title>
<style>
:root { color-scheme: light dark; --back: #faf9f6; --front: #23282b; --dim: #6b7478; --line: #dcd9d1; --card: #fff;
  --mark: #1c5694; }
@media (prefers-color-scheme: dark) { :root { --back: #15181a; --front: #e6e4df; --dim: #98a1a5; --line: #2e3437;
  --card: #1d2123; --mark: #7fb2e5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--front); font: 15px/1.45 system-ui, sans-serif; }
header, main { max-width: 1400px; margin: auto; padding: 12px 16px; }
h1 { font-size: 20px; margin: 0 0 2px; }
.dim { color: var(--dim); }
label { display: inline-flex; align-items: center; gap: 6px; }
.bar { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; margin: 10px 0; }
select, input, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: 4px 8px; min-height: 34px; }
input.where { flex: 1 1 260px; }
input.bad { border-color: #c0392b; }
#plot { height: 420px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
#cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; padding: 0; margin: 14px 0;
  list-style: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; cursor: pointer;
  text-align: left; padding: 0; display: block; width: 100%; content-visibility: auto; contain-intrinsic-size: 150px 220px; }
.card img, .card .none { width: 100%; aspect-ratio: 1; object-fit: cover; display: block; background: var(--line); }
.card .none { display: grid; place-items: center; color: var(--dim); padding: 8px; font-size: 13px; }
.card p { margin: 0; padding: 6px 8px 8px; font-size: 12.5px; overflow-wrap: anywhere; }
.card.failed p { color: #c0392b; }
dialog { max-width: min(920px, 94vw); border: 1px solid var(--line); border-radius: 10px; background: var(--card);
  color: inherit; }
dialog img { max-width: 100%; display: block; margin: 0 0 8px; }
dialog code { display: block; padding: 8px; background: var(--back); border-radius: 6px; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 13.5px; } td { padding: 1px 14px 1px 0; }
</style>
<header>
  <h1 id="title"></h1>
  <div class="dim" id="count"></div>
  <div class="bar">
    <label>sort <select id="sort"></select></label>
    <label><input type="checkbox" id="down"> descending</label>
    <label>picture <select id="picture"></select></label>
    <input class="where" id="where" placeholder="filter, as in talus > 8 && suitability > 0.5" spellcheck="false">
  </div>
  <div class="bar" id="plots">
    <label>plot <select id="kind"><option>scatter<option>histogram<option>heat map<option>parallel</select></label>
    <label>x <select id="x"></select></label>
    <label>y <select id="y"></select></label>
    <label>colour <select id="colour"></select></label>
  </div>
  <div id="plot"></div>
</header>
<main><ul id="cards"></ul><button id="more" hidden>more</button></main>
<dialog id="one"></dialog>
<script src="echarts.min.js"></script>
<script>
"use strict";
const data = DATA;
const get = id => document.getElementById(id);
const columns = data.columns, at = Object.fromEntries(columns.map((name, i) => [name, i]));
const numeric = columns.filter(name => data.rows.some(row => typeof row[at[name]] === "number"));
const results = numeric.filter(name => data.results.includes(name));
const state = { sort: columns[0], down: "", where: "", picture: data.pictures[0] || "", kind: "scatter",
  x: numeric.find(name => data.parameters.includes(name)) || numeric[0] || "", y: results[0] || numeric[1] || numeric[0] || "",
  colour: "", open: "" };
const page = 240;
let shown = page, chart = null;

function readAddress() {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) if (name in state) state[name] = value;
}
function writeAddress() {
  const words = new URLSearchParams();
  for (const name in state) if (state[name]) words.set(name, state[name]);
  history.replaceState(null, "", "#" + words);
}
// A filter is an expression over the columns; only names, numbers, strings and operators are let through.
function filter() {
  const text = state.where.trim();
  get("where").classList.remove("bad");
  if (!text) return () => true;
  try {
    const names = text.replace(/"[^"]*"|'[^']*'/g, "").match(/[A-Za-z_]\w*/g) || [];
    if (names.some(name => !(name in at)) || /[^\w\s.<>=!&|()+*\/%"',-]/.test(text)) throw 0;
    const test = new Function(...columns, "return (" + text + ")");
    return row => test(...row.map(value => value ?? undefined));
  } catch (problem) {
    get("where").classList.add("bad");
    return () => true;
  }
}
const missing = value => value === null || value === undefined;
function compare(a, b) {
  return a === b ? 0 : a < b ? -1 : 1;
}
function visible() {
  const test = filter(), i = at[state.sort], way = state.down ? -1 : 1;
  return data.rows.filter(test).map((row, k) => [row, k])
    .sort((a, b) => missing(a[0][i]) - missing(b[0][i]) || way * compare(a[0][i], b[0][i]) || a[1] - b[1])
    .map(pair => pair[0]);
}
const text = value => typeof value === "number" ? String(+value.toPrecision(5)) : String(value ?? "");
function caption(row) {
  return data.parameters.filter(name => data.varied.includes(name)).map(name => name + " " + text(row[at[name]]))
    .concat(results.slice(0, 3).map(name => name + " " + text(row[at[name]]))).join(" · ");
}
function pictureOf(row, name) {
  return data.files[row[at.key]]?.includes(name) ? "runs/" + row[at.key] + "/" + name : "";
}
function drawCards(rows) {
  const list = get("cards");
  list.textContent = "";
  for (const row of rows.slice(0, shown)) {
    const item = document.createElement("li"), card = document.createElement("button");
    card.className = "card" + (row[at.status] === "done" ? "" : " failed");
    card.dataset.key = row[at.key];
    const source = pictureOf(row, state.picture);
    if (source) {
      const image = document.createElement("img");
      image.loading = "lazy";
      image.decoding = "async";
      image.src = source;
      image.alt = caption(row);
      card.append(image);
    } else {
      const none = document.createElement("div");
      none.className = "none";
      none.textContent = row[at.status] === "done" ? "no picture" : row[at.message] || row[at.status];
      card.append(none);
    }
    const line = document.createElement("p");
    line.textContent = caption(row);
    card.append(line);
    card.onclick = () => { state.open = row[at.key]; update(false); };
    item.append(card);
    list.append(item);
  }
  get("more").hidden = rows.length <= shown;
  get("count").textContent = rows.length + " of " + data.rows.length + " runs";
}
function drawOne() {
  const dialog = get("one"), row = data.rows.find(each => each[at.key] === state.open);
  if (!row) { if (dialog.open) dialog.close(); return; }
  dialog.textContent = "";
  for (const name of data.files[state.open] || []) {
    const image = document.createElement("img");
    image.src = "runs/" + state.open + "/" + name;
    image.alt = name;
    dialog.append(image);
  }
  const table = document.createElement("table");
  for (const name of columns) {
    const line = table.insertRow();
    line.insertCell().textContent = name;
    line.insertCell().textContent = text(row[at[name]]);
  }
  const code = document.createElement("code"), close = document.createElement("button");
  code.id = "command";
  code.textContent = "esker " + data.recipe + " " + data.parameters.filter(name => row[at[name]] !== null)
    .map(name => name + "=" + row[at[name]]).join(" ");
  close.textContent = "close";
  close.onclick = () => dialog.close();
  dialog.append(table, document.createElement("br"), code, document.createElement("br"), close);
  dialog.onclose = () => { state.open = ""; writeAddress(); };
  if (!dialog.open) dialog.showModal();
}
function mean(values) { return values.reduce((sum, value) => sum + value, 0) / values.length; }
function options(rows) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches, front = dark ? "#e6e4df" : "#23282b";
  const x = at[state.x], y = at[state.y], c = at[state.colour], line = dark ? "#2e3437" : "#dcd9d1";
  const axis = (name, gap = 28) => ({ name, nameLocation: "middle", nameGap: gap, scale: true, type: "value",
    axisLabel: { color: front }, nameTextStyle: { color: front }, splitLine: { lineStyle: { color: line } } });
  const base = { textStyle: { color: front }, grid: { left: 70, right: 30, top: 24, bottom: 48 }, animation: false };
  const whole = rows.filter(row => typeof row[x] === "number" && typeof row[y] === "number");
  const map = (min, max) => ({ min, max, calculable: true, precision: 3, orient: "vertical", right: 4, top: 24, textStyle: { color: front },
    inRange: { color: ["#2b4f81", "#4f9a94", "#e3c567", "#c8553d"] } });
  if (state.kind === "histogram") {
    const values = rows.map(row => row[x]).filter(value => typeof value === "number");
    const low = Math.min(...values), high = Math.max(...values), count = Math.max(1, Math.ceil(Math.sqrt(values.length)));
    const step = (high - low) / count || 1, bins = Array(count).fill(0);
    for (const value of values) bins[Math.min(count - 1, Math.floor((value - low) / step))]++;
    return { ...base, tooltip: {}, yAxis: axis("runs", 44), xAxis: { ...axis(state.x), type: "category",
      data: bins.map((_, i) => text(low + (i + 0.5) * step)) }, series: [{ type: "bar", data: bins, barCategoryGap: "4%",
      itemStyle: { color: dark ? "#7fb2e5" : "#1c5694" } }] };
  }
  if (state.kind === "heat map") {
    const cells = new Map(), xs = new Set(), ys = new Set(), z = c === undefined ? at[results[0]] : c;
    for (const row of rows) {
      if (typeof row[z] !== "number") continue;
      const key = row[x] + "\t" + row[y];
      xs.add(row[x]); ys.add(row[y]);
      cells.set(key, (cells.get(key) || []).concat(row[z]));
    }
    const across = [...xs].sort(compare), up = [...ys].sort(compare);
    const points = [...cells].map(([key, values]) => { const [a, b] = key.split("\t");
      return [across.findIndex(v => String(v) === a), up.findIndex(v => String(v) === b), +mean(values).toPrecision(5)]; });
    const all = points.map(point => point[2]);
    return { ...base, tooltip: {}, grid: { ...base.grid, right: 90 }, visualMap: map(Math.min(...all), Math.max(...all)),
      xAxis: { ...axis(state.x), type: "category", data: across.map(text) },
      yAxis: { ...axis(state.y, 44), type: "category", data: up.map(text) }, series: [{ type: "heatmap", data: points }] };
  }
  if (state.kind === "parallel") {
    const names = numeric.filter(name => data.varied.includes(name) || data.results.includes(name));
    return { ...base, parallel: { left: 60, right: 60, top: 44, bottom: 24 },
      parallelAxis: names.map((name, dim) => ({ dim, name, scale: true, nameTextStyle: { color: front },
        axisLabel: { color: front } })),
      series: [{ type: "parallel", lineStyle: { opacity: 0.25, color: dark ? "#7fb2e5" : "#1c5694" },
        data: rows.filter(row => names.every(name => typeof row[at[name]] === "number"))
          .map(row => names.map(name => row[at[name]])) }] };
  }
  const colours = c === undefined ? [] : whole.map(row => row[c]).filter(value => typeof value === "number");
  return { ...base, xAxis: axis(state.x), yAxis: axis(state.y, 44),
    grid: { ...base.grid, right: colours.length ? 90 : 30 },
    tooltip: { formatter: point => caption(data.rows.find(row => row[at.key] === point.value[3])) },
    visualMap: colours.length ? { ...map(Math.min(...colours), Math.max(...colours)), dimension: 2 } : undefined,
    series: [{ type: "scatter", symbolSize: 8, itemStyle: { opacity: 0.75, color: colours.length ? undefined
      : dark ? "#7fb2e5" : "#1c5694" }, data: whole.map(row => [row[x], row[y], c === undefined ? 0 : row[c], row[at.key]]) }] };
}
function drawPlot(rows) {
  if (!window.echarts || !numeric.length) { get("plot").hidden = get("plots").hidden = true; get("plot").style.display = "none";
    get("plots").style.display = "none"; return; }
  if (!chart) {
    chart = echarts.init(get("plot"));
    chart.on("click", point => { if (point.value?.[3]) { state.open = point.value[3]; update(false); } });
    addEventListener("resize", () => chart.resize());
  }
  chart.setOption(options(rows), true);
}
function update(all) {
  const rows = visible();
  if (all !== false) { drawCards(rows); drawPlot(rows); }
  drawOne();
  writeAddress();
}
function fill(id, names, none) {
  const select = get(id);
  for (const name of (none ? [""] : []).concat(names)) select.add(new Option(name || none, name));
  select.value = state[id];
  select.onchange = () => { state[id] = select.value; shown = page; update(); };
}
readAddress();
get("title").textContent = data.recipe;
fill("sort", columns); fill("picture", data.pictures); fill("x", numeric); fill("y", numeric); fill("colour", numeric, "none");
get("kind").value = state.kind;
get("kind").onchange = () => { state.kind = get("kind").value; update(); };
get("down").checked = !!state.down;
get("down").onchange = () => { state.down = get("down").checked ? "1" : ""; update(); };
get("where").value = state.where;
get("where").oninput = () => { state.where = get("where").value; shown = page; update(); };
get("more").onclick = () => { shown += page; update(); };
matchMedia("(prefers-color-scheme: dark)").onchange = () => update();
addEventListener("hashchange", () => { readAddress(); update(); });
update();
</script>
</html>
]==]
