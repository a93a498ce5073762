// node explorer-page.mjs PROGRAM PLAYWRIGHT [SESSION], run by explorer-page.sh: all sessions, or those whose name has a word.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { check, open, plan } from "../support/browser.mjs";
import { readWebm } from "../support/webm.mjs";

const [, , program, playwright, only = ""] = process.argv;
const map = `local p = params{ seed = 3, width = { 0.004, min = 0.001, max = 0.05 } }
return { map = esker.river_map{ seed = p.seed, river_width = p.width, land = "raw" } }
`;
const shapes = `local p = params{ seed = 3, size = { 128, min = 64, max = 256 } }
local net = esker.river_network{ size = p.size, seed = p.seed, points = 300, rivers = 2 }
local land = net:terrain{ seed = p.seed }
local trees = land:scatter{ distances = { 0.05 } }
print("printed", p.size)
return { land = land, net = net, trees = trees, mesh = land:mesh{}:plant(trees, { height = 0.05 }), slope = land:slope{} }
`;
const planet = `local p = params{ seed = 3 }
return { planet = esker.river_map{ seed = p.seed, tiling = "sphere", land = "raw" } }
`;

// A session with helpers; everything that goes wrong in it is a failed check.
async function session(name, recipe, options, run) {
  if (!name.includes(only)) return;
  const on = await open(program, playwright, recipe, { width: 900, height: 600, reducedMotion: "reduce", ...options });
  const { page } = on;
  on.eventually = (test, argument) => page.waitForFunction(test, argument, { timeout: 60000, polling: 50 }).then(() => true, () => false);
  on.view = () => page.evaluate(() => { const { x, y, zoom, tilt, turn, face } = explorer.camera.view; return { x: Number(x >> 108n) / 2 ** 52, y: Number(y >> 108n) / 2 ** 52, zoom, tilt, turn, face }; });
  on.pixels = () => page.evaluate(() => { // how many colours of what is drawn there are, in 4 bits a channel
    explorer.drawNow();
    const { width, height } = explorer.canvas, canvas = new OffscreenCanvas(width, height), context = canvas.getContext("2d");
    context.drawImage(explorer.canvas, 0, 0);
    const { data } = context.getImageData(0, 0, width, height), colours = new Map();
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

await session("phone", map, { width: 390, height: 780, touch: true }, async ({ page, context, view, settled, eventually }) => {
  const devtools = await context.newCDPSession(page);
  const touch = (type, points) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const fingers = async path => {
    await touch("touchStart", path(0));
    for (let i = 1; i <= 12; i++) await touch("touchMove", path(i / 12));
    await touch("touchEnd", []);
    await settled();
    return view();
  };
  const around = (r, angle) => [[180 - r * Math.cos(angle), 380 - r * Math.sin(angle)], [180 + r * Math.cos(angle), 380 + r * Math.sin(angle)]];
  const begun = await view(), dragged = await fingers(t => [[200 - 80 * t, 400]]);
  check("one finger moves the map", dragged.x > begun.x + 0.1 && Math.abs(dragged.zoom - begun.zoom) < 1e-9, JSON.stringify([begun, dragged]));
  const near = await fingers(t => around(30 + 90 * t, 0));
  check("two fingers zoom in", near.zoom > dragged.zoom + 1.4 && near.tilt === 0 && near.turn === 0, JSON.stringify(near));
  const far = await fingers(t => around(120 - 90 * t, 1));
  check("and out, at any angle", far.zoom < near.zoom - 1.4 && far.tilt === 0, JSON.stringify(far));
  const turned = await fingers(t => around(95, t * 0.8));
  check("they turn the map", Math.abs(turned.turn) > 15 && turned.tilt === 0, JSON.stringify(turned));
  const tilted = await fingers(t => [[100, 480 - 150 * t], [260, 480 - 150 * t]]);
  check("and tilt it", tilted.tilt > 20 && Math.abs(tilted.turn - turned.turn) < 1e-3, JSON.stringify(tilted));
  await page.touchscreen.tap(150, 400);
  check("a tap shows the place", await eventually(() => /Height.*Slope/.test(document.getElementById("inspector").textContent)));
  await page.tap("#fold");
  await settled();
  await eventually(() => explorer.stage.covered[1] > 150);
  const boxes = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, panel: document.getElementById("panel").getBoundingClientRect().toJSON(),
    covered: explorer.stage.covered[1], small: [...document.querySelectorAll("#tools button, #panel button:not(.plain)")].filter(each => each.offsetHeight && each.offsetHeight < 30).length }));
  check("the panel is a sheet below, and the middle of the map stays in sight", boxes.wide <= 390 && boxes.panel.bottom >= 779 && boxes.covered > 150 && boxes.small === 0, JSON.stringify(boxes));
  await page.setViewportSize({ width: 360, height: 640 });
  await settled();
  const hidden = () => page.evaluate(() => [...document.querySelectorAll("#tools button")].filter(each => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return !each.contains(document.elementFromPoint(left + width / 2, top + height - 4));
  }).map(each => each.id).join());
  const sheet = await hidden();
  await page.tap("#tab-recipe");
  await eventually(() => document.getElementById("editor"));
  await eventually(() => document.getElementById("editor")?.shadowRoot?.querySelector(".cm-gutters"));
  const alpha = await page.evaluate(() => /^rgba\(.*, (?:0|0?\.\d+)\)$/.test(getComputedStyle(document.getElementById("editor").shadowRoot.querySelector(".cm-gutters")).backgroundColor));
  check("a long line does not shine through the line numbers", !alpha);
  check("no button is under the sheet or the editor", sheet === "" && await hidden() === "", `${sheet} ${await hidden()}`);
  check("the whole map lies beside the buttons", await eventually(() => explorer.stage.middle[0] + 128 * 2 ** explorer.whole().zoom <= document.getElementById("tools").getBoundingClientRect().left));
});

