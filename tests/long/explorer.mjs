// node explorer.mjs BUILD PLAYWRIGHT JUMPS, run by explorer.sh.
import { spawnSync } from "node:child_process";
import { check, open, plan } from "../support/browser.mjs";
import { dive } from "../support/figures.mjs";

const recipe = `local p = params{ seed = 2 }
return { map = esker.river_map{ seed = p.seed, land = "raw" } }
`;
const [, , build, playwright, jumps] = process.argv;
const { page, errors, end, settled } = await open(build + "/esker", playwright, recipe, {
  width: 800,
  height: 500,
});

// The middle of a cell in decimal digits, exactly: (2x + 1) / 2^(z + 1).
const digitsOf = (cell, z) => "0." + ((2n * cell + 1n) * 5n ** BigInt(z + 1)).toString().padStart(z + 1, "0");

// Twelve cells of each drawn tile, relative to the first, as the page has them.
const shown = () =>
  page.evaluate(() =>
    explorer.ground.drawn
      .filter(node => node.tile.border === 1)
      .map(node => {
        const { tile } = node,
          at = i => tile.values[(1 + ((i * 83) % 256)) * 258 + 1 + ((i * 47) % 256)] * tile.scale;
        return {
          z: node.z,
          x: node.x.toString(),
          y: node.y.toString(),
          step: (tile.high - tile.low) / 65535,
          heights: Array.from({ length: 12 }, (_, i) => at(i) - at(0)),
        };
      }),
  );
const lua = `
local esker = require "esker"
local map, most, count = esker.river_map{ seed = 2, land = "raw" }, 0, 0
for line in io.lines() do
    local words = {}
    for word in line:gmatch("%S+") do words[#words + 1] = word end
    local z, step = tonumber(words[1]), tonumber(words[4])
    local height = map:render{ x = words[2], y = words[3], zoom = 2.0 ^ z, size = 256, relative = true }
    local function at(i) return height:get(i * 47 % 256, i * 83 % 256) end
    for i = 1, 11 do
        local off = math.abs(at(i) - at(0) - tonumber(words[5 + i])) / (step > 0 and step or 1)
        most, count = math.max(most, off), count + 1
    end
end
print(most, count)`;

try {
  await settled();
  console.log(
    "# first picture " +
      Math.round(await page.evaluate(() => explorer.first)) +
      " ms after the page was asked for",
  );

  const fall = await dive(page);
  console.log("# dive: " + JSON.stringify(fall));
  check(
    "a dive of 57 levels in 38 s has no empty frame",
    fall.empty === 0 && fall.levels === 57,
    JSON.stringify(fall),
  );

  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648,
    lines = [];
  for (let i = 0; i < Number(jumps); i++) {
    const digits = () => "0." + Array.from({ length: 30 }, () => Math.floor(random() * 10)).join("");
    await page.evaluate(
      hash => {
        location.hash = hash;
      },
      `#x=${digits()}&y=${digits()}&zoom=${10 ** (random() * 26)}` + (i % 10 === 9 ? "&tilt=50" : ""),
    );
    await page.waitForTimeout(30);
    if (i % 5 === 0) {
      await settled();
      for (const tile of (await shown()).slice(0, 3))
        lines.push(
          [
            tile.z,
            digitsOf(BigInt(tile.x), tile.z),
            digitsOf(BigInt(tile.y), tile.z),
            tile.step,
            ...tile.heights,
          ].join(" "),
        );
    }
  }
  await settled();
  check(jumps + " jumps without an error", errors.length === 0, errors.slice(0, 5).join("\n"));
  const compared = spawnSync("lua5.4", ["-e", lua], {
    input: lines.join("\n"),
    encoding: "utf8",
    env: { ...process.env, LUA_CPATH: build + "/?.so;;" },
  });
  const [most, count] = compared.stdout.split("\t").map(Number);
  console.log(
    `# ${lines.length} tiles, ${count} cells: at most ${most} steps of 1/65535 of a tile's range apart`,
  );
  check("tiles have the heights of map:render", count > 0 && most < 2, compared.stdout + compared.stderr);
} catch (error) {
  check("the test runs to its end", false, error.stack);
} finally {
  await end();
  plan();
}
