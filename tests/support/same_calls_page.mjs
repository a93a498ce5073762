// same_calls.mjs in Chromium, with the package for JavaScript: node same_calls_page.mjs PLAYWRIGHT FOLDER, which has index.html,
// esker, same_calls.mjs and calls.json. Prints TAP.
import { launch } from "./browser.mjs";
import { serve } from "./site.mjs";

const [, , playwright, folder] = process.argv;
const { chromium } = await import(playwright);
const site = await serve(folder),
  browser = await launch(chromium),
  page = await browser.newPage();
await page.goto(site.address);
const { count, wrong } = await page.evaluate(async () => {
  const { repeat } = await import(new URL("same_calls.mjs", location)),
    response = await fetch("calls.json");
  return repeat(await import(new URL("esker/index.mjs", location)), await response.json());
});
console.log(`${wrong.length || count < 300 ? "not ok" : "ok"} 1 - ${count} values have the same bytes`);
for (const line of wrong.slice(0, 12)) console.log("# " + line.slice(0, 200));
console.log("1..1");
await browser.close();
await site.close();