await session("places", map, {}, async ({ page, settled, eventually, view, go, picture, context, address }) => {
  await page.mouse.click(600, 300);
  await eventually(() => /Flows to/.test(document.getElementById("inspector").textContent));
  const told = await page.textContent("#inspector");
  check("a click tells place, height, slope and where the water flows", /x0\.\d+.*y0\.\d+.*Height.*Slope/.test(told) && /Flows to/.test(told), told);
  const mark = () => page.evaluate(() => Number(document.querySelector("#drawing circle").getAttribute("cx")));
  const before = await mark();
  await page.locator("#map").focus();
  await page.keyboard.press("ArrowRight");
  await settled();
  check("its mark stays on the ground", Math.abs(before - 80 - await mark()) < 2, `${before} ${await mark()}`);
  await page.keyboard.press("Escape");

  const deepest = await page.evaluate(() => {
    const places = Array.from({ length: 441 }, (_, i) => [i % 21, Math.floor(i / 21)].map(value => BigInt(Math.round((value + 1) / 23 * 2 ** 40)) << 120n));
    const heights = places.map(([x, y]) => explorer.ground.altitude({ x, y }, 3)?.absolute ?? 0), at = heights.indexOf(Math.min(...heights));
    return [at % 21, Math.floor(at / 21)].map(value => (value + 1) / 23);
  });
  await page.evaluate(([x, y]) => { location.hash = `#x=${x}&y=${y}&zoom=2000&tilt=58`; }, deepest);
  await eventually(() => explorer.camera.view.tilt === 58);
  await settled();
  check("the deep sea is seen in 3D", await page.evaluate(() => explorer.ground.drawn.length > 4), deepest);
  await page.evaluate(() => explorer.camera.set(explorer.whole()));

  await page.click("#tab-places");
  await page.fill("#bookmark", "first");
  await page.keyboard.press("Enter");
  await page.evaluate(() => { location.hash = "#x=0.43212&y=0.45198&zoom=3000&tilt=40&turn=20"; });
  await eventually(() => explorer.camera.view.tilt === 40);
  await page.fill("#bookmark", "second");
  await page.keyboard.press("Enter");
  await page.click("#places >> text=first");
  await eventually(() => !explorer.camera.journey && explorer.camera.view.tilt === 0);
  await page.click("#places >> text=Fly");
  check("a journey ends at the other place", await eventually(() => !explorer.camera.journey && Math.abs(explorer.camera.view.tilt - 40) < 1e-6));
  await settled();
  const there = await page.evaluate(() => explorer.address()), shown = await picture();
  const other = await context.browser().newContext({ viewport: { width: 900, height: 600 }, reducedMotion: "reduce" }), fresh = await other.newPage();
  await fresh.goto(address + there);
  await settled(fresh);
  const again = await fresh.evaluate(async () => {
    const blob = await explorer.picture(), bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
    return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
  });
  check("another browser shows the same picture at the same address", again === shown, there);
  await other.close();

  await page.evaluate(() => { const path = explorer.path; explorer.path = to => ({ ...path.call(explorer, to), seconds: 0.1 }); });
  const coming = () => page.waitForEvent("download", { timeout: 240000 });
  const film = coming();
  await page.click("#places >> text=Film");
  const recorded = await film, saved = readFileSync(await recorded.path()), { codec, width, height, duration, frames } = readWebm(saved);
  check("a film has all its frames, and stays half a second where it ends", recorded.suggestedFilename() === "journey.webm" && /^V_VP[89]$/.test(codec) && width === 900 && height === 600
    && frames.length === 18 && Math.abs(duration - 600) < 1, `${codec} ${width} ${height} ${duration} ${frames.length}`);
  check("and ends at the other place", await page.evaluate(() => !explorer.stage.posing && Math.abs(explorer.camera.view.tilt - 40) < 1e-6));
  const archive = coming();
  await page.click("#places >> text=Frames");
  await eventually(() => /Frame [3-9] of 18/.test(document.getElementById("notices").textContent));
  await page.keyboard.press("Escape");
  const pictures = readFileSync(await (await archive).path());
  check("frames are saved in an archive, as far as they were made when Escape stops them", pictures.subarray(0, 4).toString() === "PK\x03\x04"
    && pictures.includes("journey-0001.png") && !pictures.includes("journey-0017.png") && pictures.includes("IHDR"));
  check("and the map moves again", await page.evaluate(() => !explorer.canvas.inert && !explorer.places.recording && !/Frame/.test(document.getElementById("notices").textContent)));
});

