// What a browser measures of `esker explore`, for scripts/explore-figures.py: node explore-page-figures.mjs
// PROGRAM PLAYWRIGHT
import { open } from "../tests/support/browser.mjs";
import { dive, memoryOf, pageSize } from "../tests/support/figures.mjs";

const [, , program, playwright] = process.argv,
  TIMES = 5;
const recipeOf = land =>
  `local p = params{ seed = 7 }\nreturn { map = esker.river_map{ seed = p.seed, land = "${land}" } }\n`;
const median = values => values.sort((a, b) => a - b)[values.length >> 1];
const row = (name, text) => console.log(name.padEnd(9) + " " + text);

for (const land of ["raw", "eroded"]) {
  const firsts = [],
    loads = [];
  for (let i = 0; i < TIMES; i++) {
    // each with a server of its own, which has computed nothing
    const { page, end, settled } = await open(program, playwright, recipeOf(land), {
      width: 1280,
      height: 800,
    });
    await settled();
    const [first, load] = await page.evaluate(() => [
      explorer.first,
      performance.getEntriesByType("navigation")[0].loadEventEnd,
    ]);
    firsts.push(first - load);
    loads.push(load);
    await end();
  }
  row(
    land,
    `${Math.round(median(firsts))} ms from the page's load to the first picture (${Math.round(Math.max(...firsts))} at most of ${TIMES}; loaded after ${Math.round(median(loads))} ms)`,
  );
}

const { server, page, end, settled, errors } = await open(program, playwright, recipeOf("raw"), {
  width: 800,
  height: 500,
});
await settled();
let most = 0;
const watch = setInterval(() => {
  most = Math.max(most, memoryOf(server.pid));
}, 200);
const { frames, empty, worst, levels, tiles } = await dive(page);
row(
  "dive",
  `${empty} empty frames of ${frames}, the longest ${worst} ms, ${levels} levels in 38 s, ${tiles} tiles kept at its end`,
);
row("page", `${Math.round((await pageSize(page)) / 1024)} KB compressed, with the editor`);
await settled();
clearInterval(watch);
row("memory", `${Math.round(most)} MB of the server's processes at most in the dive`);
if (errors.length) row("errors", errors.join(" "));
await end();
