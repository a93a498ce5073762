// The page of docs/javascript.md in Chromium: node npm_page.mjs PLAYWRIGHT FOLDER. Fails with what is wrong.
import assert from "node:assert";
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
await browser.close();
await site.close();
