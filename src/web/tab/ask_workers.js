// In place of explorer/ask.js on a page without a server: workers of the tab answer (pool.js), and the recipe is in
// the page's address (world.js).
import { Drop } from "./drop.js";
import { Pool, whatLacks } from "./pool.js";
import { World } from "./world.js";
import "./offline.js";

export { TILES } from "./limits.js";

document.documentElement.classList.add("runs"); // else the page says what it needs (scripts/site.lua)

let tellFailed = () => {};
const lack = whatLacks(),
  pool = lack ? null : new Pool(text => tellFailed(text));

export const world = new World(() => {
  if (globalThis.explorer?.camera.view) explorer.addressBar.tell();
});

world.files = lack ? null : new Drop(raster => pool.addFile(raster));

export const made = [
  {
    format: "npy",
    ending: "tif",
    title: "Heights: GeoTIFF (.tif)",
    kinds: ["map", "field"],
    make: async (...file) => (await import("./geotiff.js")).geotiff(...file),
  },
];

let wait;
const asks = new Promise(done => (wait = done)); // the user, before a stranger's recipe runs
const opened = (async () => {
  if (lack) throw new Error(lack);
  await pool.begin(await world.open(wait));
})();

// Before it the page makes no renderer, which would keep workers from starting and the recipe from them.
export const sent = Promise.race([opened.catch(() => {}), asks]); // failures are told where `opened` is awaited

export async function request(path, init) {
  await opened;
  return pool.request(path, init);
}

export async function listen(handlers) {
  tellFailed = text => handlers.lost(text + ". Reload the page");
  await opened;
  pool.listen(text => {
    const name = /^event: (.*)$/m.exec(text)?.[1];
    if (name) handlers[name]?.(JSON.parse(/^data: (.*)$/m.exec(text)[1]));
  });
}
