// Recipes that give nothing to draw, or change while one flies: one clear message each, and the rest goes on.
import { writeFileSync } from "node:fs";
import { check, open } from "../../support/browser.mjs";
import { map, only, playwright, program, session } from "../../support/session.mjs";

const sparse = `local p = params{ mode = { "numbers", choices = { "numbers", "empty", "none", "land" } } }
if p.mode == "none" then return end
return p.mode == "empty" and {} or { score = 7, land = p.mode == "land" and esker.noise{ size = 64, seed = 3 } or nil }
`;

await session(
  "nothing to draw",
  sparse,
  { words: ["mode=land"] },
  async ({ page, eventually, picture, errors }) => {
    const there = "#p.mode=land&x=0.5&y=0.5&zoom=1";
    await page.evaluate(hash => {
      location.hash = hash;
    }, there);
    await eventually(() => Math.abs(explorer.zoom - 1) < 1e-3);
    const first = await picture(),
      told = () => page.textContent("#error"),
      choose = mode => page.evaluate(mode => explorer.setParameter("mode", mode, false), mode);
    await choose("numbers");
    check(
      "a recipe that returns nothing to draw is told",
      await eventually(() => /returns nothing to draw/.test(document.getElementById("notices").textContent)),
      await page.textContent("#notices"),
    );
    for (const [mode, words] of [
      ["empty", /the table of results is empty/],
      ["none", /a recipe returns a table of results.*got nothing/],
    ]) {
      await choose(mode);
      check(
        `so is one that returns ${mode === "empty" ? "an empty table" : "nothing"}`,
        (await eventually(
          source => new RegExp(source).test(document.getElementById("error").innerText),
          words.source,
        )) && (await told()).length < 200,
        await told(),
      );
      check(
        "and what was drawn stays, and moves",
        (await page.evaluate(() => {
          explorer.camera.set({ ...explorer.camera.view, zoom: explorer.camera.view.zoom + 1 });
          return explorer.stage.grounds.length === 1;
        })) && (await eventually(() => explorer.isSettled() && explorer.ground.drawn.length > 0)),
      );
    }
    await page.evaluate(hash => {
      location.hash = hash;
    }, there);
    await eventually(
      () =>
        document.getElementById("error").hidden && explorer.isSettled() && Math.abs(explorer.zoom - 1) < 1e-3,
    );
    check("until there is something", (await picture()) === first, await page.evaluate(() => location.hash));
    errors.length = 0;
  },
);

if ("nothing to draw".includes(only)) {
  const bare = await open(program, playwright, sparse, { width: 900 }),
    { page } = bare;
  const eventually = test =>
    page.waitForFunction(test, null, { timeout: 30000 }).then(
      () => true,
      () => false,
    );
  check(
    "a page with nothing to draw says so, and has the numbers",
    await eventually(
      () =>
        /returns nothing to draw/.test(document.getElementById("notices").textContent) &&
        document.querySelector(".scores dd")?.textContent === "7",
    ),
    await page.textContent("body"),
  );
  await page.selectOption("#p-mode", "land");
  check(
    "and draws what comes",
    await bare.settled().then(
      () => true,
      () => false,
    ),
  );
  await page.keyboard.press("m");
  check("without a fault", bare.errors.length === 0, bare.errors.join("\n"));
  await bare.end();
}

await session(
  "while one flies",
  map,
  { reducedMotion: "no-preference", width: 480, height: 360 },
  async ({ page, file, settled, eventually, view, errors }) => {
    const fly = hash => page.evaluate(hash => explorer.go(hash), hash),
      flying = () => page.evaluate(() => Boolean(explorer.camera.journey));
    const world = () => page.evaluate(() => explorer.ground.source.world),
      first = await world();
    await fly("#x=0.4321&y=0.4512&zoom=1e12");
    for (let i = 0; i < 3; i++) {
      await page.waitForTimeout(300);
      writeFileSync(file, map.replace("seed = 3", "seed = " + (20 + i)));
    }
    check(
      "a recipe that is saved while one flies is drawn",
      (await flying()) && (await eventually(first => explorer.ground.source.world !== first, first)),
      first,
    );
    check(
      "and the flight goes on to its end",
      (await eventually(() => !explorer.camera.journey)) &&
        Math.abs((await page.evaluate(() => explorer.zoom)) / 1e12 - 1) < 1e-3,
      JSON.stringify(await view()),
    );
    await settled();
    check(
      "on the newest land",
      await page.evaluate(
        () => /seed = 22/.test(explorer.state.recipe.text) && explorer.ground.drawn.length > 0,
      ),
    );
    await fly("#x=0.7&y=0.3&zoom=2");
    await page.waitForTimeout(300);
    writeFileSync(file, "return {");
    check(
      "one that fails leaves the flight over what was drawn",
      (await eventually(() => !document.getElementById("error").hidden && explorer.camera.journey)) &&
        (await eventually(() => !explorer.camera.journey && Math.abs(explorer.zoom - 2) < 1e-3)),
      await page.textContent("#error"),
    );
    await settled();
    check(
      "what an older run gave is of no use after a newer one",
      await page.evaluate(async () => {
        const { state } = explorer;
        await explorer.adopt({ ...state, generation: state.generation - 1, error: null });
        return explorer.state === state;
      }),
    );
    await page.evaluate(() => explorer.setParameter("seed", 30, false));
    await page.evaluate(() => explorer.go("#x=0.3&y=0.6&zoom=40"));
    writeFileSync(file, map);
    check(
      "sliders while one flies, too",
      await eventually(
        () =>
          !explorer.camera.journey &&
          explorer.isSettled() &&
          explorer.state.params[0].value === 30 &&
          document.getElementById("error").hidden,
      ),
      await page.textContent("#error"),
    );
    errors.splice(0, errors.length, ...errors.filter(error => !/422|409/.test(error)));
  },
);
