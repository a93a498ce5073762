// Edits that a user draws in `esker explore`: node explorer-edits.mjs PROGRAM PLAYWRIGHT, run by explorer-edits.sh.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readLine } from "../src/web/explorer/edit_lines.js";
import { capOf, isReached, reachOf } from "../src/web/explorer/edit_reaches.js";
import { check, open, plan } from "./support/browser.mjs";

const recipe = `return { land = esker.river_map{ seed = 2 }, n = 3 }
`;
const [, , program, playwright] = process.argv;
const { page, file, errors, end, settled, picture } = await open(program, playwright, recipe, {
  width: 740,
  height: 300,
  reducedMotion: "reduce",
  plain: true,
  at: "#x=0.93333&y=0.9235&zoom=40",
});
page.setDefaultTimeout(60000);
const eventually = (test, argument) =>
  page.waitForFunction(test, argument, { timeout: 60000, polling: 30 }).then(
    () => true,
    () => false,
  );
const text = () => page.evaluate(() => explorer.edits.text);
const count = number => eventually(n => explorer.edits.edits.length === n, number);
const lines = async () => (await text()).split("\n").filter(line => line.startsWith("land = "));
const pixelOf = point => page.evaluate(point => explorer.edits.pixelOf(point.map(String)), point);
const press = async (...points) => {
  await page.mouse.move(...points[0]);
  await page.mouse.down();
  for (const point of points.slice(1)) await page.mouse.move(...point, { steps: 5 });
  await page.mouse.up();
};
const choose = tool => page.click(`[data-tool=${tool}]`);
// Tiles that the page asks for from now on.
const listen = () => {
  const asked = [];
  const hear = request => {
    const match = /api\/tile\/\w+\/(\d)\/(\d+)\/(\w+)\/(\w+)/.exec(request.url());
    if (!match) return;
    const [face, z] = match.slice(1).map(Number),
      [x, y] = match.slice(3).map(digits => BigInt("0x" + digits));
    asked.push({ face, z, x, y });
  };
  page.on("request", hear);
  return () => {
    page.off("request", hear);
    return asked;
  };
};

// How many tiles finer than level 1 the page has, and which of those that it did not ask for are not the server's: of
// `every` one, or of those beside one that it asked for, since to compare one is to draw it again.
const keptTiles = (asked, every) =>
  page.evaluate(
    async ({ asked, every }) => {
      const world = explorer.ground.source.world,
        taken = [...explorer.ground.tree.nodes.values()].filter(node => node.tile && node.z > 1),
        away = (a, b) => Math.max(...["x", "y"].map(axis => Math.abs(Number(a[axis] - BigInt(b[axis]))))),
        nearest = ({ face, z, x, y }) =>
          Math.min(
            ...asked.filter(tile => tile.face === face && tile.z === z).map(tile => away({ x, y }, tile)),
          ),
        compared = taken.filter(node => (every ? nearest(node) > 0 : nearest(node) === 1)),
        wrong = [];
      for (const { face, z, x, y, tile } of compared) {
        const bytes = await (
            await fetch(`api/tile/${world}/${face}/${z}/${x.toString(16)}/${y.toString(16)}`)
          ).arrayBuffer(),
          heights = new Uint16Array(bytes, 56, 258 * 258),
          view = new DataView(bytes),
          [low, high, centre, rise] = [24, 32, 40, 48].map(at => view.getFloat64(at, true)),
          scale = 1 / Math.max(Math.abs(low), Math.abs(high)),
          step = (high - low) / 65535;
        if (
          tile.centre !== centre ||
          tile.rise !== rise ||
          tile.values.some((value, i) => value !== Math.fround((low + heights[i] * step) * scale))
        )
          wrong.push([face, z, x, y].map(String));
      }
      return { count: taken.length, compared: compared.length, wrong };
    },
    {
      asked: asked.map(({ face, z, x, y }) => ({ face, z, x: String(x), y: String(y) })),
      every,
    },
  );