await session("recipe", shapes, {}, async ({ page, settled, eventually, file, view, pixels, picture }) => {
  await page.click("#results >> text=land");
  const first = await picture();
  check("what it prints is shown", (await page.textContent(".output pre")).includes("printed\t128"));
  for (const name of ["net", "trees", "mesh", "slope", "land"]) {
    await page.click(`#results >> text=${name}`);
    await eventually(expected => explorer.result?.name === expected && explorer.stage.grounds.at(-1)?.result.name === expected, name);
    await settled();
    const { count, most } = await pixels();
    check(name + " is drawn", count > 4 && most < 0.95, `${count} ${most}`);
    await page.click("#export");
    const offered = (await page.locator("#dialog .choices button").allTextContents()).join(" ");
    check("what " + name + " can be saved as is offered", /GeoJSON/.test(offered) === ["net", "trees"].includes(name) && /PLY/.test(offered) === (name === "mesh"), offered);
    await page.keyboard.press("Escape");
  }
  check("and the land is drawn as at first", await picture() === first);
  await page.click("#tab-look");
  const heights = () => page.locator("#look >> text=Heights in view").isVisible(), seen = await heights();
  await page.click("#results >> text=net");
  check("heights in view are told of heights alone", seen && await eventually(() => explorer.result.name === "net") && await settled() !== null && !await heights(), seen);
  await page.click("#results >> text=land");
  await eventually(() => explorer.result.name === "land");
  await settled();
  const bare = await pixels();
  check("sliders show their values, and opacity is there only with something laid over", await page.textContent("#look .param:has(#look-azimuth) output") === "315°"
    && await page.isHidden("#opacity"));
  await page.selectOption("#overlay", "net");
  check("with its name", await page.isVisible("#opacity") && /opacity.*80 %/.test(await page.textContent("#look .param:has(#opacity)")));
  await eventually(() => explorer.ground.strokes && !explorer.ground.waiting);
  await settled();
  check("a network lies on the land as lines", (await pixels()).count !== bare.count && await page.evaluate(() => [...explorer.ground.strokes.shapes.values()][0].count > 100));
  const legend = id => page.evaluate(id => { const { hidden, innerText } = document.getElementById(id); return hidden ? "" : innerText.replace(/\s+/g, " ").trim(); }, id);
  const bars = () => page.evaluate(() => [...document.querySelectorAll("#look svg.histogram")].filter(each => each.checkVisibility()).map(each => each.querySelectorAll("rect").length));
  const plain = await legend("layer-legend");
  await page.selectOption("#over-palette", "viridis");
  check("in a palette it tells discharges, with a legend and a histogram", plain === "" && await eventually(() => /^net: discharge 1 \d+/.test(document.getElementById("layer-legend").innerText.replace(/\s+/g, " "))
    && document.querySelectorAll("#look svg.histogram rect").length === 120) && (await pixels()).count > bare.count, `${plain} ${await legend("layer-legend")} ${await bars()}`);
  await page.selectOption("#over-palette", "");
  await settled();
  const dark = () => page.evaluate(() => { // how much darker lines make it
    const sum = () => {
      explorer.drawNow();
      const { width, height } = explorer.canvas, context = new OffscreenCanvas(width, height).getContext("2d");
      context.drawImage(explorer.canvas, 0, 0);
      return context.getImageData(0, 0, width, height).data.reduce((sum, value, i) => i % 4 === 3 && value !== 255 ? NaN : sum + value, 0);
    };
    const { look, ground } = explorer, { strokes } = ground, sums = [1, 0.5].map(opacity => { look.opacity = opacity; return sum(); });
    ground.strokes = null;
    const none = sum();
    ground.strokes = strokes;
    look.opacity = 0.8;
    return (none - sums[1]) / (none - sums[0]);
  });
  const share = await dark();
  check("half its opacity is half of it, also where its pieces overlap", Math.abs(share - 0.5) < 0.02, share);
  const lined = await pixels();
  await page.selectOption("#overlay", "slope");
  await eventually(() => explorer.ground.covered?.endsWith("viridis") && explorer.ground.shared.opacity > 0);
  await settled();
  check("a field lies on the land as a layer with a palette of its own", (await pixels()).count !== lined.count);
  check("with its legend and histogram", await eventually(() => document.querySelectorAll("#look svg.histogram rect").length === 120) && /^slope \S+ \S+$/.test(await legend("layer-legend"))
    && String(await bars()) === "60,60", `${await legend("layer-legend")} ${await bars()}`);
  const inView = () => page.evaluate(() => { const { values } = explorer.shown.layers.told(explorer.ground), all = values(); return [all.length, Math.max(...all), explorer.shown.layers.layer.scale.labels.at(-1)[1]]; });
  const [many, most, highest] = await inView();
  check("of what is in view", many > 500 && most <= Number(highest) * 1.01 && most > Number(highest) * 0.5, [many, most, highest]);
  await page.selectOption("#overlay", "");
  check("which go with it", await eventually(() => document.getElementById("layer-legend").hidden && document.querySelectorAll("#look svg.histogram").length > 0
    && [...document.querySelectorAll("#look svg.histogram")].filter(each => each.checkVisibility()).length === 1), await bars());
  await page.selectOption("#palette", "viridis");
  await settled();
  check("a palette changes the colours", (await pixels()).count !== bare.count && await page.evaluate(() => document.getElementById("palette").value === "viridis"));
  check("the histogram is drawn", await page.locator("#look svg rect").count() > 20);

  await page.click("#tab-parameters");
  const value = () => page.inputValue("#p-seed");
  await page.click("text=Random");
  await settled();
  const seed = await value();
  await page.click("text=Undo");
  await settled();
  const undone = await value();
  await page.click("text=Redo");
  await settled();
  check("random seed, undo and redo", seed !== "3" && undone === "3" && await value() === seed, `${seed} ${undone} ${await value()}`);
  await page.keyboard.press("c");
  await eventually(() => explorer.stage.grounds.length === 2);
  await page.click("text=Random");
  await settled();
  const left = await page.evaluate(() => explorer.stage.swipe * innerWidth);
  await page.mouse.move(left, 200);
  await page.mouse.down();
  await page.mouse.move(left + 120, 200, { steps: 4 });
  await page.mouse.up();
  await page.focus("#swipe");
  await page.keyboard.press("ArrowRight");
  check("A and B differ, and the bar between them moves by pointer and keys", Math.abs(await page.evaluate(() => explorer.stage.swipe * innerWidth) - left - 138) < 4
    && await page.evaluate(() => explorer.stage.grounds[0].source.only.values[5] !== explorer.stage.grounds[1].source.only.values[5]));
  const told = async x => {
    await page.mouse.click(x, 300);
    const { title, height } = await page.waitForFunction(x => {
      const list = document.querySelector("#inspector dl:not(.dim)"), row = [...list?.querySelectorAll("dt") ?? []].find(each => each.textContent === "Height");
      const title = document.querySelector("#inspector header span")?.textContent;
      return row && title === "This place in " + (explorer.stage.isFirst([x, 300]) ? "A" : "B") && { title, height: row.nextElementSibling.textContent };
    }, x, { timeout: 20000 }).then(handle => handle.jsonValue(), () => ({}));
    const own = await page.evaluate(x => {
      const place = explorer.camera.placeOf([x, 300]), zoom = explorer.camera.view.zoom;
      return explorer.stage.grounds.map(ground => ground.known(place, zoom).altitude);
    }, x);
    return { title, height: Number(height), own };
  };
  const edge = await page.evaluate(() => explorer.stage.swipe * innerWidth), inA = await told(edge - 60), inB = await told(edge + 60);
  check("a click on A tells of A, one on B of B", inA.title === "This place in A" && Math.abs(inA.height - inA.own[0]) < 1e-3 && Math.abs(inB.height - inB.own[1]) < 1e-3
    && Math.abs(inA.own[0] - inA.own[1]) > 2e-3, JSON.stringify([inA, inB]));
  await page.keyboard.press("Escape");
  await page.click("#compare");
  await page.click("text=Undo");
  await settled();
  await page.click("text=Save as recipe");
  await eventually(() => document.getElementById("dialog").open);
  const saved = readdirSync(dirname(file)).find(name => name !== "recipe.lua"), text = saved ? readFileSync(join(dirname(file), saved), "utf8") : "";
  check("save as recipe writes these values, and gives the command", text.includes("seed = " + seed) && (await page.textContent("#dialog")).includes("esker "), text);
  await page.click("#dialog >> text=Close");

  await page.click("#export");
  const formats = await page.locator("#dialog .choices button").count();
  await page.keyboard.press("Escape");
  const failed = [];
  for (let i = 0; i < formats; i++) {
    await page.click("#export");
    const button = page.locator("#dialog .choices button").nth(i), title = await button.textContent(), coming = page.waitForEvent("download", { timeout: 20000 }).catch(() => null);
    if (/GeoTIFF/.test(title)) { // needs GDAL
      await page.keyboard.press("Escape");
      continue;
    }
    await button.click();
    const got = await coming;
    if (!got || readFileSync(await got.path()).length < 500) failed.push(title);
  }
  check("every export is a file", formats >= 4 && !failed.length, failed.join(", "));

  await page.click("#tab-recipe");
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("local more = esker.spec", { delay: 20 });
  check("the editor completes", await eventually(() => /spectral/.test(document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip-autocomplete")?.textContent ?? "")));
  await page.keyboard.press("Tab");
  check("and Tab takes what it offers", /local more = esker\.spectral/.test(await page.evaluate(() => document.getElementById("editor").shadowRoot.querySelector(".cm-content").textContent)));
  check("an error stands at its line", await eventually(() => document.getElementById("editor").shadowRoot.querySelector(".cm-lint-marker-error") !== null && !document.getElementById("error").hidden));
  const word = await page.evaluate(() => {
    const walk = document.createTreeWalker(document.getElementById("editor").shadowRoot.querySelector(".cm-content"), NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let node; (node = walk.nextNode());) {
      const at = node.data.indexOf("scatter");
      if (at < 0) continue;
      range.setStart(node, at);
      range.setEnd(node, at + 7);
      return range.getBoundingClientRect().toJSON();
    }
  });
  await page.mouse.move(word.x + 20, word.y + 6);
  await page.mouse.move(word.x + 24, word.y + 7);
  check("and shows help for a word", await eventually(() => /scatter/.test(document.getElementById("editor").shadowRoot.querySelector(".cm-help")?.textContent ?? "")));
  await page.locator("#editor .cm-content").press("Control+z");
});

// What a recipe does to itself harms neither the page nor the next run; nor do two pages each other.
await session("limits", `local p = params{ seed = 3, mode = { "well", choices = { "well", "loop", "memory" } } }
while p.mode == "loop" do end
local all = {}
while p.mode == "memory" do all[#all + 1] = ("x"):rep(1e8) .. #all end
return { land = esker.spectral{ size = 64, seed = p.seed }, map = esker.river_map{ seed = p.seed, land = "raw" } }
`, { words: ["--time-limit", "40"] }, async ({ page, context, address, settled, eventually, errors }) => {
  for (const [mode, words] of [["loop", /time limit of 40 s/], ["memory", /not enough memory.*\(--memory-limit\)/]]) {
    await page.selectOption("#p-mode", mode);
    const told = await page.waitForFunction(source => new RegExp(source).test(document.getElementById("error").innerText), words.source, { timeout: 120000 }).then(() => true, () => false), text = await page.textContent("#error");
    check(`a recipe that ${mode === "loop" ? "loops" : "wants all memory"} is told by one line`, told && text.length < 200 && await page.locator("#notices .notice").count() === 0, text + await page.textContent("#notices"));
    await page.evaluate(() => { location.hash = explorer.address().replace(/&zoom=[^&]*/, "&zoom=2"); });
    check("and what was drawn goes on", await eventually(() => explorer.isSettled() && explorer.ground.drawn.length > 0 && Math.abs(explorer.zoom - 2) < 0.01));
    await page.selectOption("#p-mode", "well");
    check("until it is mended", await eventually(() => document.getElementById("error").hidden && explorer.isSettled()), await page.textContent("#error"));
  }
  errors.length = 0;
  const other = await context.newPage();
  await other.goto(address);
  await settled(other);
  const set = (on, seed) => on.evaluate(seed => explorer.setParameter("seed", seed, false), seed), seedOf = on => on.evaluate(() => [explorer.values.seed, document.getElementById("p-seed").value].join());
  await Promise.all([set(page, 11), set(other, 22)]);
  await settled();
  await settled(other);
  check("two pages keep their own values", await seedOf(page) === "11,11" && await seedOf(other) === "22,22", await seedOf(page) + " " + await seedOf(other));
  const low = on => on.evaluate(() => explorer.ground.source.world ?? Array.from(explorer.ground.source.only.values.slice(0, 50)).join());
  check("and each its own land", await low(page) !== await low(other));
  await other.close();
  await set(page, 12);
  await settled();
  errors.splice(0, errors.length, ...errors.filter(error => !/409/.test(error))); // the run of one took the place of the other's, which then ran
  check("one goes on where the other is closed", await seedOf(page) === "12,12" && await page.evaluate(() => document.getElementById("error").hidden));
});

await session("not square", `local p = params{ seed = 3 }
return { wide = esker.spectral{ width = 128, height = 64, seed = p.seed }, tall = esker.spectral{ width = 64, height = 128, seed = p.seed } }
`, {}, async ({ page, settled, eventually }) => {
  for (const [name, from, to] of [["wide", [0.04, 0.06], [0.96, 0.44]], ["tall", [0.06, 0.04], [0.44, 0.96]]]) {
    await page.evaluate(name => explorer.choose(name), name);
    await eventually(name => explorer.result?.name === name && explorer.stage.grounds.at(-1).result.name === name, name);
    await settled();
    await page.evaluate(() => explorer.camera.set(explorer.whole()));
    await settled();
    const pixels = await page.evaluate(places => places.map(([x, y]) => explorer.stage.pixelAt(explorer.camera.view, { x: BigInt(Math.round(x * 2 ** 40)) << 120n, y: BigInt(Math.round(y * 2 ** 40)) << 120n })), [from, to]);
    const middle = [0, 1].map(i => (pixels[0][i] + pixels[1][i]) / 2), covered = await page.evaluate(() => explorer.stage.middle);
    check(name + " is seen in the middle", middle.every((value, i) => Math.abs(value - covered[i]) < 2), JSON.stringify([middle, covered]));
    for (const [x, y] of pixels) {
      await page.evaluate(at => explorer.readout.click(at), [x, y]);
      const told = await eventually(() => /Drains|Slope/.test(document.getElementById("inspector").textContent) && !document.querySelector("#inspector .dim"));
      const [shown, seen] = await page.evaluate(at => [Number(document.querySelectorAll("#inspector dd")[2]?.textContent), explorer.readout.heightAt(...at)], [x, y]);
      check(`a click on its corner tells of it, as the server does`, told && Math.abs(shown - seen) < 0.02, `${shown} ${seen}`);
    }
    await page.keyboard.press("Escape");
  }
});

// Names that objects of JavaScript have by themselves.
await session("names", `local p = params{ seed = 3, __proto__ = { 2, min = 1, max = 5 }, constructor = 3, toString = 1.5 }
return { constructor = esker.noise{ size = 64, seed = p.seed + p.constructor + p.__proto__ }, valueOf = p.__proto__ * 100 + p.constructor }
`, { width: 1000, height: 700 }, async ({ page, settled, eventually }) => {
  const shown = () => page.evaluate(() => ["__proto__", "constructor", "toString"].map(name => document.getElementById("p-" + name).value).join());
  check("parameters of any name have their defaults", await shown() === "2,3,1.5", await shown());
  for (const [name, value] of [["__proto__", "4"], ["constructor", "7"]]) {
    await page.fill("#p-" + name, value);
    await page.keyboard.press("Enter");
    await settled();
  }
  check("and are set", await eventually(() => /valueOf407/.test(document.querySelector(".scores").textContent)), await page.textContent(".scores"));
  await eventually(() => /p\.__proto__=4&p\.constructor=7/.test(location.hash));
  await page.reload();
  await settled();
  check("also by an address", await shown() === "4,7,1.5" && await page.textContent("#notices") === "", await shown());
  check("the whole lies beside the tools", await page.evaluate(() => {
    const { stage, camera } = explorer, right = stage.pixelAt(camera.view, { x: (1n << 160n) - 1n, y: 1n << 159n })[0], left = stage.pixelAt(camera.view, { x: 0n, y: 1n << 159n })[0];
    return left >= document.getElementById("panel").getBoundingClientRect().right && right <= document.getElementById("tools").getBoundingClientRect().left;
  }));
});

const layered = `local p = params{ seed = { 3, min = 1, max = 99 }, age = { 2, min = 1, max = 5 } }
if p.age == 5 then error("too old") end
local land = esker.spectral{ size = 64, seed = p.seed }:normalize{} * p.age
return { land = land, slope = land:slope{}, map = esker.river_map{ seed = p.seed, land = "raw" } }
`;
await session("what is told", layered, {}, async ({ page, file, settled, eventually, errors }) => {
  const told = () => page.textContent("#notices"), values = () => page.textContent("#inspector");
  await page.mouse.click(600, 300);
  await eventually(() => /Drains/.test(document.getElementById("inspector").textContent));
  const before = await values();
  await page.evaluate(() => explorer.setParameter("seed", 8, false));
  check("the values of a place follow another ground", await eventually(old => /Drains/.test(document.getElementById("inspector").textContent)
    && document.getElementById("inspector").textContent !== old && !document.querySelector("#inspector .dim"), before), await values());
  await settled();
  await page.locator("#map").focus();
  await page.keyboard.press("Control+z");
  check("and go back with undo", await eventually(old => document.getElementById("inspector").textContent === old, before), await values() + before);

  await page.mouse.move(500, 350);
  await eventually(() => /height/.test(document.getElementById("place").textContent));
  const height = () => page.evaluate(() => /height (.*)/.exec(document.getElementById("place").textContent)?.[1]), still = await height();
  await page.keyboard.press("PageUp");
  check("the height below a pointer that rests follows the map", await eventually(() => explorer.camera.still) && await settled() !== null && await height() !== still, still);

  await page.evaluate(() => { location.hash = "#" + "x".repeat(20000); });
  check("a long address that means nothing is told in short", await eventually(() => /Not understood/.test(document.getElementById("notices").textContent)) && (await told()).length < 120, (await told()).length);
  check("and goes", await eventually(() => location.hash.length < 400));
  await page.evaluate(() => { location.hash = "#x=abc&nonsense=1&p.age=9"; });
  check("one notice tells what is wrong with an address", await eventually(() => /nonsense.*age must be 1 to 5/.test(document.getElementById("notices").textContent))
    && await page.locator("#notices .notice").count() === 1, await told());
  await settled();

  await page.click("#tab-places");
  await page.evaluate(() => explorer.setParameter("age", 4, false));
  await settled();
  await page.fill("#bookmark", "old");
  await page.keyboard.press("Enter");
  await page.evaluate(() => explorer.setParameter("age", 1, false));
  await settled();
  await page.click("#places >> text=old");
  check("a bookmark has its parameters", await eventually(() => explorer.values.age === 4), await page.evaluate(() => explorer.values.age));
  await settled();
  await page.evaluate(() => {
    explorer.setParameter("age", 2, false);
    location.hash = explorer.address().replace(/&zoom=[^&]*/, "&zoom=5");
  });
  await settled();
  await page.fill("#bookmark", "young");
  await page.keyboard.press("Enter");
  await page.evaluate(() => { // what is drawn when a flight begins
    const { camera } = explorer, { fly } = camera;
    camera.fly = (...words) => { globalThis.begun = explorer.values.age; fly.apply(camera, words); };
  });
  await page.click("#places >> text=Fly");
  check("a flight is over the land of the first place, and ends on that of the second", await eventually(() => globalThis.begun === 4 && (explorer.values.age ?? 2) === 2
    && explorer.isSettled()), await page.evaluate(() => [globalThis.begun, explorer.values.age].join()));
  await page.click("#places >> text=old");
  await eventually(() => explorer.values.age === 4);
  await settled();
  const text = await page.evaluate(() => explorer.state.recipe.text);
  await page.evaluate(() => explorer.recipe.setText(explorer.state.recipe.text + "-- mine\n"));
  await eventually(() => explorer.state.recipe.text.includes("mine") && explorer.isSettled());
  await page.locator("#map").focus();
  await page.keyboard.press("Control+z");
  check("undo takes a text edit back, and no more", await eventually(expected => explorer.state.recipe.text === expected, text) && await page.evaluate(() => explorer.values.age === 4));
  await settled();

  rmSync(file);
  check("a file that vanishes is told, and no lost server", await eventually(() => /cannot read/.test(document.getElementById("notices").textContent)) && !/does not answer/.test(await told()), await told());
  writeFileSync(file, layered + "\n");
  check("until it is back", await eventually(() => !/cannot read/.test(document.getElementById("notices").textContent)), await told());
  await settled();
  await page.evaluate(() => explorer.setParameter("age", 5, false));
  await eventually(() => !document.getElementById("error").hidden);
  errors.length = 0;
});

await session("laid over", `local p = params{ seed = 3 }
local net = esker.river_network{ size = 128, seed = p.seed, points = 60, rivers = 1 }
return { map = esker.river_map{ seed = p.seed, land = "raw" }, ramp = esker.noise{ size = 64 }, net = net }
`, {}, async ({ page, settled, eventually }) => {
  await page.evaluate(() => { location.hash = "#x=0.5&y=0.5&zoom=1.5"; });
  await page.click("#tab-look");
  await page.selectOption("#overlay", "ramp");
  await eventually(() => explorer.ground.shared.opacity > 0);
  await settled();
  const tiles = await page.evaluate(() => [...explorer.ground.chunks].map(([node, { uniforms: { overlayArea } }]) => [node.z, ...overlayArea]));
  await page.selectOption("#overlay", "net");
  await eventually(() => explorer.ground.strokes && !explorer.ground.waiting);
  await settled();
  const counts = await page.evaluate(() => explorer.ground.drawn.map(node => [node.z, explorer.ground.strokes.shapes.get(node)?.count]));
  check("and a network, too", counts.length >= 4 && new Set(counts.map(([, count]) => count)).size > 1, JSON.stringify(counts));
  check("a field over a map has its parts on each tile", tiles.length >= 4 && tiles.every(([z, x, y, wide]) => wide === 2 ** -z) && new Set(tiles.map(String)).size === tiles.length, JSON.stringify(tiles));
});

// A first run that fails shows what was declared, and what is wrong; a value that is not allowed is none.
await session("first run", layered, { words: ["age=7"] }, async ({ page, eventually }) => {
  check("a value of the command line that is not allowed is told, and has its default", await eventually(() => /age must be 1 to 5, got 7/.test(document.getElementById("notices").textContent))
    && await page.evaluate(() => explorer.values.age === undefined || explorer.values.age === 2), await page.textContent("#notices"));
});
if ("first run".includes(only)) {
  const failing = await open(program, playwright, layered, { words: ["age=5"], width: 900 });
  check("a recipe that fails at once shows its parameters, and its error", await failing.page.waitForFunction(() => /too old/.test(document.getElementById("error").innerText)
    && document.getElementById("p-seed") && document.getElementById("p-age"), null, { timeout: 30000 }).then(() => true, () => false));
  await failing.page.fill("#p-age", "3", { timeout: 5000 }).catch(() => {});
  await failing.page.keyboard.press("Enter");
  check("with which it is mended", await failing.settled().then(() => true, () => false));
  await failing.page.setViewportSize({ width: 390, height: 780 });
  await failing.page.click("#fold");
  await failing.page.evaluate(() => explorer.setParameter("age", 5, false));
  check("and where the panel is folded, a notice tells of an error", await failing.page.waitForFunction(() => /too old/.test(document.getElementById("notices").innerText), null, { timeout: 30000 }).then(() => true, () => false));
  await failing.end();
}

await session("planet", planet, {}, async ({ page, settled, view, eventually, pixels }) => {
  check("a planet is a globe in the dark", (await pixels()).most < 0.8 && await page.evaluate(() => new Set(explorer.ground.drawn.map(node => node.face)).size >= 3));
  const begun = await view();
  await page.mouse.move(600, 300);
  await page.mouse.down();
  await page.mouse.move(450, 330, { steps: 6 });
  await page.mouse.up();
  await settled();
  const turned = await view();
  check("one turns it", turned.x !== begun.x || turned.face !== begun.face, JSON.stringify([begun, turned]));
  await page.mouse.move(600, 300);
  for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -600);
  await eventually(() => explorer.camera.view.zoom > 4 && explorer.camera.still);
  await page.keyboard.press("t");
  await eventually(() => explorer.camera.view.tilt > 50 && !explorer.camera.journey);
  check("dives into it, and stands on it in 3D", await eventually(() => explorer.ground.drawn.some(node => node.z >= 3)) && (await pixels()).count > 20);
});

await session("keyboard", map, {}, async ({ page, view, settled, eventually }) => {
  const seen = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const on = document.activeElement, style = getComputedStyle(on);
      return { id: on.id || on.ariaLabel || on.textContent.slice(0, 12), ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2, body: on === document.body };
    });
    if (at.body) break;
    seen.push(at);
  }
  const names = seen.map(each => each.id);
  check("Tab goes to the map, the panel and the tools", ["map", "fold", "tab-parameters", "p-seed", "nearer", "tilt", "export", "place"].every(name => names.includes(name)), names.join(" "));
  check("and one sees where one is", seen.every(each => each.ring), JSON.stringify(seen.filter(each => !each.ring)));
  await page.focus("#tab-parameters");
  await page.keyboard.press("ArrowRight");
  check("arrows go through the tabs", await page.evaluate(() => document.activeElement.id === "tab-look" && !document.getElementById("look").hidden));
  await page.focus("#tab-look");
  await page.keyboard.press("ArrowLeft");
  await page.focus("#p-width");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  check("and move a slider", await eventually(() => explorer.values.width > 0.004));
  const on = id => page.evaluate(wanted => document.activeElement.id === wanted, id);
  await page.focus("#p-width");
  await page.keyboard.press("m");
  check("M leads to the map, also from a number", await on("map"));
  await page.click("#tab-recipe");
  await eventually(() => document.getElementById("editor")?.shadowRoot?.querySelector(".cm-content"));
  await page.locator("#editor .cm-content").focus();
  await page.keyboard.press("Tab");
  const caught = await on("editor");
  await page.keyboard.press("Escape");
  check("and Escape from the editor, which keeps Tab", caught && await on("map"), caught);
  await page.locator("#editor .cm-content").press("Control+z");
  await page.focus("#map");
  await page.keyboard.press("+");
  await page.keyboard.press("t");
  await eventually(() => explorer.camera.view.tilt > 50 && explorer.camera.still);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  check("Enter tells the place in the middle", await eventually(() => /Height/.test(document.getElementById("inspector").textContent)));
  await page.keyboard.press("n");
  await eventually(() => explorer.camera.view.turn === 0);
  await page.keyboard.press("Home");
  check("Home shows the whole", await eventually(() => explorer.camera.view.tilt === 0 && Math.abs(explorer.camera.view.zoom - explorer.whole().zoom) < 1e-6));
});

