// The gallery of a sweep: a contact sheet that sorts and filters, and plots. Its state is in the address: what is sorted,
// filtered, plotted and open can be sent as a link. What rows and addresses say is only ever shown as text.
"use strict";

const get = id => document.getElementById(id);
const data = JSON.parse(get("data").textContent);
const columns = data.columns, at = new Map(columns.map((name, i) => [name, i]));
const cell = (row, name) => row[at.get(name)];
const numeric = columns.filter(name => data.rows.some(row => typeof cell(row, name) === "number"));
const results = numeric.filter(name => data.results.includes(name));
const files = new Map(data.files);
const state = { sort: columns[0], down: "", where: "", picture: data.pictures[0] || "", kind: "scatter",
  x: numeric.find(name => data.parameters.includes(name)) || numeric[0] || "", y: results[0] || numeric[1] || numeric[0] || "",
  colour: "", open: "" };
const page = 240;
let shown = page, chart = null;

function readAddress() {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
    if (Object.hasOwn(state, name)) state[name] = value;
}
function writeAddress() {
  const words = new URLSearchParams();
  for (const name in state) if (state[name]) words.set(name, state[name]);
  history.replaceState(null, "", "#" + words);
}
// The filter's function; all rows where it is no condition, which is told.
function filter() {
  let test = () => true, problem = "";
  try {
    if (state.where.trim()) test = readCondition(state.where, at);
    if (data.rows.length) test(data.rows[0]); // one that is too deep to be read may be found here
  } catch (error) {
    test = () => true;
    problem = error.message;
  }
  get("where").classList.toggle("bad", problem !== "");
  get("problem").textContent = problem;
  return test;
}
const missing = value => value === null || value === undefined;
function compare(a, b) {
  return a === b ? 0 : a < b ? -1 : 1;
}
function visible() {
  const i = at.get(state.sort), way = state.down ? -1 : 1;
  return data.rows.filter(filter()).map((row, k) => [row, k])
    .sort((a, b) => missing(a[0][i]) - missing(b[0][i]) || way * compare(a[0][i], b[0][i]) || a[1] - b[1])
    .map(pair => pair[0]);
}
const textOf = value => typeof value === "number" ? String(+value.toPrecision(5)) : String(value ?? "");
function captionOf(row) {
  return data.varied.concat(results.slice(0, 3)).map(name => name + " " + textOf(cell(row, name))).join(" · ");
}
function pictureOf(row, name) {
  return files.get(cell(row, "key"))?.includes(name) ? "runs/" + cell(row, "key") + "/" + name : "";
}
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
function cardOf(row) {
  const done = cell(row, "status") === "done", source = pictureOf(row, state.picture), caption = captionOf(row);
  const picture = source ? element("img", { loading: "lazy", decoding: "async", src: source, alt: caption })
    : element("div", { className: "none" }, done ? "no picture" : cell(row, "message") || cell(row, "status"));
  const card = element("button", { className: done ? "card" : "card failed" }, picture, element("p", {}, caption));
  card.dataset.key = cell(row, "key");
  card.onclick = () => { state.open = cell(row, "key"); update(false); };
  return element("li", {}, card);
}
function drawCards(rows) {
  get("cards").replaceChildren(...rows.slice(0, shown).map(cardOf));
  get("more").hidden = rows.length <= shown;
  get("count").textContent = rows.length + " of " + data.rows.length + " runs";
}
function drawOne() {
  const dialog = get("one"), index = data.rows.findIndex(each => cell(each, "key") === state.open);
  if (index < 0) { if (dialog.open) dialog.close(); return; }
  const row = data.rows[index], table = document.createElement("table");
  const pictures = (files.get(state.open) || []).map(name => element("img", { src: pictureOf(row, name), alt: name }));
  for (const name of columns) {
    const line = table.insertRow();
    line.insertCell().textContent = name;
    line.insertCell().textContent = textOf(cell(row, name));
  }
  dialog.replaceChildren(...pictures, table, element("br"), element("code", { id: "command" }, data.commands[index]),
    element("br"), element("button", { onclick: () => dialog.close() }, "close"));
  dialog.onclose = () => { state.open = ""; writeAddress(); };
  if (!dialog.open) dialog.showModal();
}
function drawPlot(rows) {
  const possible = Boolean(window.echarts) && numeric.length > 0;
  get("plot").classList.toggle("away", !possible);
  get("plots").classList.toggle("away", !possible);
  if (!possible) return;
  if (!chart) {
    chart = echarts.init(get("plot"));
    chart.on("click", point => { if (point.value?.[3]) { state.open = point.value[3]; update(false); } });
    addEventListener("resize", () => chart.resize());
  }
  const view = { x: state.x, y: state.y, colour: state.colour, results,
    several: numeric.filter(name => data.varied.includes(name) || data.results.includes(name)) };
  const kind = Object.hasOwn(plotKinds, state.kind) ? state.kind : "scatter";
  chart.setOption(plotKinds[kind](rows, at, view, plotStyle()), true);
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
