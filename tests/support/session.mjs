// Sessions of a user on the page of `esker explore`, and the recipes of several of them. Scripts that import
// this are run as node SCRIPT PROGRAM PLAYWRIGHT [WORD]: all sessions, or those whose name has the word.
import { check, open } from "./browser.mjs";

export const [, , program, playwright, only = ""] = process.argv;

export const map = `local p = params{ seed = 3, width = { 0.004, min = 0.001, max = 0.05 } }
return { map = esker.river_map{ seed = p.seed, river_width = p.width, land = "raw" } }
`;
export const shapes = `local p = params{ seed = 3, size = { 128, min = 64, max = 256 } }
local net = esker.river_network{ size = p.size, seed = p.seed, points = 300, rivers = 2 }
local land = net:terrain{ seed = p.seed }
local trees = land:scatter{ distances = { 0.05 } }
print("printed", p.size)
return { land = land, net = net, trees = trees, mesh = land:mesh{}:plant(trees, { height = 0.05 }), slope = land:slope{} }
`;
export const planet = `local p = params{ seed = 3 }
return { planet = esker.river_map{ seed = p.seed, tiling = "sphere", land = "raw" } }
`;
export const layered = `local p = params{ seed = { 3, min = 1, max = 99 }, age = { 2, min = 1, max = 5 } }
if p.age == 5 then error("too old") end
local land = esker.spectral{ size = 64, seed = p.seed }:normalize{} * p.age
return { land = land, slope = land:slope{}, map = esker.river_map{ seed = p.seed, land = "raw" } }
`;

// A session with helpers; everything that goes wrong in it is a failed check.
export async function session(name, recipe, options, run) {
  if (!name.includes(only)) return;
  const on = await open(program, playwright, recipe, {
    width: 900,
    height: 600,
    reducedMotion: "reduce",
    ...options,
  });
  const { page } = on;
  on.eventually = (test, argument) =>
    page.waitForFunction(test, argument, { timeout: 300000, polling: 50 }).then(
      () => true,
      () => false,
    );
  on.view = () =>
    page.evaluate(() => {
      const { x, y, zoom, tilt, turn, face } = explorer.camera.view;
      return { x: Number(x >> 108n) / 2 ** 52, y: Number(y >> 108n) / 2 ** 52, zoom, tilt, turn, face };
    });
  on.pixels = () =>
    page.evaluate(() => {
      // how many colours of what is drawn there are, in 4 bits a channel
      explorer.drawNow();
      const { width, height } = explorer.canvas,
        canvas = new OffscreenCanvas(width, height),
        context = canvas.getContext("2d");
      context.drawImage(explorer.canvas, 0, 0);
      const { data } = context.getImageData(0, 0, width, height),
        colours = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const key = `${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`;
        colours.set(key, (colours.get(key) ?? 0) + 1);
      }
      return { count: colours.size, most: Math.max(...colours.values()) / (width * height) };
    });
  try {
    await on.settled();
    await run(on);
    check(name + ": the console is silent", on.errors.length === 0, on.errors.join("\n"));
  } catch (error) {
    check(name + ": runs to its end", false, error.stack);
  } finally {
    await on.end();
  }
}
