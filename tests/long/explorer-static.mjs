// node explorer-static.mjs PROGRAM PLAYWRIGHT, run by explorer-static.sh: the same recipe from the server and
// from files.
import { check, open, plan } from "../support/browser.mjs";

const recipe = `local p = params{ seed = 2 }
local map = esker.river_map{ seed = p.seed, land = "raw" }
local height = map:render{ size = 128 }
return { map = map, height = height, relief = height:relief{}, rivers = map:rivers{ size = 128 }, score = 0.5 }
`;
const [, , program, playwright] = process.argv;
const seen = {};
for (const levels of [undefined, "0..3"]) {
  const { page, errors, end, settled, picture, go } = await open(program, playwright, recipe, { levels });
  const kind = levels ? "static" : "served";
  try {
    await settled();
    const place = "#x=0.4&y=0.55&zoom=3";
    seen[kind] = [await picture()];
    await go(place);
    seen[kind].push(await picture());
    if (levels) {
      check("a static page asks nothing that is not there", errors.length === 0, errors);
      const shown = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, summary, textarea")]
          .filter(each => each.checkVisibility())
          .map(each => each.id || each.textContent || each.ariaLabel),
      );
      check(
        "it offers nothing that only a server can do",
        !shown.some(name => /save|recipe|random|run/i.test(name)) &&
          (await page.evaluate(() => document.getElementById("rivers").parentElement.hidden)),
        shown,
      );
      await page.mouse.click(300, 200);
      await page.evaluate(() => explorer.choose("height"));
      await page.waitForFunction(() => explorer.result?.name === "height", null, { timeout: 60000 });
      await settled();
      check("another result can be chosen", errors.length === 0, errors);
      check(
        "and what the panel tells of a place is of that result",
        await page
          .waitForFunction(
            () => /height *-?\d/.test(document.getElementById("inspector").textContent),
            null,
            { timeout: 20000 },
          )
          .then(
            () => true,
            () => false,
          ),
        await page.textContent("#inspector"),
      );
      await go("#x=0.4&y=0.55&zoom=1000000&p.seed=5");
      await settled();
      check(
        "its own parameters stay, and that is told",
        await page.evaluate(() =>
          /made with other parameters/.test(document.getElementById("notices").textContent),
        ),
      );
      await page.evaluate(() => {
        location.hash = "#x=0.4&y=0.55&zoom=2&p.seed=7";
      });
      check(
        "also where another address is typed",
        (await page
          .waitForFunction(() => explorer.zoom < 10 && !explorer.running, null, { timeout: 20000 })
          .then(
            () => true,
            () => false,
          )) && errors.length === 0,
        errors,
      );
      await go("#x=0.4&y=0.55&zoom=1000000");
      await settled();
      check(
        "deeper than its levels it shows the last",
        errors.length === 0 && (await page.evaluate(() => explorer.ground.drawn.length > 0)),
        errors,
      );
    }
  } catch (error) {
    check(kind + " page works", false, error.stack + errors);
  } finally {
    await end();
  }
}
check(
  "the same address shows the same picture from files",
  seen.served && seen.static && seen.served.join() === seen.static.join(),
  JSON.stringify(seen),
);
plan();