// Ground in 3D, in pixels of what is drawn: where the map ends, and its outline.
await session("relief", map, { width: 480, height: 360 }, async ({ page, settled, eventually }) => {
  await page.evaluate(() => { explorer.tools.makeRoom = () => { explorer.stage.covered = [0, 0, 0]; }; });
  const look = hash => page.evaluate(text => { explorer.tools.makeRoom(); explorer.camera.change({ tilt: 0 }); location.hash = text; }, hash)
    .then(() => eventually(() => explorer.camera.view.tilt > 50)).then(() => settled());
  const frame = () => page.evaluate(() => {
    explorer.drawNow();
    const { width, height } = explorer.canvas, canvas = new OffscreenCanvas(width, height), context = canvas.getContext("2d");
    context.drawImage(explorer.canvas, 0, 0);
    const { data } = context.getImageData(0, 0, width, height), colour = (x, y) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)];
    const sky = colour(2, 2), off = (x, y) => Math.hypot(...colour(x, y).map((value, i) => value - sky[i]));
    const at = (x, y) => explorer.stage.pixelAt(explorer.camera.view, { x: BigInt(Math.round(x * 2 ** 40)) << 120n, y: BigInt(Math.round(y * 2 ** 40)) << 120n })?.map(Math.round) ?? [0, height];
    const far = at(0.5, 0.001), near = at(0.5, 0.9999);
    let rows = 0, partial = 0; // of those where the map begins, after the sky
    for (let y = far[1] + 10; y < near[1] - 10; y++) {
      let x = 0;
      while (x < width - 3 && off(x, y) < 6) x++;
      if (x === 0 || x >= width - 3) continue;
      rows++;
      if (off(x, y) < 0.7 * off(x + 2, y)) partial++;
    }
    return { below: colour(near[0], Math.min(near[1] + 8, height - 1)), above: off(far[0], far[1] + 1), middle: off(width / 2, height / 2), rows, partial };
  });
  await look("#x=0.5&y=0.5&zoom=0.7&tilt=62");
  const whole = await frame();
  const [red, green, blue] = whole.below; // of its side: a dark brown, which no palette has
  check("a map that is seen whole is a block", red > blue && red < 140 && red - blue < 40 && red >= green && whole.above > 60, JSON.stringify(whole));
  await page.evaluate(() => { explorer.stage.painter.software = false; });
  const smooth = await frame();
  check("its outline is smooth", smooth.rows > 30 && smooth.partial > 0.5 * smooth.rows && whole.partial < 0.35 * whole.rows, JSON.stringify([whole, smooth]));
  await page.evaluate(() => { explorer.stage.painter.software = true; });
  await look("#x=0.5&y=0.8&zoom=4&tilt=70");
  const inside = await frame();
  check("from within, it fades where it ends", inside.above < 30 && inside.middle > 60, JSON.stringify(inside));
});

