// A GeoTIFF of the page: Esker, with GDAL, reads the heights and the frame of which it was made, to the bit.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "node:test";
import { geotiff } from "../../src/web/tab/geotiff.js";

const PLANET =
  'GEOGCS["planet",DATUM["planet",SPHEROID["planet",2000000,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]';
const ZONE =
  `PROJCS["own",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],
UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],
PARAMETER["central_meridian",11.3],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],
PARAMETER["false_northing",0],UNIT["metre",1]]`.replaceAll("\n", "");
const frames = [
  "nowhere = true",
  "x = 1.25, y = 2, cell = 3",
  'system = "EPSG:32633", unit = "m", x = 500000.1, y = 5300000.3, cell = 10, top = 4000',
  'system = "EPSG:26916+5703", unit = "m", x = 5e5, y = 53e5, cell = 10, turn_x = 2, turn_y = 1, sea = 12.3',
  'system = "EPSG:4326", unit = "ft", x = 11.5, y = 48.25, cell_width = 0.01, cell_height = 0.02',
  'system = "EPSG:31467", x = 35e5, y = 53e5, cell = 25, heights = false',
  'system = "EPSG:4314", x = 11.5, y = 48.25, cell = 0.01, sea = 0', // of degrees, which only its numbers tell
  `system = '${PLANET}', x = -180, y = 90, cell = 1`,
  `system = '${ZONE}', x = 5e5, y = 53e5, cell = 1`,
];

// Runs Lua that can tell of a field: its hash, its gaps, and its frame; of a system in WKT the spheroid.
const lua = (folder, code) =>
  execFileSync(
    process.env.LUA ?? "lua5.4",
    [
      "-e",
      `local esker = require "esker"
local function told(land)
    local words = { land:hash(), land.gaps }
    for key, value in pairs(land.frame or {}) do
        words[#words + 1] = key .. " " .. (math.type(value) == "float" and ("%.17g"):format(value) or tostring(value))
    end
    table.sort(words, function(a, b) return tostring(a) < tostring(b) end)
    print((table.concat(words, ", "):gsub("PROJCS%b[]", "zone"):gsub("GEOGCS%b[]", function(wkt) return wkt:match("SPHEROID[^]]*") end)))
end
${code}`,
    ],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, LUA_CPATH: `${resolve(process.env.ESKER_BUILD ?? "build")}/?.so;;` },
    },
  );

const hasGDAL = spawnSync("gdalinfo", ["--version"]).status === 0;

test("Esker reads the page's GeoTIFF as what it was made of", { skip: !hasGDAL && "no GDAL" }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), "geotiff-"));
  try {
    const made = lua(
      scratch,
      `local land = esker.noise{ width = 37, height = 23, seed = 3 } * 1000 - 400
land = land:set_gaps(land:select{ height = { 300 } })
for i, place in ipairs{ ${frames.map(words => `{ ${words} }`).join(", ")} } do
    local placed = land:georeference(place)
    told(placed)
    placed:save(i .. ".npy")
end`,
    );
    for (const i of frames.keys()) {
      const path = join(scratch, `${i + 1}.npy`),
        facts = JSON.parse(readFileSync(path + ".json"));
      const recipe = { "esker:recipe": 'return { a = "<b>" & 1 }\n' };
      const file = geotiff(readFileSync(path), { ...facts, recipe });
      writeFileSync(join(scratch, `${i + 1}.tif`), Buffer.from(await file.arrayBuffer()));
    }
    assert.equal(lua(scratch, `for i = 1, ${frames.length} do told(esker.load(i .. ".tif")) end`), made);
    const { metadata } = JSON.parse(
      execFileSync("gdalinfo", ["-json", join(scratch, "2.tif")], { encoding: "utf8" }),
    );
    assert.equal(metadata[""].esker_recipe, 'return { a = "<b>" & 1 }\n');
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
