// The gallery of a sweep: a contact sheet that sorts and filters, and plots. Its state is in the address:
// what is sorted, filtered, plotted and open can be sent as a link. What rows and addresses say is only ever
// shown as text.
"use strict";

const data = JSON.parse(get("data").textContent);
const columns = data.columns,
  at = new Map(columns.map((name, i) => [name, i]));
const cell = (row, name) => row[at.get(name)];
const numeric = columns.filter(name => data.rows.some(row => typeof cell(row, name) === "number"));
// Numbers, and choices
const plotted = columns.filter(name => numeric.includes(name) || data.varied.includes(name));
const results = numeric.filter(name => data.results.includes(name));
const files = new Map(data.files.map(([key, names]) => [key, names])),
  small = new Map(data.files.map(([key, , names]) => [key, names || []]));
const usual = data.varied.concat(results, columns.includes("status") ? ["status"] : []).slice(0, 12);
const state = {
  sort: columns[0],
  down: "",
  where: "",
  picture: data.pictures[0] || "",
  kind: "scatter",
  x: numeric.find(name => data.parameters.includes(name)) || numeric[0] || "",
  y: results[0] || numeric[1] || numeric[0] || "",
  colour: "",
  open: "",
  view: "",
  columns: "",
};
const page = 240;
let shown = page,
  chart = null;

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
  let test = () => true,
    problem = "";
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
  const i = at.get(state.sort),
    way = state.down ? -1 : 1;
  return data.rows
    .filter(filter())
    .map((row, k) => [row, k])
    .sort((a, b) => missing(a[0][i]) - missing(b[0][i]) || way * compare(a[0][i], b[0][i]) || a[1] - b[1])
    .map(pair => pair[0]);
}
const textOf = value => (typeof value === "number" ? String(+value.toPrecision(5)) : String(value ?? ""));
function captionOf(row) {
  return data.varied
    .concat(results.slice(0, 3))
    .map(name => name + " " + textOf(cell(row, name)))
    .join(" · ");
}
// Thumbnails have been made of large pictures; what has none is shown itself.
function pictureOf(row, name, thumbnail = false) {
  const key = cell(row, "key");
  if (!files.get(key)?.includes(name)) return "";
  return (
    "runs/" +
    key +
    "/" +
    (thumbnail && small.get(key).includes(name) ? name.replace(/\.png$/, "~small.png") : name)
  );
}
const open = row => {
  state.open = cell(row, "key");
  update(false);
};
function cardOf(row) {
  const done = cell(row, "status") === "done",
    source = pictureOf(row, state.picture, true),
    caption = captionOf(row);
  const picture = source
    ? element("img", { loading: "lazy", decoding: "async", src: source, alt: caption })
    : element(
        "div",
        { className: "none" },
        done ? "no picture" : cell(row, "message") || cell(row, "status"),
      );
  return element(
    "li",
    {},
    element(
      "button",
      {
        className: done ? "card" : "card failed",
        dataset: { key: cell(row, "key") },
        onclick: () => open(row),
      },
      picture,
      element("p", {}, caption),
    ),
  );
}
function drawCards(rows) {
  const table = state.view === "table";
  get("cards").replaceChildren(...(table ? [] : rows.slice(0, shown).map(cardOf)));
  get("table").replaceChildren(...(table ? [tableOf(rows.slice(0, shown))] : []));
  get("columns").hidden = !table;
  get("more").hidden = rows.length <= shown;
  get("count").textContent = rows.length + " of " + data.rows.length + " runs";
}

// --- the table ---------------------------------------------------------------------------------------------

