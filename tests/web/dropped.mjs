// A GeoTIFF that is dropped onto the page gives the cells, the gaps and the frame that the program reads, with GDAL.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";

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

// Negates the height of a cell (the second number of ModelPixelScale), as some programs write it and GDAL does not.
function turned(bytes) {
  const entry = bytes.indexOf(Buffer.from([0x0e, 0x83, 12, 0, 3, 0, 0, 0])),
    at = bytes.readUInt32LE(entry + 8) + 8;
  bytes.writeDoubleLE(-bytes.readDoubleLE(at), at);
}

// Options of gdal_translate, the frame of what is translated, and what is changed in the file afterwards.
const UTM = 'system = "EPSG:32633", unit = "m", x = 5e5, y = 53e5, cell = 30';
const files = [
  ["-co COMPRESS=LZW -co PREDICTOR=3", UTM],
  ["-co COMPRESS=LZW -co BLOCKYSIZE=300", UTM],
  ["-co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 -co COMPRESS=DEFLATE", UTM],
  [
    "-ot Int16 -a_nodata -32768 -co COMPRESS=DEFLATE -co PREDICTOR=2",
    'system = "EPSG:4326", x = 11, y = 48, cell = 0.01',
  ],
  ["-ot UInt16 -co ENDIANNESS=BIG -co COMPRESS=PACKBITS", "x = 1, y = 2, cell = 3"],
  ["-ot Float64 -a_scale 0.1 -a_offset 7", UTM + ", turn_x = 2, turn_y = 1, sea = 12.5"],
  ["-mo AREA_OR_POINT=Point", 'system = "EPSG:2056+5728", x = 26e5, y = 12e5, cell = 2'],
  ["-a_ullr 0 10 20 0 -a_srs EPSG:26916", UTM + ", top = 900"],
  ["-a_ullr 0 0 20 10", UTM], // the first row in the south
  ["", UTM, turned],
  ["-mo AREA_OR_POINT=Point", UTM, turned],
  ["", "nowhere = true"],
];

async function reader(scratch) {
  for (const name of ["src/web/tab/blocks.js", "src/web/tab/dropped.js", library])
    copyFileSync(name, join(scratch, name.split("/").pop()));
  writeFileSync(join(scratch, "package.json"), '{ "type": "module" }');
  return (await import(pathToFileURL(join(scratch, "dropped.js")))).readRaster;
}

// A TIFF of 16 × 16 cells of 32 bits, with other entries; `next`: of the directory after it, which is at 8.
function forged(data, entries = {}, next = 0) {
  const usual = {
      256: 16,
      257: 16,
      258: 32,
      259: 1,
      262: 1,
      273: 0,
      277: 1,
      278: 16,
      279: data.length,
      339: 3,
    },
    tags = { ...usual, ...entries },
    names = Object.keys(tags),
    head = Buffer.from("II*\0\x08\0\0\0", "latin1"),
    directory = Buffer.alloc(2 + 12 * names.length + 4);
  tags[273] ||= 8 + directory.length;
  let end = 8 + directory.length + data.length;
  const texts = [];
  directory.writeUInt16LE(names.length);
  names.forEach((name, i) => {
    const value = tags[name],
      isText = typeof value === "string",
      at = 2 + 12 * i;
    directory.writeUInt16LE(Number(name), at);
    directory.writeUInt16LE(isText ? 2 : 4, at + 2);
    directory.writeUInt32LE(isText ? value.length : 1, at + 4);
    directory.writeUInt32LE(isText ? end : value, at + 8);
    if (isText) texts.push(Buffer.from(value, "latin1"));
    end += isText ? value.length : 0;
  });
  directory.writeUInt32LE(next, directory.length - 4);
  return new Blob([Buffer.concat([head, directory, data, ...texts])]);
}

test("forged files take neither time nor memory", { skip: !library && lacks }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), "forged-"));
  try {
    const readRaster = await reader(scratch),
      read = (...file) => readRaster(forged(...file), 1 << 22, 1 << 28),
      cells = Buffer.from(Float32Array.from({ length: 256 }, (_, i) => i).buffer),
      used = process.resourceUsage();
    const made = (await read(cells)).cells;
    assert.deepEqual((await read(cells, {}, 8)).cells, made); // a ring of directories
    const items = '<Item name="SCALE" sample="0">2</Item>' + '<Item name="SCALE">'.repeat(2e5);
    assert.equal((await read(cells, { 42112: items })).cells[255], 510);
    const bomb = deflateSync(Buffer.alloc(1 << 26));
    assert.equal((await read(bomb, { 259: 8 })).cells[255], 0);
    const runs = Buffer.from([129, 0, 129, 0]), // of PackBits
      packed = Buffer.concat(Array.from({ length: 1 << 17 }, () => runs));
    assert.equal((await read(packed, { 259: 32773 })).cells[255], 0);
    await assert.rejects(read(cells, { 256: 1 << 28, 257: 1, 278: 1 }), /blocks are too many, or too large/);
    await assert.rejects(read(cells, { 256: 1, 257: 1 << 28, 278: 1 }), /blocks are too many, or too large/);
    await assert.rejects(read(cells, { 256: 1 << 14, 257: 1 << 14, 278: 1 << 14 }), /too many, or too large/);
    await assert.rejects(read(cells, { 257: 0 }), /no cells/);
    for (const entries of [{ 273: 1 << 30 }, { 279: 10 }, { 259: 8 }, { 259: 5 }, { 258: 0 }, { 277: 0 }])
      await assert.rejects(read(cells, entries), /^Error: it is damaged, or not read here \(/);
    const infinite = Buffer.from(Float32Array.from({ length: 256 }, (_, i) => (i < 2 ? i / 0 : 1)).buffer);
    assert.deepEqual([...(await read(infinite)).cells.slice(0, 3)], [NaN, NaN, 1]); // as the program has it
    const { maxRSS, userCPUTime } = process.resourceUsage();
    assert.ok(maxRSS - used.maxRSS < 100e3, `${maxRSS - used.maxRSS} kB`);
    assert.ok(userCPUTime - used.userCPUTime < 5e6, `${userCPUTime - used.userCPUTime} µs`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});

test("the page reads GeoTIFF as the program does", { skip: lacks }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), "dropped-"));
  try {
    const readRaster = await reader(scratch);
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
    for (const [i, [options, , change]] of files.entries()) {
      const name = `${i + 1}.tif`;
      execFileSync("gdal_translate", ["-q", ...options.split(" ").filter(Boolean), "made" + name, name], {
        cwd: scratch,
      });
      if (change) {
        const bytes = readFileSync(join(scratch, name));
        change(bytes);
        writeFileSync(join(scratch, name), bytes);
      }
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
