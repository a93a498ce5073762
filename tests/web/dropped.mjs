// A GeoTIFF that is dropped onto the page gives the cells, the gaps and the frame that the program reads, with GDAL.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";

const library = ["src/web/vendor", "build/vendor"]
  .map(name => resolve(name, "geotiff.min.js"))
  .find(existsSync);
const lacks =
  (spawnSync("gdal_translate", ["--version"]).status !== 0 && "no GDAL") ||
  (!library && "npm did not bring geotiff");

const lua = (folder, code) =>
  execFileSync(process.env.LUA ?? "lua5.4", ["-e", 'local esker = require "esker"\n' + code], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, LUA_CPATH: `${resolve(process.env.ESKER_BUILD ?? "build")}/?.so;;` },
  });

// Which node does not have.
globalThis.FileReader ??= class {
  readAsArrayBuffer(blob) {
    blob.arrayBuffer().then(result => {
      this.result = result;
      this.onload();
    }, this.onerror);
  }
};

// Options of gdal_translate, and the frame of what is translated.
const UTM = 'system = "EPSG:32633", unit = "m", x = 5e5, y = 53e5, cell = 30';
const files = [
  ["-co COMPRESS=LZW -co PREDICTOR=3", UTM],
  ["-co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 -co COMPRESS=DEFLATE", UTM],
  [
    "-ot Int16 -a_nodata -32768 -co COMPRESS=DEFLATE -co PREDICTOR=2",
    'system = "EPSG:4326", x = 11, y = 48, cell = 0.01',
  ],
  ["-ot UInt16 -co ENDIANNESS=BIG -co COMPRESS=PACKBITS", "x = 1, y = 2, cell = 3"],
  ["-ot Float64 -a_scale 0.1 -a_offset 7", UTM + ", turn_x = 2, turn_y = 1, sea = 12.5"],
  ["-mo AREA_OR_POINT=Point", 'system = "EPSG:2056+5728", x = 26e5, y = 12e5, cell = 2'],
  ["-a_ullr 0 10 20 0 -a_srs EPSG:26916", UTM + ", top = 900"],
  ["", "nowhere = true"],
];

test("the page reads GeoTIFF as the program does", { skip: lacks }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), "dropped-"));
  try {
    for (const name of ["src/web/tab/dropped.js", library])
      copyFileSync(name, join(scratch, name.split("/").pop()));
    writeFileSync(join(scratch, "package.json"), '{ "type": "module" }');
    const { readRaster } = await import(pathToFileURL(join(scratch, "dropped.js")));
    const read = async (name, ...limits) =>
      readRaster(new Blob([readFileSync(join(scratch, name))]), ...limits);
    lua(
      scratch,
      `local land = esker.noise{ width = 37, height = 300, seed = 3 } * 1000 - 100
land = land:set_gaps(land:select{ height = { 300 } })
for i, place in ipairs{ ${files.map(([, words]) => `{ ${words} }`).join(", ")} } do
    land:georeference(place):save("made" .. i .. ".tif")
end`,
    );
    for (const [i, [options]] of files.entries()) {
      const name = `${i + 1}.tif`;
      execFileSync("gdal_translate", ["-q", ...options.split(" ").filter(Boolean), "made" + name, name], {
        cwd: scratch,
      });
      const { width, height, cells, place, system, unit, step } = await read(name, 1e6, 1e6);
      assert.deepEqual([width, height, step], [37, 300, 1]);
      // The program takes what was read as the numbers of a .npy with a .json beside it.
      const shape = `{'descr': '<f4', 'fortran_order': False, 'shape': (${height}, ${width}), }`,
        header = Buffer.from("\x93NUMPY\x01\x00v\x00" + shape.padEnd(117) + "\n", "latin1");
      writeFileSync(join(scratch, `${i + 1}.npy`), Buffer.concat([header, Buffer.from(cells.buffer)]));
      const facts = Object.entries({ place, system, unit }).filter(each => each[1]);
      writeFileSync(
        join(scratch, `${i + 1}.npy.json`),
        JSON.stringify({ width, height, ...Object.fromEntries(facts) }),
      );
    }
    const told = ending =>
      lua(
        scratch,
        `for i = 1, ${files.length} do
    local land = esker.load(i .. "${ending}")
    local words = { land:hash(), land.gaps }
    for key, value in pairs(land.frame or {}) do
        words[#words + 1] = key .. " " .. (math.type(value) == "float" and ("%.17g"):format(value) or tostring(value))
    end
    table.sort(words, function(a, b) return tostring(a) < tostring(b) end)
    print(table.concat(words, ", "))
end`,
      );
    assert.equal(told(".npy"), told(".tif"));
    // Larger files are means of squares of cells, of those that have data.
    const small = await read("1.tif", 37 * 300 - 1, 1e6),
      whole = await read("1.tif", 1e6, 1e6);
    assert.deepEqual([small.width, small.height, small.step], [18, 150, 2]);
    assert.equal(small.place, "500000 5300000 60 0 0 -60 none 0");
    const corner = (x, y) =>
      [0, 1, 37, 38].map(k => whole.cells[2 * y * 37 + 2 * x + k]).filter(height => !Number.isNaN(height));
    for (const [x, y] of [
      [0, 0],
      [17, 0],
      [3, 127],
      [9, 149],
    ]) {
      const all = corner(x, y),
        mean = all.reduce((sum, height) => sum + height, 0) / all.length;
      assert.equal(small.cells[y * 18 + x], Math.fround(mean));
    }
    await assert.rejects(read("1.tif", 1e6, 1000), /37 × 300 cells, at most 1,000 are read/);
    await assert.rejects(read("package.json", 1e6, 1e6), /no TIFF/);
    execFileSync("gdal_translate", ["-q", "-co", "COMPRESS=ZSTD", "made1.tif", "zstd.tif"], { cwd: scratch });
    await assert.rejects(read("zstd.tif", 1e6, 1e6), /compression is not read here/);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
