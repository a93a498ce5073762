// Elevation models that the user drops onto the page, or picks: recipes load them by their names. They stay in the tab.
import { element, notice } from "./dom.js";
import { READING } from "./limits.js";

const ENDINGS = ".tif,.tiff";

const recipeOf =
  name => `-- The file ${name} was dropped onto the page. Who opens a link to this has to drop it, too.
local land = esker.load("${name}")
return { land = land, relief = land:relief{} }
`;

// In a worker of its own: the page goes on meanwhile, and a file that takes too long ends with it.
function readRaster(file) {
  const worker = new Worker("drop_worker.js", { type: "module" });
  return new Promise((done, fail) => {
    const late = `it is not read after ${READING} s; gdal_translate -projwin cuts a part out of it`;
    setTimeout(() => fail(new Error(late)), 1000 * READING);
    worker.onmessage = ({ data: { raster, problem } }) => (raster ? done(raster) : fail(new Error(problem)));
    worker.onerror = event => fail(new Error(event.message || "its worker could not be started"));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}

export class Drop {
  // add(raster): gives the name by which recipes load it (pool.js)
  constructor(add) {
    this.add = add;
    this.given = new Map(); // the last name of each file
    const isFile = event => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", event => isFile(event) && event.preventDefault());
    addEventListener("drop", event => {
      if (!isFile(event)) return;
      event.preventDefault();
      this.takeAll(event.dataTransfer.files);
    });
  }
  pick() {
    const input = element("input", { type: "file", accept: ENDINGS, multiple: true });
    input.onchange = () => this.takeAll(input.files);
    input.click();
  }

  async takeAll(files) {
    for (const file of [...files]) {
      const waiting = notice(`Reading ${file.name} …`, { seconds: 0 });
      await this.take(file)
        .catch(error => notice(`${file.name} is not opened: ${error.message}`, { bad: true }))
        .finally(() => waiting.remove());
    }
  }
  async take(file) {
    const { explorer } = globalThis;
    if (!explorer?.state) throw new Error("the page has not begun; drop it again in a moment");
    if (!/\.tiff?$/i.test(file.name)) throw new Error("this page reads GeoTIFF, .tif");
    const { step, ...raster } = await readRaster(file);
    const wanted = [...file.name.replace(/[^\p{L}\p{N} ._()-]/gu, "_")].slice(-100).join(""),
      name = await this.add({ name: wanted, ...raster });
    const text = explorer.recipe.text ?? explorer.state.recipe.text,
      [known, quoted] = [this.given.get(wanted) ?? wanted, name].map(each => `"${each}"`);
    this.given.set(wanted, name);
    explorer.recipe.setText(text.includes(known) ? text.replaceAll(known, quoted) : recipeOf(name));
    const size = `${name}: ${raster.width} × ${raster.height} cells`;
    notice(step > 1 ? `${size}, means of ${step} × ${step} of the file's` : size);
  }
}
