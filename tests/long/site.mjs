// The site of `make web` as a user sees it: node site.mjs PROGRAM PLAYWRIGHT FOLDER, run by site.sh.
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { check, launch, plan } from "../support/browser.mjs";
import { serve } from "../support/site.mjs";

const [, , program, playwright, folder] = process.argv;
const { chromium } = await import(playwright);
let seconds = 60; // of a run
const site = await serve(folder, {
  "limits.js": text => text.replace(/SECONDS = \d+/, `SECONDS = ${seconds}`),
});
const browser = await launch(chromium),
  size = { width: 330, height: 240 },
  outside = [], // requests that left the site
  errors = [];
async function open(hash, { serviceWorkers = "block", before, routed, path = "explore.html" } = {}) {
  const context = await browser.newContext({
    viewport: size,
    reducedMotion: "reduce",
    serviceWorkers,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (routed) await context.route(...routed);
  const page = await context.newPage();
  page.on("request", request => {
    if (!request.url().startsWith(site.address) && !request.url().startsWith("blob:"))
      outside.push(request.url());
  });
  page.on("pageerror", error => errors.push(error.message));
  if (before) await page.addInitScript(before);
  await page.goto(site.address + path + hash);
  return page;
}
const packed = text => deflateRawSync(text, { level: 9 }).toString("base64url");
const link = text => "#r=" + packed(text);
const within = (page, test, argument) =>
  page.waitForFunction(test, argument, { timeout: 300000, polling: 50 }).then(
    () => true,
    () => false,
  );
const settled = page => within(page, () => globalThis.explorer?.first && explorer.isSettled());
const told = async page => {
  await within(page, () => document.getElementById("notices").textContent);
  return page.locator("#notices").innerText();
};
// Whether the dialog shows a code that a reader of such codes reads as the link.
const hasReader = !spawnSync("zbarimg", ["--version"]).error;
async function readsCode(page, link) {
  await page.setViewportSize({ width: 390, height: 844 }); // a phone's
  const code = page.locator("#dialog[open] svg[role=img]");
  await code.waitFor();
  const path = join(scratch, "code.png");
  await code.screenshot({ path });
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, "share.png") });
  await page.setViewportSize(size);
  return (
    !hasReader || spawnSync("zbarimg", ["-q", "--raw", path], { encoding: "utf8" }).stdout.trim() === link
  );
}
const word = (page, name) =>
  page.evaluate(name => new URLSearchParams(location.hash.slice(1)).get(name), name);

// --- a stranger's link: the same bytes as the program ------------------------------------------------------
const recipe = `local p = params{ seed = { 3, min = 0, max = 99 } }
local map = esker.river_map{ seed = p.seed, land = "eroded" }
local land = esker.spectral{ size = 32, seed = p.seed }
local hill = (land * 900 - 100):georeference{ system = "EPSG:32633", unit = "m", x = 5e5, y = 53e5, cell = 30 }
local deep, river = map:render{ size = 32, zoom = 1e3, x = "0.4321789", y = "0.5723456", relative = true }
return { map = map, land = land, hill = hill, net = land:rivers_from_flow{}, mesh = land:mesh{}, a = land:hash(), b = land:hydraulic_erosion{ iterations = 5 }:hash(),
    c = land:stream_erosion{}:hash(), d = deep:hash(), e = river:hash(),
    f = esker.voronoi{ size = 32, seed = 5 }:slope():hash(), g = land:relief{}:hash(), n = land:statistics().mean }
`;
const scratch = mkdtempSync(join(tmpdir(), "site-"));
writeFileSync(join(scratch, "shared.lua"), recipe.replace("map = map, ", "")); // which the program does not save
const native = execFileSync(program, ["shared.lua", "seed=5", "--hash", "-q", "-o", "out"], {
  cwd: scratch,
  encoding: "utf8",
});
execFileSync(program, ["shared.lua", "seed=5", "-q", "-o", "out"], { cwd: scratch }); // its files
const numbers = text =>
  Object.fromEntries([...text.matchAll(/^([a-gn]) = (\S+)/gm)].map(match => match.slice(1)));

