// Makes the pictures of docs/explorer.md: node explorer-pictures.mjs PROGRAM [NAME]. Each is a screen of 1280
// × 800 at half its size.
import { fileURLToPath } from "node:url";
import { open } from "../tests/support/browser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)),
  program = process.argv[2];
const map = `local p = params{
    seed = 2,
    landscape = { "mixed", choices = { "mixed", "alps", "mesa", "hills" }, doc = "age of the land" },
    river_width = { 0.001, min = 0.0005, max = 0.05, doc = "of a river that drains the whole map" },
}
return { map = esker.river_map{ seed = p.seed, landscape = p.landscape, river_width = p.river_width } }
`;
const island = `local p = params{ seed = 4, talus = { 6, min = 1, max = 64, doc = "steepest slope that stays" }, size = { 512, min = 64, max = 2048 } }
local land = esker.spectral{ size = p.size, seed = p.seed }
local eroded = land:olsen_erosion{ talus = p.talus, iterations = 60 }
return { eroded = eroded, slope = eroded:slope{}, relief = eroded:relief{}, roughness = p.talus / 64 }
`;
const natural = "return { map = esker.river_map{ seed = 7, latitudes = { 15, 45 } } }\n";
const planet = "return { planet = esker.river_map{ seed = 3, tiling = 'sphere' } }\n";
const streams = "return { map = esker.river_map{ seed = 2 } }\n"; // streams at every zoom
const edited = `local land = esker.river_map{ seed = 2 }
-- Edits of land, one a line
land = land:coast{ outline = { { 0.1384, 0.0718 }, { 0.1452, 0.0703 }, { 0.1524, 0.0752 }, { 0.1531, 0.0823 }, { 0.1472, 0.0862 }, { 0.1437, 0.0805 }, { 0.1396, 0.0788 } }, kind = "land", height = 500 }
land = land:coast{ outline = { { 0.1128, 0.0862 }, { 0.1199, 0.0874 }, { 0.1271, 0.0903 }, { 0.1223, 0.0979 } }, kind = "sea" }
land = land:raise{ along = { { 0.1105, 0.0725 }, { 0.1142, 0.0764 }, { 0.1192, 0.0779 } }, width = 9000, height = 800 }
-- End of edits
return { land = land }
`;
const shots = [
  {
    name: "deep",
    recipe: streams,
    views: [["deep", "#x=0.43210987654321098765432109876543&y=0.35112345678901234567890123456789&zoom=3e6"]],
  },
  {
    name: "map",
    recipe: map,
    views: [
      ["map", ""],
      ["ground", "#x=0.4321&y=0.4512&zoom=11&tilt=62&turn=30"],
    ],
  },
  {
    name: "sliders",
    recipe: island,
    views: [["sliders", ""]],
    act: async page => {
      await page.evaluate(async () => {
        await explorer.compare(true);
        explorer.setParameter("talus", 24, false);
      });
      await page.waitForFunction(
        () => explorer.stage.grounds.length === 2 && explorer.values.talus === 24 && explorer.isSettled(),
        null,
        { timeout: 60000 },
      );
    },
  },
  {
    name: "natural",
    recipe: natural,
    views: [["natural", "#x=0.62&y=0.46&zoom=11&tilt=62&turn=30&over=natural%20colours"]],
  },
  {
    name: "edits",
    recipe: edited,
    views: [["edits", "#x=0.141&y=0.083&zoom=22"]],
    act: async page => {
      await page.click("#edit");
      await page.waitForFunction(() => explorer.edits?.edits.length === 3);
      await page.evaluate(() => explorer.edits.pick(0));
    },
  },
  { name: "planet", recipe: planet, views: [["planet", ""]] },
  {
    name: "phone",
    recipe: map,
    size: { width: 390, height: 780 },
    views: [["phone", "#x=0.4321&y=0.40&zoom=3"]],
  },
];

for (const { recipe, views, act, size = { width: 1280, height: 800 } } of shots.filter(
  shot => !process.argv[3] || shot.name === process.argv[3],
)) {
  const { browser, page, end, address } = await open(
    program,
    root + "build/vendor/playwright-core/index.mjs",
    recipe,
    size,
  );
  const cookies = await page.context().cookies();
  const small = await browser.newContext({ viewport: size, deviceScaleFactor: 0.5 });
  await small.addCookies(cookies);
  const screen = await small.newPage();
  await page.close();
  for (const [name, hash] of views) {
    await screen.goto("about:blank");
    await screen.goto(address + hash);
    await screen
      .waitForFunction(() => globalThis.explorer?.first && explorer.isSettled(), null, {
        timeout: 180000,
        polling: 200,
      })
      .catch(() => console.log(name + " is not complete"));
    await act?.(screen);
    await screen.waitForTimeout(5000); // until messages have gone
    await screen.screenshot({
      path: root + "docs/gallery/explorer-" + name + ".jpg",
      type: "jpeg",
      quality: 84,
    });
  }
  await end();
}