const chosen = () => (state.columns ? state.columns.split(",").filter(name => at.has(name)) : usual);
function tableOf(rows) {
  const names = chosen(),
    head = element(
      "tr",
      {},
      element("th", {}),
      ...names.map(name =>
        element(
          "th",
          {
            ariaSort: state.sort !== name ? "none" : state.down ? "descending" : "ascending",
          },
          element(
            "button",
            { className: "plain", onclick: () => sortBy(name) },
            name + (state.sort !== name ? "" : state.down ? " ↓" : " ↑"),
          ),
        ),
      ),
    );
  const line = row =>
    element(
      "tr",
      { onclick: () => open(row), dataset: { key: cell(row, "key") } },
      element("td", {}, thumbnailOf(row)),
      ...names.map(name =>
        element(
          "td",
          { className: typeof cell(row, name) === "number" ? "number" : "" },
          textOf(cell(row, name)),
        ),
      ),
    );
  return element(
    "table",
    { className: "runs" },
    element("thead", {}, head),
    element("tbody", {}, ...rows.map(line)),
  );
}
function thumbnailOf(row) {
  const source = pictureOf(row, state.picture, true),
    image = source ? element("img", { loading: "lazy", decoding: "async", src: source, alt: "" }) : "open";
  return element(
    "button",
    {
      className: "plain",
      ariaLabel: "Open " + captionOf(row),
      onclick: event => {
        event.stopPropagation();
        open(row);
      },
    },
    image,
  );
}
function sortBy(name) {
  state.down = state.sort === name && !state.down ? "1" : "";
  state.sort = get("sort").value = name;
  get("down").checked = !!state.down;
  update();
}
function fillColumns() {
  const on = new Set(chosen());
  get("columns").lastElementChild.replaceChildren(
    ...columns.map(name =>
      element(
        "label",
        {},
        element("input", {
          type: "checkbox",
          checked: on.has(name),
          onchange: event => {
            const names = new Set(chosen());
            names[event.target.checked ? "add" : "delete"](name);
            state.columns = columns.filter(each => names.has(each)).join(",");
            update();
          },
        }),
        name,
      ),
    ),
  );
}

// --- one run -----------------------------------------------------------------------------------------------

function drawOne() {
  const dialog = get("one"),
    index = data.rows.findIndex(each => cell(each, "key") === state.open);
  if (index < 0) {
    if (dialog.open) dialog.close();
    return;
  }
  const row = data.rows[index],
    rows = visible(),
    place = rows.indexOf(row),
    command = data.commands[index];
  const step = (way, title) =>
    element(
      "button",
      { disabled: place < 0 || !rows[place + way], title, onclick: () => open(rows[place + way]) },
      way < 0 ? "← previous" : "next →",
    );
  const figures = (files.get(state.open) || []).map(name =>
    element(
      "figure",
      { dataset: { name } },
      element("figcaption", {}, name.replace(/\.png$/, "")),
      element(
        "button",
        { className: "plain", title: "Click: its own pixels", onclick: event => zoom(event) },
        element("img", { src: pictureOf(row, name), alt: name }),
      ),
    ),
  );
  const table = element(
    "table",
    {},
    ...columns.map(name =>
      element("tr", {}, element("td", {}, name), element("td", {}, textOf(cell(row, name)))),
    ),
  );
  const typed = command.startsWith("esker ")
    ? [
        element("p", { className: "dim" }, "Open it in the explorer, with these parameters:"),
        copyable(command.replace(/^esker /, "esker explore "), "The command"),
      ]
    : [];
  const code = element("code", { id: "command" }, command),
    address = data.addresses[index];
  dialog.replaceChildren(
    element(
      "p",
      { className: "row" },
      step(-1, "Previous run (left arrow)"),
      step(1, "Next run (right arrow)"),
      element("span", { id: "caption", className: "dim" }, captionOf(row)),
      element("button", { className: "close", onclick: () => dialog.close() }, "close"),
    ),
    ...figures,
    ...(address ? [computedBy(address, row)] : []),
    table,
    element("p", { className: "dim" }, "Make it again:"),
    element(
      "div",
      { className: "copyable" },
      code,
      element("button", { onclick: () => copy(command, "The command") }, "Copy"),
    ),
    ...typed,
  );
  dialog.onclose = () => {
    state.open = "";
    writeAddress();
  };
  dialog.onkeydown = event => {
    const next = rows[place + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? NaN)];
    if (next && place >= 0 && !event.target.closest(".actual")) open(next);
  };
  if (!dialog.open) dialog.showModal();
  else if (!dialog.contains(document.activeElement)) dialog.focus(); // what had the keys is gone
  dialog.setAttribute("aria-label", captionOf(row));
}
// The page that computes the run in this browser, at the result that is seen here; it needs a host.
function computedBy(address, row) {
  const result =
    pictureOf(row, state.picture) && "&result=" + encodeURIComponent(state.picture.replace(/\.png$/, ""));
  return location.protocol === "file:"
    ? element(
        "p",
        { className: "dim" },
        "Opened from a web host, this page also computes the run, with sliders.",
      )
    : element(
        "p",
        {},
        element("a", { id: "computed", className: "button", href: address + result }, "Compute it here"),
        element("span", { className: "dim" }, " in this browser, with sliders and every zoom"),
      );
}
// Between the whole picture and its own pixels, at the point that was clicked.
function zoom(event) {
  const view = event.currentTarget,
    image = view.firstElementChild,
    box = image.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width,
    y = (event.clientY - box.top) / box.height;
  view.classList.toggle("actual");
  if (view.classList.contains("actual"))
    view.scrollTo(
      x * image.offsetWidth - view.clientWidth / 2,
      y * image.offsetHeight - view.clientHeight / 2,
    );
}