// The contrast of texts against what lies behind them (WCAG 2.2, 1.4.3), in light and dark, over the palest and the darkest map:
// of every panel, dialog and message.
await session("contrast", layered, {}, async ({ page, settled, eventually, errors }) => {
  const poor = () => page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1), context = canvas.getContext("2d", { willReadFrequently: true });
    const bytes = (colour, under) => {
      context.globalCompositeOperation = "copy";
      context.fillStyle = under;
      context.fillRect(0, 0, 1, 1);
      context.globalCompositeOperation = "source-over";
      for (const each of colour) {
        context.fillStyle = each;
        context.fillRect(0, 0, 1, 1);
      }
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const found = [], texts = "h1, h2, button, label, p, dt, dd, summary, output, select, input, pre, code, .notice span, .legend span, .legend .title, #scale span, [role=tab], .cm-line span, .cm-lineNumbers .cm-gutterElement, .cm-tooltip *";
    const shadow = document.getElementById("editor")?.shadowRoot;
    const all = document.querySelector("dialog[open]") ? document.querySelectorAll("dialog[open] *") : [...document.querySelectorAll(texts), ...shadow?.querySelectorAll(texts) ?? []];
    for (const on of all) {
      const text = on.value ?? on.textContent;
      if (!on.checkVisibility() || !text.trim() || on.disabled || /range|checkbox/.test(on.type ?? "")) continue;
      const backs = [];
      for (let up = on; up; up = up.parentElement ?? up.getRootNode().host) backs.unshift(getComputedStyle(up).backgroundColor);
      for (const under of ["#ffffff", "#10202c"]) {
        const panel = backs.slice(2), back = bytes(panel, under), front = bytes([...panel, getComputedStyle(on).color], under);
        const [low, high] = [luminance(back), luminance(front)].sort((a, b) => a - b), ratio = (high + 0.05) / (low + 0.05);
        if (ratio < 4.5) found.push(`${text.trim().slice(0, 20)} ${ratio.toFixed(2)} over ${under}`);
      }
    }
    return [...new Set(found)];
  });
  const open = id => async () => { await page.click(id); };
  const states = { parameters: open("#tab-parameters"), look: async () => {
    await page.click("#tab-look");
    await page.selectOption("#overlay", "slope");
    await eventually(() => !document.getElementById("layer-legend").hidden);
  }, places: async () => {
    await page.click("#tab-places");
    await page.fill("#bookmark", "here");
    await page.keyboard.press("Enter");
  }, recipe: async () => {
    await page.click("#tab-recipe");
    await eventually(() => document.getElementById("editor")?.shadowRoot?.querySelector(".cm-line span"));
  }, place: async () => {
    await page.evaluate(() => explorer.readout.click(explorer.stage.middle));
    await eventually(() => /Height/.test(document.getElementById("inspector").textContent));
  }, help: open("#help"), "no dialog": () => page.keyboard.press("Escape"), export: open("#export"), "no export": () => page.keyboard.press("Escape"), error: async () => {
    await page.click("#tab-parameters");
    await page.evaluate(() => explorer.setParameter("age", 5, false));
    await eventually(() => !document.getElementById("error").hidden);
    await page.fill("#p-age", "9");
    await page.keyboard.press("Enter");
    await page.click("#compare");
    await eventually(() => document.querySelector(".notice.bad"));
  } };
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await settled();
    const found = [];
    for (const [name, show] of Object.entries(states)) {
      await show();
      for (const each of await poor()) found.push(name + ": " + each);
    }
    check("text is read in " + scheme, found.length === 0, found.join("; "));
    await page.evaluate(() => explorer.setParameter("age", 2, false));
    await eventually(() => document.getElementById("error").hidden);
    await settled();
  }
  errors.length = 0;
});
// Pages of one server, in one browser: each is drawn in its turn, and all hear of what happens by one connection.
await session("pages", `local p = params{ seed = 3 }
local sum = 0
for i = 1, 3e7 do sum = sum + i % 7 end
print("seed", p.seed)
return { land = esker.noise{ size = 64, seed = p.seed } }
`, {}, async ({ page, context, settled }) => {
  const pages = [page], runs = [], streams = [];
  context.on("response", response => { if (/api\/run/.test(response.url())) runs.push(response.status()); });
  context.on("request", request => { if (/api\/events/.test(request.url())) streams.push(request.url()); });
  for (let i = 1; i < 7; i++) pages.push(await context.newPage());
  await Promise.all(pages.slice(1).map(other => other.goto(page.url().replace(/#.*/, "")).then(() => settled(other))));
  await Promise.all(pages.map((each, i) => each.evaluate(seed => explorer.setParameter("seed", seed, false), 50 + i)));
  await Promise.all(pages.map(each => settled(each)));
  const shown = await Promise.all(pages.map(each => each.evaluate(() => [explorer.state.params[0].value, explorer.values.seed].join())));
  check("seven pages of one recipe are all drawn, each with its own value", shown.join(" ") === "50,50 51,51 52,52 53,53 54,54 55,55 56,56", shown.join(" "));
  check("without a run that another page stops", runs.length === 7 && runs.every(status => status === 200), runs.join());
  check("one of them listens to the server", streams.length === 0, streams.join());
  await pages.shift().close();
  check("and when it is closed, another does", await (async () => {
    for (let i = 0; i < 100 && !streams.length; i++) await new Promise(done => setTimeout(done, 100));
    return streams.length === 1;
  })(), streams.length);
});

plan();