const page = await open(link(recipe) + "&p.seed=5");
await page.locator("dialog pre").waitFor();
check(
  "a stranger's recipe is shown before it runs",
  (await page.locator("dialog pre").textContent()) === recipe &&
    (await page.evaluate(() => !explorer.state && !explorer.first)),
);
await page.click("dialog button");
check("it is drawn once the user wants it", await settled(page), await page.locator("#notices").innerText());
// What the page itself asks for after the first picture.
const laterIn = page =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ startTime }) => startTime > explorer.first)
      .map(({ name }) => name.replace(/.*\//, "")),
  );
const later = await laterIn(page),
  bytes = site.size(name => !later.includes(name));
check(
  `what comes until the first picture has at most 1,000 KiB, compressed (${bytes >> 10} KiB)`,
  bytes <= 1000 << 10,
);
check("help comes after it", later.includes("late.bin"), later.join(" "));
const values = await page.evaluate(() =>
  Object.fromEntries(
    explorer.state.results
      .filter(each => each.name.length === 1)
      .map(each => [each.name, String(each.value)]),
  ),
);
const expected = numbers(native);
check(
  "the tab computes the program's bytes, with the link's parameters",
  Object.keys(expected).length === 8 &&
    Object.keys(expected).every(name => name === "n" || expected[name] === values[name]),
  JSON.stringify([expected, values]),
);

// --- what comes late -----------------------------------------------------------------------------------------
{
  const text = `local sum = 0
local function add(word)
    for i = 1, #(word or "") do sum = (sum * 31 + word:byte(i)) % 4294967291 end
end
for _, each in ipairs(esker.operations()) do
    for _, name in ipairs{ "name", "summary", "description", "example", "picture", "source", "keywords", "see_also" } do add(each[name]) end
    for _, param in ipairs(each.params) do add(param.doc) end
end
return { s = sum }
`;
  writeFileSync(join(scratch, "texts.lua"), text);
  const [, sum] = /s = (\d+)/.exec(
    execFileSync(program, ["texts.lua", "-q"], { cwd: scratch, encoding: "utf8" }),
  );
  const other = await open(link(text));
  await other.click("dialog button");
  await within(other, () => explorer.state?.results.length);
  check(
    "a recipe that reads the declarations gets the program's, though their texts come later",
    (await other.evaluate(() => String(explorer.state.results[0].value))) === sum,
  );
  await other.context().close();
  const wrong = await open(link("return { land = esker.nois{ size = 8 } }"));
  await wrong.click("dialog button");
  await within(wrong, () => !document.getElementById("error").hidden);
  check(
    "and a misspelt function is told with the one that was meant",
    /no function 'nois'.*did you mean 'noise'/.test(await wrong.locator("#error").innerText()),
    await wrong.locator("#error").innerText(),
  );
  await wrong.context().close();
}
const help = page =>
  page.evaluate(async () => {
    const { request } = await import("./ask.js"),
      answer = await (await request("api/help?word=blur")).json();
    return answer.text ?? answer.error;
  });
{
  let there = false;
  const cut = await open(link("return { land = esker.nois{ size = 8 } }"), {
    routed: ["**/late.bin", route => (there ? route.continue() : route.fulfill({ status: 404 }))],
  });
  await cut.click("dialog button");
  await within(cut, () => !document.getElementById("error").hidden);
  check(
    "where what comes late is missing, a misspelt function is still told",
    /:1: esker has no function 'nois'$/.test(await cut.locator("#error").innerText()),
    await cut.locator("#error").innerText(),
  );
  const missing = await help(cut);
  check("and what needs it says why it is not had", /late\.bin answers 404/.test(missing), missing);
  there = true;
  const come = await help(cut);
  check("it is asked for again, and then it is there", /Gaussian/i.test(come), come);
  await cut.context().close();
}
check(
  "help is the program's",
  (await help(page)) === execFileSync(program, ["help", "blur"], { encoding: "utf8" }),
);

// --- the link follows the page -----------------------------------------------------------------------------
const whole = await word(page, "zoom");
await page.locator("#map").focus();
await page.keyboard.press("+");
await within(page, () => explorer.camera.still && location.hash === explorer.address());
check(
  "the address keeps the recipe, its parameters and the place while one moves",
  inflateRawSync(Buffer.from(await word(page, "r"), "base64url")).toString() === recipe &&
    (await word(page, "p.seed")) === "5" &&
    (await word(page, "zoom")) !== whole,
  await page.evaluate(() => location.hash),
);
const own = recipe.replace("seed = { 3,", "seed = { 4,");
const draw = async text => {
  await page.evaluate(text => explorer.recipe.setText(text), text);
  await settled(page);
  return page.locator("#error").textContent();
};
await draw(own);
await within(page, () => location.hash === explorer.address());
await page.click("#share");
const shared = await page.evaluate(() => navigator.clipboard.readText());
check(
  "Share copies a link that holds the edited recipe",
  shared.startsWith(site.address) &&
    inflateRawSync(
      Buffer.from(new URLSearchParams(shared.split("#")[1]).get("r"), "base64url"),
    ).toString() === own,
  shared,
);
const dialog = page.locator("#dialog[open]");
check("with a QR code that holds the link", await readsCode(page, shared), await dialog.innerText());
await page.setViewportSize({ width: 480, height: 480 });
const close = await dialog.locator("button", { hasText: "Close" }).boundingBox();
const code = await dialog.locator("svg[role=img]").boundingBox();
check(
  "its Close is in view on a low window, below the code",
  close.y + close.height <= 480 && code.y + code.height <= close.y,
  JSON.stringify([code, close]),
);
await page.setViewportSize(size);
check(
  "the dialog says that it is copied",
  /^A link to this world is copied$/m.test(await dialog.innerText()),
);
await page.keyboard.press("Escape");
await draw(own + "-- " + randomBytes(3000).toString("base64") + "\n");
await page.click("#share");
await dialog.waitFor();
check(
  "a link that is too long for one is told of in one line",
  /The link has \d,\d{3} characters: too many for a QR code, which holds 2,953\./.test(
    await dialog.innerText(),
  ) && (await dialog.locator("svg").count()) === 0,
  await dialog.innerText(),
);
await page.keyboard.press("Escape");
await draw(own);
const textOf = async () => inflateRawSync(Buffer.from(await word(page, "r"), "base64url")).toString();
while ((await textOf()) !== own) await page.waitForTimeout(50); // the address follows
await page.reload();
check("who wrote or ran a recipe in this tab is not asked again", await settled(page));

// --- all begins at once ------------------------------------------------------------------------------------
const first = await open("#example=land", {
  before: () => {
    globalThis.begun = [];
    const note = (owner, method, word) => {
      const known = owner[method];
      owner[method] = function (...words) {
        const name = word(...words);
        if (name && !begun.includes(name)) begun.push(name);
        return known.apply(this, words);
      };
    };
    note(Worker.prototype, "postMessage", ({ kind, asked }) =>
      kind === "begin" ? "recipe" : /api.tile/.test(asked?.path) && "tile",
    );
    note(HTMLCanvasElement.prototype, "getContext", kind => kind === "webgl2" && "renderer");
    note(WebGL2RenderingContext.prototype, "linkProgram", () => "program");
    note(WebGL2RenderingContext.prototype, "getProgramParameter", () => "program's end");
  },
});
await settled(first);
const order = (await first.evaluate(() => begun)).join(", ");
check(
  "the recipe is on its way before there is a renderer, whose program is compiled while the first tile is drawn",
  order === "recipe, renderer, program, tile, program's end",
  order,
);
await first.context().close();

// --- files -------------------------------------------------------------------------------------------------
const files = await page.evaluate(async () => {
  const { request } = await import("./ask.js"),
    made = {};
  for (const [result, format] of [
    ["map", "png16"],
    ["land", "r32"],
    ["mesh", "glb"],
    ["land", "npy"],
  ]) {
    const response = await request(
      `api/export?generation=${explorer.state.generation}&result=${result}&format=${format}&size=64`,
    );
    made[format] = String.fromCharCode(...new Uint8Array(await response.arrayBuffer()).slice(0, 6));
  }
  return made;
});
check(
  "pictures, heights and meshes can be downloaded",
  files.png16.startsWith("\x89PNG") &&
    files.glb.startsWith("glTF") &&
    files.npy.startsWith("\x93NUMPY") &&
    files.r32.length === 6,
  JSON.stringify(files),
);
check(
  "formats that need a library are not offered",
  await page.evaluate(() => {
    const all = Object.values(explorer.state.downloads).flat();
    return all.length > 20 && !all.some(each => ["tif", "exr"].includes(each.ending));
  }),
);
// What a button of the export's dialog downloads.
async function exported(result, title) {
  await page.evaluate(name => explorer.choose(name), result);
  await settled(page);
  await page.click("#export");
  const download = page.waitForEvent("download");
  await page.locator("#dialog button", { hasText: title }).click();
  const path = join(scratch, (await download).suggestedFilename());
  await (await download).saveAs(path);
  return path;
}
// What Esker finds in files: the hash and the frame of each.
const found = paths =>
  execFileSync(process.env.LUA ?? "lua5.4", ["-", ...paths], {
    encoding: "utf8",
    env: { ...process.env, LUA_CPATH: join(program, "../?.so;;") },
    input: `local esker = require "esker"
for i = 1, #arg do
    local land = esker.load(arg[i])
    local frame = land.frame or {}
    print(land:hash(), frame.system, frame.unit, frame.x, frame.y, frame.cell_width)
end`,
  })
    .trim()
    .split("\n");
const out = name => join(scratch, "out", name);
{
  const [numbers, tif, known] = found([
    await exported("hill", "NumPy"),
    await exported("hill", "GeoTIFF"),
    await exported("hill", "Heights: PNG"),
  ]);
  check(
    "a GeoTIFF has the heights, where they lie, and their unit",
    tif.split("\t")[0] === numbers.split("\t")[0] &&
      tif.endsWith("\tEPSG:32633\tm\t500000.0\t5300000.0\t30.0"),
    [numbers, tif].join("\n"),
  );
  check(
    "a PNG of heights has their range: it reads as the program's",
    known === found([out("hill.png")])[0],
    known,
  );
  const window = await exported("map", "GeoTIFF");
  check("so has one of a map's window", /^\w{16}\t/.test(found([window])[0]), found([window])[0]);
  const { features } = JSON.parse(readFileSync(await exported("net", "GeoJSON"), "utf8"));
  check(
    "GeoJSON has the program's lines",
    features.length > 0 &&
      JSON.stringify(features) ===
        JSON.stringify(JSON.parse(readFileSync(out("net.geojson"), "utf8")).features),
  );
}
const saved = page.waitForEvent("download");
await page.evaluate(() => explorer.recipe.save());
check(
  "Save as recipe downloads it with the parameters as defaults",
  readFileSync(await (await saved).path(), "utf8") === own.replace("seed = { 4,", "seed = { 5,"),
);

// --- a GeoTIFF that is dropped onto the page -----------------------------------------------------------------
{
  const drop = async (name, bytes) => {
    await page.evaluate(
      ([name, bytes]) => {
        document.getElementById("notices").replaceChildren();
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), byte => byte.charCodeAt(0))], name));
        dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
      },
      [name, bytes.toString("base64")],
    );
    await within(page, () => /cells|not opened/.test(document.getElementById("notices").textContent));
    await settled(page);
    return page.locator("#notices").innerText();
  };
  const value = name =>
    page.evaluate(name => explorer.state.results.find(each => each.name === name)?.value, name);
  const path = join(scratch, "ground.tif"),
    make = seed =>
      execFileSync(process.env.LUA ?? "lua5.4", ["-"], {
        encoding: "utf8",
        env: { ...process.env, LUA_CPATH: join(program, "../?.so;;") },
        input: `local esker = require "esker"
local land = esker.noise{ width = 90, height = 70, seed = ${seed} } * 900
land = land:set_gaps(land:select{ height = { 500 } })
land:georeference{ system = "EPSG:32633", unit = "m", x = 5e5, y = 53e5, cell = 30 }:save("${path}")
print(esker.load("${path}"):slope():hash())`,
      }).trim();
  const hasGDAL = !spawnSync("gdalinfo", ["--version"]).error;
  if (hasGDAL) {
    const text = `local land = esker.load("ground.tif") return { land = land, s = land:slope():hash() }`,
      error = await draw(text);
    check(
      "a recipe names the file that is to be dropped",
      /no 'ground.tif': drop the file/.test(error),
      error,
    );
    const hash = make(1),
      line = await drop("ground.tif", readFileSync(path));
    check(
      "a GeoTIFF that is dropped is what the program loads, where it lies, with its gaps",
      line.includes("ground.tif: 90 × 70 cells") && (await value("s")) === hash,
      [line, await value("s"), hash].join(" "),
    );
    const other = make(2);
    await drop("ground.tif", readFileSync(path));
    check(
      "another one of the same name takes its place, under a name of its own",
      (await value("s")) === other &&
        (await page.evaluate(() => explorer.recipe.text)).includes('"ground-2.tif"'),
    );
    await drop("my hill.tif", readFileSync(path));
    const shown = await page.evaluate(() => explorer.state.results.map(each => each.name).join());
    check("one that no recipe names gets one", shown === "land,relief", shown);
    const refused = await drop("bad.tif", Buffer.from("II*"));
    check(
      "a damaged one is refused in one line",
      /bad.tif is not opened: it is no TIFF/.test(refused),
      refused,
    );
    await draw(own);
  } else check("a dropped GeoTIFF # SKIP no GDAL", true);
}

