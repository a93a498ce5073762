// The page of docs/javascript.md in Chromium: node npm_page.mjs PLAYWRIGHT FOLDER. Fails with what is wrong.
import assert from "node:assert";
import { existsSync } from "node:fs";
import { launch } from "./browser.mjs";
import { serve } from "./site.mjs";

const [, , playwright, folder] = process.argv;
const { chromium } = await import(playwright);
const site = await serve(folder),
  browser = await launch(chromium),
  page = await browser.newPage();
page.on("pageerror", error => console.log(error.message));
await page.goto(site.address);
const drawn = zoom =>
  page.waitForFunction(zoom => document.querySelector("p").textContent.endsWith(`m at zoom ${zoom}`), zoom, {
    timeout: 300000,
  });
// How many colours are on the canvas.
const colours = () =>
  page.evaluate(() => {
    const canvas = document.querySelector("canvas"),
      { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
await drawn(2);
const first = await colours();
await page.click("canvas");
await drawn(4);
assert(first > 100 && (await colours()) > 100, `${first} colours`);
if (existsSync(`${folder}/esker`)) {
  const told = await page.evaluate(async () => {
    const { open } = await import(new URL("esker/index.mjs", location));
    const esker = await open();
    try {
      esker.recipe("\nwhile true do end", {}, { seconds: 0.2 });
    } catch (error) {
      return [error.kind, error.line, esker.recipe("return { a = esker.noise{ size = 8 } }").a.width];
    }
  });
  assert.deepEqual(told, ["stopped", 2, 8], "recipes run and stop");
}
await browser.close();
await site.close();
