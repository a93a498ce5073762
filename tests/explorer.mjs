// What a user sees of `esker explore`: node explorer.mjs PROGRAM PLAYWRIGHT, run by explorer.sh.
import { readFileSync, writeFileSync } from "node:fs";
import { check, open, PATIENCE, plan } from "./support/browser.mjs";
import { pageSize } from "./support/figures.mjs";

const recipe = `local p = params{ seed = 3, talus = { 8, min = 1, max = 64, doc = "steepest <b>slope</b>" }, kind = { "plain", choices = { "plain", "rough" } } }
local land = esker.spectral{ size = 64, seed = p.seed }:olsen_erosion{ talus = p.talus, iterations = 5 }
return { map = esker.river_map{ seed = p.seed, land = "raw" }, land = land, relief = land:relief{}, score = p.talus / 4 }
`;
const [, , program, playwright] = process.argv;
const { server, context, page, file, errors, end, settled, picture, go, address } = await open(
  program,
  playwright,
  recipe,
  { width: 330, height: 240, reducedMotion: "reduce", plain: true },
);
const hash = () => page.evaluate(() => location.hash);
const view = () => page.evaluate(() => explorer.camera.view.zoom);
const eventually = (test, argument) =>
  page.waitForFunction(test, argument, { timeout: PATIENCE, polling: 50 }).then(
    () => true,
    () => false,
  );
// All that a page has told since it was opened: a notice leaves after seconds, which may be before a busy machine looks.
const listen = () => {
  window.told = "";
  new MutationObserver(changes => {
    for (const { target, addedNodes } of changes)
      if (target.id === "notices") for (const notice of addedNodes) window.told += notice.textContent;
  }).observe(document, { childList: true, subtree: true });
};
await page.addInitScript(listen);
await page.evaluate(listen);
const notices = () => page.evaluate(() => window.told);
const panel = id => page.locator("#" + id);