// --- hostile recipes ---------------------------------------------------------------------------------------
for (const [text, line] of [
  ["local t = {} while true do t[#t + 1] = ('x'):rep(1 << 20) .. #t end", /not enough memory/],
  ["return { a = io.open('/etc/passwd') }", /'io' is not defined/],
  ["return { a = require 'esker.tab' }", /there is no esker\/tab\.lua/],
  ["return { a = esker.load('/etc/passwd.png') }", /cannot read '\/etc\/passwd.png'/],
  ["return { a = esker.spectral{ size = 16384 } }", /not enough memory/],
  ["return { a = esker.large{ size = 65536, window = print } }", /large and mosaic need files/],
  ["local function f() return f() + 1 end return { a = f() }", /stack overflow/],
]) {
  const error = await draw(text);
  check(
    "one line says why there is no result: " + text.slice(0, 40),
    line.test(error) && error.length < 300 && !error.includes("--"),
    error,
  );
}
check(
  "and the next recipe is drawn",
  (await draw(own)) === "" && (await page.evaluate(() => !explorer.state.error)),
);
const reaches = await page.evaluate(async address => {
  const refused = await fetch(address).then(
    () => "no",
    () => "yes",
  );
  return refused;
}, "http://localhost:9/");
check("the page's policy lets no request out", reaches === "yes" && outside.length === 0, outside.join(" "));
await page.context().close();
seconds = 3;
const endless = await open(link("while true do end"));
await endless.click("dialog button");
check("an endless loop is ended", /time limit of 3 s is over/.test(await told(endless)), await told(endless));
await endless.context().close();
seconds = 60;