try {
  await page.click("#fold");
  const plain = await picture();
  await page.click("#edit");
  await eventually(() => explorer.edits?.name);
  check(
    "the tools come when they are wanted, and change nothing",
    (await text()) === recipe && (await picture()) === plain,
    await text(),
  );

  const heard = listen();
  await choose("hill");
  await page.mouse.click(60, 230);
  await count(1);
  const hilly = await picture(),
    asked = heard();
  check(
    "a hill is a line of the recipe",
    /^local land = esker.river_map\{ seed = 2 \}\n-- Edits of land, one a line\nland = land:raise\{ along = \{ \{ 0\.\d+, 0\.\d+ \} \}, width = \d+, height = \d+ \}\n-- End of edits\nreturn \{ land = land, n = 3 \}\n$/.test(
      await text(),
    ),
    await text(),
  );
  check("and is drawn", hilly !== plain);
  const reach = reachOf(readLine((await lines())[0], "land"), 3000e3);
  check(
    "tiles that it does not reach are not asked for again",
    asked.length > 0 && asked.every(tile => isReached(tile, [reach])),
    asked.map(({ z, x, y }) => [z, x, y]),
  );
  const kept = await keptTiles(asked, true);
  check(
    "they are those of the edited map",
    kept.count > asked.length && kept.compared > 0 && !kept.wrong.length,
    JSON.stringify(kept),
  );

  await choose("lake"); // where a river passes that does not leave by its outlet
  const corners = [
    [0.9245, 0.9235],
    [0.9275, 0.9235],
    [0.92765, 0.9265],
    [0.9248, 0.9265],
  ];
  for (const corner of [...corners, corners[0]]) await page.mouse.click(...(await pixelOf(corner)));
  await count(2);
  const wet = await picture();
  check(
    "a lake is drawn by its corners",
    wet !== hilly &&
      /:lake\{ outline = (\{ ?\{[^}]*\},? ?){1}/.test((await lines())[1]) &&
      /Lake/.test(await page.textContent("#edits ol")),
    await text(),
  );

  check(
    "what the engine warns of is told at the edit",
    /^shape 1 becomes a lake in \d+ % of its outline/.test(await page.textContent("#edits .told")),
    await page.textContent("#edits"),
  );

  await page.fill("#edit-altitude", "9000");
  await page.keyboard.press("Enter");
  await eventually(() => document.querySelector("#edits .wrong"));
  check(
    "what fails is told at the edit, in the engine's words, and stays drawn",
    /^the altitude of shape 1 must be [\d.]+ to [\d.]+ m/.test(await page.textContent("#edits .wrong")) &&
      (await page.locator("#edits-drawing .bad.chosen .handle").count()) === 4 &&
      (await picture()) === wet,
    await page.textContent("#edits"),
  );
  await page.locator("#map").focus();
  await page.keyboard.press("Control+z");
  await eventually(() => !document.querySelector("#edits .wrong") && !explorer.state.error);
  check("undo takes that back", (await lines()).length === 2 && (await picture()) === wet);

  await page.keyboard.press("Control+z");
  await count(1);
  check("and the lake", (await picture()) === hilly);
  await page.keyboard.press("Control+y");
  await count(2);
  check("redo brings it back", (await picture()) === wet);

  await page.click("#edits li:first-child button");
  const [from] = await Promise.all([pixelOf(/\{ \{ ([\d.]+), ([\d.]+)/.exec((await lines())[0]).slice(1))]);
  const undragged = await text();
  await press(from, [from[0] + 30, from[1] - 20]);
  await eventually(before => explorer.edits.text !== before, undragged);
  const moved = (await lines())[0];
  await settled();
  check(
    "a hill is dragged by its point",
    await page.evaluate(
      ([line, x, y]) => {
        const [px, py] = explorer.edits.pixelOf(/\{ \{ ([\d.]+), ([\d.]+)/.exec(line).slice(1));
        return Math.hypot(px - x, py - y) < 1;
      },
      [moved, from[0] + 30, from[1] - 20],
    ),
    moved,
  );

  // So wide that coarser levels than the view's usual first show it.
  await page.fill("#edit-width", String(5 * Number(/width = (\d+)/.exec(moved)[1])));
  await page.keyboard.press("Enter");
  await page.evaluate(() => document.activeElement.blur());
  await settled();
  const [wide] = await lines();
  const held = [from[0] + 30, from[1] - 20],
    drawn = () => page.evaluate(() => explorer.stage.grounds[0].drawnOf.text);
  await page.mouse.move(...held);
  await page.mouse.down();
  // Levels of the tiles that had come when the ground of the first change was shown.
  const first = page.evaluate(
    before =>
      new Promise(done => {
        const look = () => {
          const { drawnOf, tree } = explorer.stage.grounds[0],
            tiles = [...tree.nodes.values()].filter(({ tile }) => tile);
          // A busy machine may show it before it has any
          if (drawnOf.text === before || !tiles.length) return requestAnimationFrame(look);
          done({
            come: tiles.filter(({ tile }) => !tile.standsIn && !tile.grounds).map(({ z }) => z),
            standing: tiles.filter(({ tile }) => tile.standsIn).length,
          });
        };
        look();
      }),
    await text(),
  );
  // What the server is asked is answered only after the first frame.
  let answers;
  const heldBack = new Promise(done => (answers = done)),
    hold = async route => {
      await heldBack;
      await route.continue().catch(() => {});
    };
  await page.route("**/api/**", hold);
  const inFrame = page.evaluate(
    () =>
      new Promise(done => {
        const { canvas } = explorer;
        globalThis.pictured = true;
        explorer.drawNow();
        const before = canvas.toDataURL();
        const look = () =>
          requestAnimationFrame(() => {
            done(canvas.toDataURL() !== before);
            globalThis.pictured = false;
          });
        addEventListener("pointermove", look, { once: true });
      }),
  );
  await page.mouse.move(held[0] + 20, held[1]);
  check("in the frame of a movement the ground shows it, without the server", await inFrame);
  answers();
  const { come, standing } = await first;
  await page.unroute("**/api/**", hold);
  check(
    "it is shown with tiles of one level, the coarsest that the edit reaches",
    new Set(come).size === 1 && standing > 0,
    JSON.stringify({ come, standing }),
  );
  check(
    "the ground follows a point while it is dragged, which is no step yet",
    (await eventually(
      before => {
        const ground = explorer.stage.grounds[0];
        return ground.drawnOf.text !== before && ground.complete;
      },
      await text(),
    )) && (await lines())[0] === wide,
    await drawn(),
  );
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await settled();
  check("and goes back where that is given up", (await drawn()) === (await text()), await drawn());
  await page.click("#edits li:first-child button");

  const dialog = page.locator("#dialog code").first();
  await page.click("#edits >> text=Save as recipe");
  const saved = await dialog.textContent();
  await page.keyboard.press("Escape");
  check(
    "it is saved beside the recipe, which stays as it is",
    readFileSync(join(dirname(file), "recipe-2.lua"), "utf8") === (await text()) &&
      readFileSync(file, "utf8") === recipe,
    saved,
  );
  // The window in view, as the program draws it from the saved recipe
  const bytes = await page.evaluate(async () => {
    const { generation } = explorer.state,
      query = `generation=${generation}&result=land&format=r32&x=0.93&y=0.923&zoom=40&size=128`;
    return Array.from(new Uint8Array(await (await fetch("api/export?" + query)).arrayBuffer()));
  });
  const folder = dirname(file),
    window = "return { land = (land:render{ x = 0.93, y = 0.923, zoom = 40, size = 128 }) }";
  writeFileSync(join(folder, "window.lua"), (await text()).replace(/return .*/, window));
  const made = spawnSync(program, ["-q", "window.lua", "-o", ".", "--format", "land=r32"], {
    cwd: folder,
    encoding: "utf8",
  });
  check(
    "the program draws the same bytes of it",
    made.status === 0 && Buffer.from(bytes).equals(readFileSync(join(folder, "land.r32"))),
    made.stderr + bytes.length,
  );

  await page.locator("#map").focus();
  await page.keyboard.press("Delete");
  await count(1);
  check("Delete takes the chosen one away", /lake/.test((await lines())[0]));
  await choose("ridge");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await eventually(() => explorer.camera.still);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await count(2);
  check(
    "keys draw a line, too",
    /along = \{ \{ [\d., ]+ \}, \{ [\d., ]+ \} \}/.test((await lines())[1]),
    await text(),
  );
  await choose("canal");
  await press([60, 260], [90, 300]);
  await count(3);
  check(
    "a canal is a few pixels wide",
    /carve\{ along = .*, width = \d+ \}$/.test((await lines())[2]),
    await text(),
  );
  await page.keyboard.press("Delete");
  await choose("lower");
  await page.mouse.click(60, 230);
  await press([200, 250], [260, 255]);
  await count(4);
  check(
    "a brush stays chosen, and each stroke is an edit",
    (await lines()).slice(2).every(line => /raise\{ along = .*, height = -\d+ \}$/.test(line)) &&
      (await page.locator("[data-tool=lower][aria-pressed=true]").count()) === 1,
    await text(),
  );
  await choose("river");
  await press([60, 260], [90, 280]);
  await count(5);
  await choose("river");
  await press([60, 60], [300, 90], [540, 60]);
  await count(6);
  const drawnLines = await lines();
  check(
    "a river is one of the coarsest level, before all others, if it is long",
    /add_rivers\{ along = [^=]* \}$/.test(drawnLines[0]) &&
      /carve\{ along = .*, width = \d+ \} -- river$/.test(drawnLines.at(-1)) &&
      /River.*River/s.test(await page.textContent("#edits ol")),
    await text(),
  );
  await settled(); // what the river asks for has come
  const beforeTown = listen();
  await choose("town");
  await page.mouse.click(60, 230);
  await count(7);
  await page.evaluate(() => explorer.look.turnPlaces(false)); // whose roads are dear
  await page.keyboard.type('New "Hall"');
  await page.keyboard.press("Enter");
  await eventually(() => explorer.edits.text.includes("Hall"));
  await settled();
  const forTown = beforeTown();
  check(
    "a town is a line with its name, and no ground is asked for again",
    /add_places\{ at = \{ \{ [\d., ]+ \} \}, name = "New Hall", population = \d+ \}$/.test(
      (await lines()).at(-1),
    ) &&
      !forTown.length &&
      (await page.textContent("#edits-drawing .chosen text")) === "New Hall",
    JSON.stringify(forTown) + (await text()),
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  check("Escape ends it", await page.locator("#edits").isHidden());

  const every = Boolean(process.env.ESKER_TIMES); // tiles of a planet are dear: all of a wide hill in the long run alone
  if (!every) await page.setViewportSize({ width: 660, height: 200 });
  const planet = `return { globe = esker.river_map{ tiling = "sphere", seed = 3 } }\n`;
  await page.evaluate(text => explorer.recipe.setText(text), planet);
  await eventually(() => explorer.result?.name === "globe" && explorer.camera.view.face > 0);
  // Beside an edge between two of its faces.
  await page.evaluate(() =>
    explorer.camera.change({ face: 1, x: (1n << 160n) - (1n << 152n), y: 5n << 157n, zoom: 4 }),
  );
  await settled();
  await page.click("#edit");
  await eventually(() => explorer.edits.name === "globe");
  await settled();
  const had = await page.evaluate(() =>
      [...explorer.ground.tree.nodes.values()]
        .filter(({ tile }) => tile)
        .map(({ face, z, x, y }) => [face, z, x, y].join("/")),
    ),
    nameOf = ({ face, z, x, y }) => [face, z, x, y].join("/"),
    listed = listen();
  await choose("hill");
  const place = every ? [100, 150] : [165, 100]; // beside what lies over the map
  await press(place, [place[0] + (every ? 30 : 6), place[1]]); // so small that coarse tiles do not show it
  await count(1);
  await settled();
  const [hill] = (await text()).split("\n").filter(line => line.startsWith("globe = ")),
    wanted = listed(),
    cap = capOf(readLine(hill, "globe"), 2 * Math.PI * 6371e3),
    spared = await keptTiles(wanted, every);
  check(
    "a hill on a planet is asked for on the faces that it reaches",
    new Set(wanted.map(({ face }) => face)).size === 2 &&
      wanted.every(tile => isReached(tile, [cap]) || !had.includes(nameOf(tile))),
    hill + wanted.map(nameOf),
  );
  check(
    "all other tiles are those of the edited planet",
    spared.count > wanted.length && spared.compared > 0 && !spared.wrong.length,
    JSON.stringify(spared),
  );
  const at = /\{ \{ ([\d.]+), ([\d.]+)/.exec(hill).slice(1),
    pixel = await pixelOf(at);
  check("it lies where it was drawn", Math.hypot(pixel[0] - place[0], pixel[1] - place[1]) < 0.5, pixel);
  const hills = async () => (await text()).split("\n").filter(line => line.startsWith("globe = "));
  await press(pixel, [175, 90]);
  await eventually(before => !explorer.edits.text.includes(before), hill);
  const [dragged] = await hills(),
    there = await pixelOf(/\{ \{ ([\d.]+), ([\d.]+)/.exec(dragged).slice(1));
  await page.locator("#map").focus();
  await page.keyboard.press("Delete");
  await count(0);
  await page.keyboard.press("Control+z");
  await count(1);
  check(
    "it is dragged, deleted and brought back there, too",
    Math.hypot(there[0] - 175, there[1] - 90) < 1 && (await hills())[0] === dragged,
    dragged,
  );
  await page.evaluate(() => explorer.camera.change({ face: 3 }));
  check(
    "behind the planet it is not drawn",
    await eventually(() => !document.querySelector("#edits-drawing path")),
  );
  check("nothing else goes wrong", !errors.length, errors.join("\n"));
} catch (error) {
  check("the test runs to its end", false, error.stack);
} finally {
  await end();
  plan();
}