try {
  const whole = await picture();
  check("the whole map is drawn", (await page.evaluate(() => explorer.ground.drawn.length)) >= 1);
  check(
    "each parameter has its control, with its doc as text",
    (await page.locator("input[type=range]").count()) >= 1 &&
      (await page.locator(".param p:not(.wrong)").first().textContent()).includes("steepest <b>slope</b>"),
  );
  check("scores stand beside it", (await page.locator(".scores dd").first().textContent()) === "2");

  await page.keyboard.press("+");
  check(
    "keys move a fresh page's map",
    await eventually(() => explorer.camera.still && explorer.camera.view.zoom > explorer.whole().zoom + 0.3),
  );
  await page.keyboard.press("Home");
  await eventually(() => !explorer.camera.journey && explorer.camera.still);

  await page.mouse.move(165, 130);
  await page.mouse.wheel(0, -1600);
  await eventually(
    () => explorer.camera.view.zoom > 3 && explorer.camera.still && location.hash === explorer.address(),
  );
  const zoomed = await picture(),
    place = await hash();
  check(
    "the wheel zooms, and the address holds the place",
    (await view()) > 3 && /x=0\.\d+/.test(place) && zoomed !== whole,
    place,
  );
  await go(place.replace(/recipe=\w+/, "recipe=0123456789abcdef") + "&tilt=abc&turn=1e99&p.nonsense=1");
  check("the same address shows the same picture", (await picture()) === zoomed);
  check(
    "what is garbage in an address is named",
    /tilt, turn, p.nonsense/.test(await notices()) && /another recipe/.test(await notices()),
    await notices(),
  );

  check(
    "a picture's name has the zoom that is shown",
    await page.evaluate(
      () =>
        explorer.fileName() ===
        "map-" + document.getElementById("place").textContent.match(/^× ([\d.]+) /)[1],
    ),
  );
  await page.locator("#map").focus();
  await page.keyboard.press("Home");
  await eventually(() => !explorer.camera.journey && explorer.camera.still);
  await page.keyboard.press("+");
  await eventually(
    before => explorer.camera.still && explorer.camera.view.zoom > before + 0.3,
    await page.evaluate(() => explorer.whole().zoom),
  );
  await page.keyboard.press("ArrowRight");
  check(
    "the keyboard zooms and moves",
    await page.evaluate(() => explorer.camera.view.x > explorer.whole().x),
  );
  await page.keyboard.press("t");
  check(
    "and tilts: 3D has ground and sky",
    (await eventually(() => explorer.camera.view.tilt > 50 && explorer.isSettled())) &&
      (await picture()) !== whole,
  );
  const turn = hash =>
    page.evaluate(to => {
      location.hash = to;
    }, hash);
  await turn("#result=land");
  await eventually(() => explorer.result.name === "land" && explorer.isSettled());
  const first = await picture();
  await page.evaluate(() => {
    const slider = document.querySelector("#p-talus").parentElement.querySelector("[type=range]");
    slider.value = 900;
    slider.dispatchEvent(new Event("input"));
    slider.dispatchEvent(new Event("change"));
  });
  await eventually(() => !explorer.running && explorer.values.talus > 40);
  check(
    "a slider draws the land again",
    ((await picture()) !== first && (await hash()).includes("p.talus")) ||
      (await eventually(() => location.hash.includes("p.talus"))),
  );
  await panel("map").focus();
  await page.keyboard.press("Control+z");
  await eventually(() => !explorer.running && explorer.values.talus === undefined && explorer.isSettled());
  check("undo gives the picture back", (await picture()) === first);

  const told = name =>
    page
      .locator(`.param:has(#p-${name}) .wrong:not([hidden])`)
      .textContent({ timeout: PATIENCE })
      .catch(() => "");
  if (await panel("sheets").isHidden()) await page.click("#fold");
  await page.fill("#p-talus", "40");
  await page.keyboard.press("Enter");
  await eventually(() => explorer.values.talus === 40);
  await settled();
  await page.fill("#p-talus", "100");
  await page.keyboard.press("Enter");
  check(
    "a value out of its range is refused at its field",
    (await told("talus")) === "talus must be 1 to 64, got 100" &&
      (await page.evaluate(
        () =>
          explorer.values.talus === 40 && !explorer.state.error && /talus=40/.test(explorer.recipe.command()),
      )),
    await told("talus"),
  );
  await go("#result=land&p.talus=100&p.kind=rough");
  check(
    "what an address does not name well is the declared default, and told",
    (await eventually(() => explorer.first && explorer.values.kind === "rough")) &&
      (await page.evaluate(
        () => explorer.values.talus === undefined && /talus must be 1 to 64, got 100/.test(window.told),
      )),
    await notices(),
  );
  await settled();
  await go("#result=nope&over=map&p.seed=1e99&zoom=1e+1");
  check(
    "nor is a result, one to lay over it or a seed that is none; what is left is drawn",
    (await eventually(
      () =>
        explorer.first &&
        explorer.result?.name === "map" &&
        explorer.camera.view &&
        Math.abs(explorer.zoom - 10) < 0.01,
    )) &&
      /Not understood in the address: result, over\. .*seed must be a whole number, got '1e\+99'/.test(
        await notices(),
      ),
    await notices(),
  );
  await turn("#result=nope");
  check(
    "also where the page is open",
    await eventually(() =>
      /^Not understood in the address: result$/.test(
        [...document.querySelectorAll("#notices .notice")].at(-1)?.firstChild.textContent.trim(),
      ),
    ),
    await notices(),
  );
  await page.evaluate(() => {
    location.hash = "#p.seed=9007199254740993";
    explorer.addressBar.write(); // before the page hears of it
  });
  check(
    "a long seed keeps its digits, also where the page writes its address just then",
    await eventually(
      () =>
        explorer.isSettled() &&
        /seed=9007199254740993/.test(location.hash) &&
        document.getElementById("p-seed").value === "9007199254740993" &&
        /^esker explore .* seed=9007199254740993$/.test(explorer.recipe.command()),
    ),
    await hash(),
  );
  await page.evaluate(() => {
    document.getElementById("p-seed").value = "9007199254740995";
    document.getElementById("p-seed").onchange();
  });
  check(
    "also one that is typed",
    await eventually(() => explorer.isSettled() && explorer.state.values.seed === "9007199254740995"),
    await page.evaluate(() => JSON.stringify(explorer.state.values)),
  );
  await turn("#result=land");
  check(
    "nor what is left out of one",
    await eventually(() => explorer.values.kind === undefined && !/p\./.test(explorer.address())),
  );
  await settled();

  await page.mouse.click(120, 150);
  check(
    "a click shows the value of a field by its name",
    (await eventually(() =>
      /land-?[\d.]+Slope[\d.]+°/.test(document.getElementById("inspector").textContent),
    )) && !/Height/.test(await page.textContent("#inspector")),
    await page.textContent("#inspector"),
  );
  await page.keyboard.press("p");
  await page.mouse.move(90, 130);
  await page.mouse.down();
  await page.mouse.move(180, 180);
  await page.mouse.up();
  await eventually(() => document.querySelectorAll("#inspector path").length >= 2);
  check("a line across shows the profile", (await page.locator("#inspector path").count()) >= 2);
  await page.keyboard.press("Escape");
  await eventually(() => document.getElementById("inspector").hidden);
  await page.keyboard.press("p");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  check(
    "so does a line whose ends keys mark",
    (await eventually(
      () =>
        document.querySelectorAll("#inspector path").length >= 2 &&
        document.querySelectorAll("#drawing circle").length === 2,
    )) &&
      (await page.evaluate(
        () => !explorer.ruler.on && explorer.inspector.places[0].x !== explorer.inspector.places[1].x,
      )),
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await eventually(() => document.getElementById("inspector").hidden && explorer.isSettled());
  check(
    "beside the map there is nothing to tell",
    await page.evaluate(() => {
      const { camera, readout } = explorer,
        { view } = camera,
        { hidden } = document.getElementById("inspector");
      camera.change({ zoom: camera.limits.least });
      readout.click([2, 120]);
      camera.set(view);
      return hidden && readout.heightAt(165, 120) !== null && document.getElementById("inspector").hidden;
    }),
  );
  writeFileSync(file, recipe.replace("iterations = 5", "iterations = 40"));
  check(
    "saving the file elsewhere draws again",
    (await eventually(() => explorer.state.recipe.text.includes("= 40"))) && (await picture()) !== first,
  );
  await page.evaluate(() => explorer.recipe.setText(explorer.state.recipe.text + "-- mine\n"));
  await eventually(() => explorer.state.recipe.text.includes("mine") && explorer.isSettled());
  writeFileSync(file, recipe.replace("iterations = 5", "iterations = 6"));
  await eventually(() => explorer.state.recipe.text.includes("= 6"));
  await page.locator("text=Bring my edits back").click({ timeout: PATIENCE });
  check(
    "edits in the page come back after the file was saved elsewhere",
    await eventually(() => explorer.state.recipe.text.includes("mine") && explorer.isSettled()),
  );
  writeFileSync(file, recipe.replace("return {", "return {\n  wrong = nothing.here,"));
  check(
    "an error is shown, and the picture stays",
    (await eventually(() => !document.getElementById("error").hidden)) &&
      (await panel("error").textContent()).length > 5 &&
      (await page.evaluate(() => explorer.stage.grounds.length === 1)),
    await panel("error").textContent(),
  );
  await page.evaluate(() => explorer.recipe.save());
  check(
    "saving a recipe that fails says so, and gives no command",
    await page.evaluate(
      () =>
        /The recipe fails with these values: .*nothing/.test(document.getElementById("dialog").textContent) &&
        !/command line/.test(document.getElementById("dialog").textContent),
    ),
    await page.textContent("#dialog"),
  );
  await page.keyboard.press("Escape");
  await panel("map").focus();
  await page.keyboard.press("c");
  check(
    "nothing is compared then",
    /Nothing can be compared/.test(await notices()) && (await page.evaluate(() => !explorer.comparison.on)),
    await notices(),
  );
  writeFileSync(file, recipe);
  check("and goes once it is mended", await eventually(() => document.getElementById("error").hidden));
  await page.evaluate(() => explorer.setParameter("talus", 40));
  await eventually(() => explorer.state.values.talus === 40 && explorer.isSettled());
  writeFileSync(file, recipe.replace("talus = { 8", "angle = { 8").replaceAll("p.talus", "p.angle"));
  check(
    "a parameter that the file no longer has is left out, and told",
    (await eventually(
      () =>
        /angle/.test(explorer.state.recipe.text) &&
        explorer.isSettled() &&
        !explorer.state.error &&
        explorer.values.talus === undefined,
    )) && /no longer takes the value of talus/.test(await notices()),
    await notices(),
  );
  writeFileSync(file, recipe);
  await eventually(() => explorer.state.params.some(param => param.name === "talus") && explorer.isSettled());
  if (await panel("sheets").isHidden()) await page.click("#fold");
  await page.locator("#parameters button:has-text('Defaults')").click();
  await eventually(() => explorer.isSettled());
  await turn("#result=map&x=0.42&y=0.45&zoom=2.5&tilt=70");
  await eventually(
    () => explorer.result.name === "map" && explorer.camera.view.tilt === 70 && explorer.isSettled(),
  );
  await page.evaluate(async () => {
    await explorer.compare(true);
    explorer.setParameter("seed", 269809);
  });
  await eventually(
    () => explorer.values.seed === 269809 && explorer.stage.grounds.length === 2 && explorer.isSettled(),
  );
  const middles = await page.evaluate(() =>
    explorer.stage.grounds.map(({ anchor, datum }) => anchor.tile.centre + datum),
  );
  const own = await page.evaluate(() =>
    explorer.stage.grounds.map(ground =>
      Math.max(ground.anchor.tile.centre + ground.heightIn(ground.anchor, explorer.camera.view), 0),
    ),
  );
  check(
    "two maps that are compared are seen by one camera",
    Math.abs(middles[0] - middles[1]) < 1e-9 && Math.abs(own[0] - own[1]) > 0.01,
    [middles, own],
  );
  await page.evaluate(() => explorer.compare(false));
  const before = page.viewportSize(),
    hidden = [];
  for (const [width, height] of [
    [700, 400],
    [568, 320],
    [320, 568],
    ...(process.env.ESKER_TIMES
      ? [
          [667, 375],
          [640, 420],
          [480, 360],
        ]
      : []),
  ]) {
    await page.setViewportSize({ width, height });
    for (const open of ["true", "false"]) {
      if ((await panel("fold").getAttribute("aria-expanded")) !== open) await page.click("#fold");
      if (
        !(await page
          .waitForFunction(
            () =>
              [...document.querySelectorAll("#tools button:not([hidden])")].every(button => {
                const { left, top, width, height } = button.getBoundingClientRect();
                return (
                  document.elementFromPoint(left + width / 2, top + height / 2)?.closest("button") === button
                );
              }),
            null,
            { timeout: PATIENCE, polling: 50 },
          )
          .then(
            () => true,
            () => false,
          ))
      )
        hidden.push([width, height, open]);
    }
  }
  check("each tool can be pressed in small windows", !hidden.length, hidden);
  await page.setViewportSize(before);
  await turn("#result=land");
  await eventually(() => explorer.result.name === "land" && explorer.isSettled());
  writeFileSync(file, recipe.replace("talus = { 8", "talus = { 20"));
  check(
    "defaults are the file's, also after it has changed",
    await eventually(() => explorer.state.results.find(result => result.name === "score")?.value === 5),
    await page.evaluate(() => JSON.stringify(explorer.state.values)),
  );
  writeFileSync(file, recipe);
  await eventually(
    () => explorer.state.results.find(result => result.name === "score")?.value === 2 && explorer.isSettled(),
  );

  await page.evaluate(() => explorer.setParameter("talus", 33));
  await eventually(() => explorer.state.values.talus === 33 && explorer.isSettled());
  const fresh = await context.newPage();
  await fresh.goto(address);
  check(
    "a new page begins with no other page's sliders",
    await fresh
      .waitForFunction(() => globalThis.explorer?.state && explorer.isSettled(), null, { timeout: PATIENCE })
      .then(
        () =>
          fresh.evaluate(
            () => explorer.values.talus === undefined && document.getElementById("p-talus").value === "8",
          ),
        () => false,
      ),
  );
  await fresh.close();
  check("the other keeps its own", await page.evaluate(() => explorer.values.talus === 33));
  const asked = page.waitForEvent("download", { timeout: PATIENCE });
  await page.evaluate(() => document.querySelector("#tools button[title^=Export]").click());
  await page.locator("#dialog button:has-text('(.r16)')").click({ timeout: PATIENCE });
  const zip = readFileSync(await (await asked).path(), "latin1");
  check(
    "raw heights come with what tells their range and size",
    /land\.r16\.json/.test(zip) &&
      /"width": 64,\s+"height": 64/.test(zip) &&
      /"low": [\d.]+,\s+"high"/.test(zip) &&
      /"file": "land.r16"/.test(zip),
    zip.slice(-600),
  );
  writeFileSync(
    file,
    `return { flat = esker.river_map{ seed = 2, land = "raw" }, planet = esker.river_map{ seed = 2, tiling = "sphere", land = "raw" }, low = esker.noise{ size = 64 },
    wide = esker.noise{ width = 512, height = 64 }, wrong = function() error("not this one") end }`,
  );
  await eventually(() => explorer.state.results.length === 5 && explorer.isSettled());
  const pick = name =>
    page.evaluate(
      name =>
        [...document.querySelectorAll("#results button")].find(button => button.textContent === name).click(),
      name,
    );
  await pick("flat");
  await eventually(() => explorer.result.name === "flat" && explorer.isSettled());
  await pick("planet");
  check(
    "after a flat map a planet is seen as a planet",
    (await eventually(
      () =>
        explorer.result.name === "planet" &&
        explorer.isSettled() &&
        explorer.camera.view.face >= 1 &&
        explorer.ground.drawn.every(({ tile }) => (tile?.face ?? 1) >= 1),
    )) && (await eventually(() => /face=[1-6]/.test(location.hash))),
    await hash(),
  );
  await pick("flat");
  check(
    "and the flat map is flat again",
    await eventually(
      () => explorer.result.name === "flat" && explorer.isSettled() && !explorer.camera.view.face,
    ),
    await hash(),
  );
  await pick("low");
  await eventually(() => explorer.result.name === "low" && explorer.isSettled());
  const most = await page.evaluate(() => explorer.camera.limits.most);
  await pick("wide");
  check(
    "a field of another shape has a view and limits of its own",
    (await eventually(() => explorer.result.name === "wide" && explorer.isSettled())) &&
      (await page.evaluate(() => explorer.camera.limits.most)) === most + 3,
  );
  await go("#result=wrong");
  check(
    "where a result fails the others can be chosen",
    (await eventually(() => /not this one/.test(document.body.textContent))) &&
      (await page.locator("#results button").count()) === 5,
  );
  await pick("low");
  check("and are drawn", await eventually(() => explorer.result?.name === "low" && explorer.isSettled()));

  writeFileSync(file, "return { land = esker.river_map{ seed = 2, climate = true } }");
  await eventually(() => explorer.result?.name === "land");
  await go("#x=0.43&y=0.45&zoom=1.5&tilt=62");
  const natural = await picture();
  check(
    "a map with a climate has natural colours, and a legend of them",
    (await page.evaluate(() => [...explorer.ground.natural.pictures.values()].filter(Boolean).length)) > 3 &&
      (await page.textContent("#legend")).trim() === "treesgrasssandrocksnow",
  );
  await page.evaluate(() => explorer.look.layOver(""));
  const tinted = await picture();
  check(
    "which can be taken away",
    tinted !== natural && (await eventually(() => /over=(&|$)/.test(location.hash))),
  );
  await turn("#x=0.43&y=0.45&zoom=1.5&tilt=62");
  await eventually(() => document.querySelector("#legend").textContent.includes("snow"));
  await settled();
  await turn("#x=0.43&y=0.45&zoom=1.5&tilt=62&over=");
  await eventually(() => document.querySelector("#legend .labels .end"));
  check("also by the address", (await picture()) === tinted);
  const metres = await page.evaluate(() => [
    document.getElementById("scale").textContent.trim(),
    document.querySelector("#legend .labels .end").textContent,
    Math.max(...explorer.ground.drawn.map(({ tile }) => tile.high - tile.low)) * explorer.ground.shared.rise,
  ]);
  check(
    "eroded land has metres, and its mountains are lower than the map is wide",
    /^\d+ km$/.test(metres[0]) && / m$/.test(metres[1]) && metres[2] > 0.005 && metres[2] < 0.2,
    metres.join(", "),
  );
  await page.evaluate(() => document.getElementById("settled").click());
  await settled();
  const towns = await page.evaluate(() => [
    document.querySelectorAll("#names circle").length,
    [...document.querySelectorAll("#names text")].filter(each => each.getAttribute("x")).length,
    [...explorer.ground.roads.shapes.values()].reduce((sum, shape) => sum + (shape?.count ?? 0), 0),
  ]);
  check("its places have names, and roads between them", Math.min(...towns) > 2, towns.join(", "));
  await page.evaluate(() => document.getElementById("settled").click());
  check("which can be taken away, too", (await picture()) === tinted && !(await page.textContent("#names")));

  // 422: the result that fails; 409: a run that a saved file took the place of, which a busy machine may have begun.
  check(
    "until here the console is silent",
    errors.filter(error => !/422|409/.test(error)).length === 0,
    errors.join("\n"),
  );
  const sizes = await pageSize(page);
  check("the page is at most 300 KB, compressed", sizes > 100e3 && sizes <= 300e3, sizes);
  await page.route("**/api/picture/**", route =>
    route.fulfill({ status: 422, body: JSON.stringify({ error: "not enough memory" }) }),
  );
  await page.evaluate(() => explorer.recipe.setText("return { dark = esker.noise{ size = 16 }:relief{} }"));
  check(
    "a picture that is not made says why",
    await eventually(() =>
      /dark has no picture: not enough memory/.test(document.getElementById("notices").textContent),
    ),
  );
  const bare = await context.newPage();
  await bare.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await bare.goto(address);
  check(
    "a browser without WebGL 2 is told so",
    await bare
      .waitForFunction(() => /WebGL 2/.test(document.body.textContent), null, { timeout: PATIENCE })
      .then(
        () => true,
        () => false,
      ),
  );
  await bare.close();
  server.kill();
  check(
    "a lost server is told",
    await eventually(() => /does not answer/.test(document.getElementById("notices").textContent)),
  );
  check(
    "every module is asked for at once",
    [
      ...readFileSync(new URL("../src/web/explorer/index.html", import.meta.url), "utf8").matchAll(
        /modulepreload" href="([^"]+)"/g,
      ),
    ].length >= 18,
  );
} catch (error) {
  check("the test runs to its end", false, error.stack);
} finally {
  await end();
  plan();
}