// --- without a server --------------------------------------------------------------------------------------
const asFile = await browser.newPage();
await asFile.goto(pathToFileURL(join(folder, "explore.html")).href);
check(
  "a page that is opened as a file says what it needs",
  await within(asFile, () => getComputedStyle(document.querySelector(".unserved")).visibility === "visible"),
);
await asFile.close();

// --- links that hold nothing -------------------------------------------------------------------------------
for (const [name, hash, line, before] of [
  ["garbage", "#r=AAAAgarbage", /cut short or changed/],
  ["a link that is cut before its recipe's text", "#x=0.5&y=0.5&zoom=40&r=", /cut short or changed/],
  ["ten megabytes", link(" ".repeat(10 << 20)), /too long: more than 1,048,576 bytes/],
  ["a long address", "#r=" + "A".repeat(200000), /link is too long: 200,003 characters/],
  ["an example that is not there", "#example=nowhere", /example that is not here/],
  [
    "a browser without WebAssembly",
    "#example=island",
    /has no WebAssembly/,
    () => {
      delete globalThis.WebAssembly;
    },
  ],
  [
    "one without vectors",
    "#example=island",
    /no vectors/,
    () => {
      WebAssembly.validate = () => false;
    },
  ],
]) {
  const other = await open(hash, { before });
  await told(other);
  const text = await other.locator("#notices span").innerText(); // beside a button to the start page
  check("one line tells of " + name, line.test(text) && text.length < 150 && !text.includes("\n"), text);
  await other.context().close();
}