function drawPlot(rows) {
  const possible = Boolean(window.echarts) && numeric.length > 0;
  get("plot").classList.toggle("away", !possible);
  get("plots").classList.toggle("away", !possible);
  if (!possible) return;
  if (!chart) {
    chart = echarts.init(get("plot"));
    chart.on("click", point => {
      if (point.value?.[3]) {
        state.open = point.value[3];
        update(false);
      }
    });
    addEventListener("resize", () => chart.resize());
  }
  chart.setOption(plotOf(rows), true);
}
function plotOf(rows) {
  const isApart = name => name !== state.x && name !== state.colour && !/seed$/i.test(name);
  const view = {
    x: state.x,
    y: state.y,
    colour: state.colour,
    results,
    apart: data.varied.filter(isApart),
    several: numeric.filter(name => data.varied.includes(name) || data.results.includes(name)),
  };
  const kind = Object.hasOwn(plotKinds, state.kind) ? state.kind : "scatter";
  return plotKinds[kind](rows, at, view, plotStyle());
}
// The plot as it is seen, as a file of its own.
function saveSVG() {
  const { width, height } = get("plot").getBoundingClientRect();
  const drawn = echarts.init(null, null, {
    renderer: "svg",
    ssr: true,
    width: Math.round(width),
    height: Math.round(height),
  });
  drawn.setOption({ backgroundColor: getComputedStyle(get("plot")).backgroundColor, ...plotOf(visible()) });
  const text = drawn.renderToSVGString();
  drawn.dispose();
  download(state.kind.replace(/\W/g, "-") + ".svg", new Blob([text], { type: "image/svg+xml" }));
}
function update(all) {
  const rows = visible();
  if (all !== false) {
    fillColumns();
    drawCards(rows);
    drawPlot(rows);
  }
  drawOne();
  writeAddress();
}
function fill(id, names, none) {
  const select = get(id);
  for (const name of (none ? [""] : []).concat(names)) select.add(new Option(name || none, name));
  select.value = state[id];
  select.onchange = () => {
    state[id] = select.value;
    shown = page;
    update();
  };
}
readAddress();
get("title").textContent = data.recipe;
fill("sort", columns);
fill("picture", data.pictures);
fill("x", plotted);
fill("y", numeric);
fill("colour", plotted, "none");
get("kind").value = state.kind;
get("kind").onchange = () => {
  state.kind = get("kind").value;
  update();
};
get("view").value = state.view;
get("view").onchange = () => {
  state.view = get("view").value;
  shown = page;
  update();
};
get("svg").onclick = saveSVG;
get("down").checked = !!state.down;
get("down").onchange = () => {
  state.down = get("down").checked ? "1" : "";
  update();
};
get("where").value = state.where;
get("where").oninput = () => {
  state.where = get("where").value;
  shown = page;
  update();
};
get("more").onclick = () => {
  shown += page;
  update();
};
matchMedia("(prefers-color-scheme: dark)").onchange = () => update();
addEventListener("hashchange", () => {
  readAddress();
  update();
});
update();
