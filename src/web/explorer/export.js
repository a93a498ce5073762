// What is seen, as a file: a picture of the screen here, heights from the server.
import { made, request } from "./ask.js";
import { ask, download, element, notice } from "./dom.js";
import { Zip } from "./zip.js";

export function picture(app) {
  app.drawNow();
  return new Promise((resolve, reject) =>
    app.canvas.toBlob(
      blob => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))),
      "image/png",
    ),
  );
}

export function exportDialog(app) {
  const { kind } = app.result,
    files = [...(app.state.downloads[kind] ?? []), ...made.filter(({ kinds }) => kinds.includes(kind))];
  const close = ask(
    "Export",
    element(
      "div",
      { className: "choices" },
      element(
        "button",
        {
          onclick: async () => {
            close();
            download(app.fileName() + ".png", await picture(app));
          },
        },
        "Picture of the screen (PNG)",
      ),
      ...(app.state.static ? [] : files).map(each =>
        element(
          "button",
          {
            onclick: () => {
              close();
              fetchFile(app, each);
            },
          },
          each.title,
        ),
      ),
    ),
  );
}

// `raw` files can be read by nothing without the .json beside them.
async function fetchFile(app, { format, ending, raw, make }) {
  const query = new URLSearchParams({ generation: app.state.generation, result: app.result.name, format });
  if (app.result.kind === "map")
    for (const [name, value] of new URLSearchParams(app.address().slice(1)))
      if (["x", "y", "zoom", "face"].includes(name)) query.set(name, value);
  const name = app.result.kind === "map" ? app.fileName() : app.result.name;
  try {
    if (make) {
      const cells = await bytesOf(query);
      return download(
        name + "." + ending,
        await make(new Uint8Array(await cells.arrayBuffer()), await factsOf(query)),
      );
    }
    if (raw) return download(name + "." + format + ".zip", await withFacts(name + "." + format, query));
    download(name + (format === ending ? "." : "-heights.") + ending, await bytesOf(query));
  } catch (error) {
    notice("Export: " + error.message, { bad: true });
  }
}
async function bytesOf(query) {
  const response = await request("api/export?" + query);
  if (response.ok) return response.blob();
  throw new Error((await response.json().catch(() => ({ error: response.statusText }))).error);
}
async function factsOf(query) {
  query.set("beside", 1);
  return JSON.parse(await (await bytesOf(query)).text());
}
// Raw numbers, and the .json that says their size, range and order, as a recipe saves them.
async function withFacts(name, query) {
  const zip = new Zip();
  await zip.add(name, await bytesOf(query));
  const facts = { ...(await factsOf(query)), file: name };
  await zip.add(name + ".json", new Blob([JSON.stringify(facts, null, 1) + "\n"]));
  return zip.finish();
}