for (const [name, hash, line] of [
  [
    "an address without a recipe",
    "#x=0.5&y=0.5&zoom=0.7",
    /^The address names no recipe, .*: this is land\.lua$/,
  ],
  [
    "a parameter that the recipe has not",
    "#example=island&p.nope=4",
    /^Not understood in the address: p\.nope$/,
  ],
]) {
  const other = await open(hash);
  await told(other);
  const text = await other.locator("#notices span").innerText();
  check("one line tells once of " + name, line.test(text), text);
  await other.context().close();
}
{
  const other = await open("#example=island");
  await other.click("#home");
  await other.waitForURL(/index\.html$/);
  await other.setViewportSize({ width: 390, height: 844 });
  const words = other.locator(".card span").first();
  check(
    "a world leads back to the start page, whose cards have words on a phone, too",
    await words.isVisible(),
  );
  await other.context().close();
}
const damaged = await open("#r=AAAAgarbage");
await damaged.click("#notices button");
await damaged.waitForURL(/index\.html$/);
check("a damaged link leads to the start page", await damaged.locator(".card").count());
await damaged.context().close();

// --- a page of one recipe ----------------------------------------------------------------------------------
writeFileSync(join(scratch, "my map.lua"), recipe);
execFileSync(program, ["explore", "--static", "--site", folder, "my map.lua", "seed=5", "-q", "-o", "page"], {
  cwd: scratch,
});
const absent = [],
  host = await serve(join(scratch, "page"), {}, name => absent.push(name));
const one = await (await browser.newContext({ viewport: size, reducedMotion: "reduce" })).newPage();
one.on("pageerror", error => errors.push(error.message));
await one.goto(host.address);
await one.waitForURL(/explore.html#example=my-map&p.seed=5/);
const drawn = await settled(one);
await one.evaluate(() => navigator.serviceWorker.ready);
await host.close();
check("a page of one recipe has no way to a start page", (await one.locator("#home").count()) === 0);
check(
  "explore --static --site writes a page that draws its recipe with its values, without being asked, and offline",
  drawn &&
    absent.length === 0 &&
    (await one.evaluate(() => explorer.state.results.find(each => each.name === "d").value)) === expected.d &&
    (await one.goto(host.address).then(
      () => settled(one),
      () => false,
    )),
  absent.join(" "),
);
await one.context().close();

// --- a sweep whose runs compute in the page ----------------------------------------------------------------
execFileSync(
  program,
  ["sweep", "my map.lua", "seed=4..5", "--site", folder, "--no-pictures", "-q", "-o", "swept"],
  { cwd: scratch },
);
const swept = await serve(join(scratch, "swept")),
  gallery = await (await browser.newContext({ viewport: size, reducedMotion: "reduce" })).newPage();
gallery.on("pageerror", error => errors.push(error.message));
await gallery.goto(swept.address + "#sort=seed&down=1");
await gallery.click(".card");
await gallery.click("#computed");
check(
  "a sweep's gallery leads to a page that computes the run",
  (await settled(gallery)) &&
    (await gallery.evaluate(() => explorer.state.results.find(each => each.name === "d").value)) ===
      expected.d,
);
await gallery.context().close();
await swept.close();

// --- offline -----------------------------------------------------------------------------------------------
const start = await open("", { path: "", serviceWorkers: "allow" });
await start.evaluate(() => navigator.serviceWorker.ready);
const earlier = ["planet.lua"]; // which older links name
const examples = await start
  .locator(".card")
  .evaluateAll(cards => cards.map(card => card.getAttribute("href")));
const recipes = readdirSync(join(folder, "recipes"));
const { icons } = JSON.parse(readFileSync(join(folder, "esker.webmanifest"), "utf8"));
const hasSize = ({ src, sizes, type }) => {
  const bytes = readFileSync(join(folder, src));
  return type !== "image/png" || sizes === `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
};
check("the manifest's icons have the sizes that it says", icons.every(hasSize));
check(
  icons.length === 3 ? "two of them are PNG" : "icons as PNG # SKIP rsvg-convert is not installed",
  icons.length === 3 || spawnSync("rsvg-convert", ["--version"]).error,
);
check(
  "the start page links to each recipe of the site",
  examples.length > 10 && examples.length + earlier.length === recipes.length,
);
for (const example of [...examples, "explore.html#example=planet"]) {
  await start.goto("about:blank"); // the same page with another fragment loads itself anew, at some time
  await start.goto(site.address + example);
  const well = await settled(start),
    text = await start.evaluate(
      () => document.getElementById("error").textContent + document.getElementById("notices").textContent,
    );
  check("draws " + example, well && text === "", text);
}
await site.close();
await start.goto(site.address + examples[0]).catch(() => {});
check("offline, the site still draws", await settled(start));
check("and helps", /^esker|height:blur/m.test(await help(start)));
await start.click("#share");
check("and shows a code", await readsCode(start, await start.evaluate(() => navigator.clipboard.readText())));
check("no script has failed", errors.length === 0, errors.join("\n"));
await browser.close();
rmSync(scratch, { recursive: true });
plan();
