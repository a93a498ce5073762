// Results and layers, parameters, exports, the editor; recipes that harm themselves, and odd ones.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { check } from "../../support/browser.mjs";
import { session, shapes } from "../../support/session.mjs";

await session("recipe", shapes, {}, async ({ page, settled, eventually, file, view, pixels, picture }) => {
  await page.click("#results >> text=land");
  const first = await picture();
  check("what it prints is shown", (await page.textContent(".output pre")).includes("printed\t128"));
  for (const name of ["net", "trees", "mesh", "slope", "land"]) {
    await page.click(`#results >> text=${name}`);
    await eventually(
      expected =>
        explorer.result?.name === expected && explorer.stage.grounds.at(-1)?.result.name === expected,
      name,
    );
    await settled();
    const { count, most } = await pixels();
    check(name + " is drawn", count > 4 && most < 0.95, `${count} ${most}`);
    await page.click("#export");
    await page.locator("#dialog[open]").waitFor();
    const offered = (await page.locator("#dialog .choices button").allTextContents()).join(" ");
    check(
      "what " + name + " can be saved as is offered",
      /GeoJSON/.test(offered) === ["net", "trees"].includes(name) &&
        /Heights/.test(offered) === ["land", "slope"].includes(name) &&
        /PLY/.test(offered) === !["net", "trees"].includes(name),
      offered,
    );
    await page.keyboard.press("Escape");
  }
  check("and the land is drawn as at first", (await picture()) === first);
  await page.click("#tab-look");
  const heights = () => page.locator("#look >> text=land in view").isVisible(),
    seen = await heights();
  await page.click("#results >> text=net");
  check(
    "heights in view are told of heights alone",
    seen &&
      (await eventually(() => explorer.result.name === "net")) &&
      (await settled()) !== null &&
      !(await heights()),
    seen,
  );
  await page.click("#results >> text=land");
  await eventually(() => explorer.result.name === "land");
  await settled();
  const bare = await pixels();
  check(
    "sliders show their values, and opacity is there only with something laid over",
    (await page.textContent("#look .param:has(#look-azimuth) output")) === "315°" &&
      (await page.isHidden("#opacity")),
  );
  await page.selectOption("#overlay", "net");
  check(
    "with its name",
    (await page.isVisible("#opacity")) &&
      /opacity.*80 %/.test(await page.textContent("#look .param:has(#opacity)")),
  );
  await eventually(() => explorer.ground.strokes && !explorer.ground.waiting);
  await settled();
  check(
    "a network lies on the land as lines",
    (await pixels()).count !== bare.count &&
      (await page.evaluate(() => [...explorer.ground.strokes.shapes.values()][0].count > 100)),
  );
  const legend = id =>
    page.evaluate(id => {
      const { hidden, innerText } = document.getElementById(id);
      return hidden ? "" : innerText.replace(/\s+/g, " ").trim();
    }, id);
  const bars = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("#look svg.histogram")]
        .filter(each => each.checkVisibility())
        .map(each => each.querySelectorAll("rect").length),
    );
  const plain = await legend("layer-legend");
  await page.selectOption("#over-palette", "viridis");
  check(
    "in a palette it tells discharges, with a legend and a histogram",
    plain === "" &&
      (await eventually(
        () =>
          /^net: discharge 1 \d+/.test(
            document.getElementById("layer-legend").innerText.replace(/\s+/g, " "),
          ) && document.querySelectorAll("#look svg.histogram rect").length === 120,
      )) &&
      (await pixels()).count > bare.count,
    `${plain} ${await legend("layer-legend")} ${await bars()}`,
  );
  await page.selectOption("#over-palette", "");
  await settled();
  const dark = () =>
    page.evaluate(() => {
      // how much darker lines make it
      const sum = () => {
        explorer.drawNow();
        const { width, height } = explorer.canvas,
          context = new OffscreenCanvas(width, height).getContext("2d");
        context.drawImage(explorer.canvas, 0, 0);
        return context
          .getImageData(0, 0, width, height)
          .data.reduce((sum, value, i) => (i % 4 === 3 && value !== 255 ? NaN : sum + value), 0);
      };
      const { look, ground } = explorer,
        { strokes } = ground,
        sums = [1, 0.5].map(opacity => {
          look.opacity = opacity;
          return sum();
        });
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
  check(
    "a field lies on the land as a layer with a palette of its own",
    (await pixels()).count !== lined.count,
  );
  check(
    "with its legend and histogram",
    (await eventually(() => document.querySelectorAll("#look svg.histogram rect").length === 120)) &&
      /^slope \S+ \S+$/.test(await legend("layer-legend")) &&
      String(await bars()) === "60,60",
    `${await legend("layer-legend")} ${await bars()}`,
  );
  const inView = () =>
    page.evaluate(() => {
      const { values } = explorer.shown.layers.told(explorer.ground),
        all = values();
      return [all.length, Math.max(...all), explorer.shown.layers.layer.scale.labels.at(-1)[1]];
    });
  const [many, most, highest] = await inView();
  check("of what is in view", many > 500 && most <= Number(highest) * 1.01 && most > Number(highest) * 0.5, [
    many,
    most,
    highest,
  ]);
  await page.selectOption("#overlay", "");
  check(
    "which go with it",
    await eventually(
      () =>
        document.getElementById("layer-legend").hidden &&
        document.querySelectorAll("#look svg.histogram").length > 0 &&
        [...document.querySelectorAll("#look svg.histogram")].filter(each => each.checkVisibility())
          .length === 1,
    ),
    await bars(),
  );
  await page.selectOption("#palette", "viridis");
  await settled();
  check(
    "a palette changes the colours",
    (await pixels()).count !== bare.count &&
      (await page.evaluate(() => document.getElementById("palette").value === "viridis")),
  );
  check("the histogram is drawn", (await page.locator("#look svg rect").count()) > 20);

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
  check(
    "random seed, undo and redo",
    seed !== "3" && undone === "3" && (await value()) === seed,
    `${seed} ${undone} ${await value()}`,
  );
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
  check(
    "A and B differ, and the bar between them moves by pointer and keys",
    Math.abs((await page.evaluate(() => explorer.stage.swipe * innerWidth)) - left - 138) < 4 &&
      (await page.evaluate(
        () =>
          explorer.stage.grounds[0].source.only.values[5] !== explorer.stage.grounds[1].source.only.values[5],
      )),
  );
  const told = async x => {
    await page.mouse.click(x, 300);
    const { title, height } = await page
      .waitForFunction(
        x => {
          const list = document.querySelector("#inspector dl:not(.dim)"),
            row = [...(list?.querySelectorAll("dt") ?? [])].find(each => each.textContent === "land");
          const title = document.querySelector("#inspector header span")?.textContent;
          return (
            row &&
            title === "This place in " + (explorer.stage.isFirst([x, 300]) ? "A" : "B") && {
              title,
              height: row.nextElementSibling.textContent,
            }
          );
        },
        x,
        { timeout: 20000 },
      )
      .then(
        handle => handle.jsonValue(),
        () => ({}),
      );
    const own = await page.evaluate(x => {
      const place = explorer.camera.placeOf([x, 300]),
        zoom = explorer.camera.view.zoom;
      return explorer.stage.grounds.map(ground => ground.known(place, zoom).altitude);
    }, x);
    return { title, height: Number(height), own };
  };
  const edge = await page.evaluate(() => explorer.stage.swipe * innerWidth),
    inA = await told(edge - 60),
    inB = await told(edge + 60);
  check(
    "a click on A tells of A, one on B of B",
    inA.title === "This place in A" &&
      Math.abs(inA.height - inA.own[0]) < 0.03 &&
      Math.abs(inB.height - inB.own[1]) < 0.03 &&
      Math.abs(inA.own[0] - inA.own[1]) > 2e-3,
    JSON.stringify([inA, inB]),
  );
  await page.keyboard.press("Escape");
  await page.click("#compare");
  await page.click("text=Undo");
  await settled();
  await page.click("text=Save as recipe");
  await eventually(() => document.getElementById("dialog").open);
  const saved = readdirSync(dirname(file)).find(name => name !== "recipe.lua"),
    text = saved ? readFileSync(join(dirname(file), saved), "utf8") : "";
  check(
    "save as recipe writes these values, and gives the command",
    text.includes("seed = " + seed) && (await page.textContent("#dialog")).includes("esker "),
    text,
  );
  await page.click("#dialog >> text=Close");

  await page.click("#export");
  await page.locator("#dialog[open]").waitFor();
  const formats = await page.locator("#dialog .choices button").count();
  await page.keyboard.press("Escape");
  const failed = [];
  for (let i = 0; i < formats; i++) {
    await page.click("#export");
    const button = page.locator("#dialog .choices button").nth(i),
      title = await button.textContent(),
      coming = page.waitForEvent("download", { timeout: 20000 }).catch(() => null);
    if (/GeoTIFF|OpenEXR/.test(title)) {
      // need libraries
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
  check(
    "the editor completes",
    await eventually(() =>
      /spectral/.test(
        document.getElementById("editor").shadowRoot.querySelector(".cm-tooltip-autocomplete")?.textContent ??
          "",
      ),
    ),
  );
  await page.waitForTimeout(300); // CodeMirror takes none as soon as the list has come
  await page.keyboard.press("Tab");
  check(
    "and Tab takes what it offers",
    /local more = esker\.spectral/.test(
      await page.evaluate(
        () => document.getElementById("editor").shadowRoot.querySelector(".cm-content").textContent,
      ),
    ),
  );
  check(
    "an error stands at its line",
    await eventually(
      () =>
        document.getElementById("editor").shadowRoot.querySelector(".cm-lint-marker-error") !== null &&
        !document.getElementById("error").hidden,
    ),
  );
  const word = await page.evaluate(() => {
    const walk = document.createTreeWalker(
        document.getElementById("editor").shadowRoot.querySelector(".cm-content"),
        NodeFilter.SHOW_TEXT,
      ),
      range = document.createRange();
    for (let node; (node = walk.nextNode()); ) {
      const at = node.data.indexOf("scatter");
      if (at < 0) continue;
      range.setStart(node, at);
      range.setEnd(node, at + 7);
      return range.getBoundingClientRect().toJSON();
    }
  });
  await page.mouse.move(word.x + 20, word.y + 6);
  await page.mouse.move(word.x + 24, word.y + 7);
  check(
    "and shows help for a word",
    await eventually(() =>
      /scatter/.test(
        document.getElementById("editor").shadowRoot.querySelector(".cm-help")?.textContent ?? "",
      ),
    ),
  );
  await page.locator("#editor .cm-content").press("Control+z");
});

// What a recipe does to itself harms neither the page nor the next run; nor do two pages each other.
await session(
  "limits",
  `local p = params{ seed = 3, mode = { "well", choices = { "well", "loop", "memory" } } }
while p.mode == "loop" do end
local all = {}
while p.mode == "memory" do all[#all + 1] = ("x"):rep(1e8) .. #all end
return { land = esker.spectral{ size = 64, seed = p.seed }, map = esker.river_map{ seed = p.seed, land = "raw" } }
`,
  { words: ["--time-limit", "40"] },
  async ({ page, context, address, settled, eventually, errors }) => {
    for (const [mode, words] of [
      ["loop", /time limit of 40 s/],
      ["memory", /not enough memory.*\(--memory-limit\)/],
    ]) {
      await page.selectOption("#p-mode", mode);
      const told = await page
          .waitForFunction(
            source => new RegExp(source).test(document.getElementById("error").innerText),
            words.source,
            { timeout: 120000 },
          )
          .then(
            () => true,
            () => false,
          ),
        text = await page.textContent("#error");
      check(
        `a recipe that ${mode === "loop" ? "loops" : "wants all memory"} is told by one line`,
        told && text.length < 200 && (await page.locator("#notices .notice").count()) === 0,
        text + (await page.textContent("#notices")),
      );
      await page.evaluate(() => {
        location.hash = explorer.address().replace(/&zoom=[^&]*/, "&zoom=2");
      });
      check(
        "and what was drawn goes on",
        await eventually(
          () =>
            explorer.isSettled() && explorer.ground.drawn.length > 0 && Math.abs(explorer.zoom - 2) < 0.01,
        ),
      );
      await page.selectOption("#p-mode", "well");
      check(
        "until it is mended",
        await eventually(() => document.getElementById("error").hidden && explorer.isSettled()),
        await page.textContent("#error"),
      );
    }
    errors.length = 0;
    const other = await context.newPage();
    await other.goto(address);
    await settled(other);
    const set = (on, seed) => on.evaluate(seed => explorer.setParameter("seed", seed, false), seed),
      seedOf = on =>
        on.evaluate(() => [explorer.values.seed, document.getElementById("p-seed").value].join());
    await Promise.all([set(page, 11), set(other, 22)]);
    await settled();
    await settled(other);
    check(
      "two pages keep their own values",
      (await seedOf(page)) === "11,11" && (await seedOf(other)) === "22,22",
      (await seedOf(page)) + " " + (await seedOf(other)),
    );
    const low = on =>
      on.evaluate(
        () =>
          explorer.ground.source.world ?? Array.from(explorer.ground.source.only.values.slice(0, 50)).join(),
      );
    check("and each its own land", (await low(page)) !== (await low(other)));
    await other.close();
    await set(page, 12);
    await settled();
    check(
      "one goes on where the other is closed",
      (await seedOf(page)) === "12,12" &&
        (await page.evaluate(() => document.getElementById("error").hidden)),
    );
  },
);

await session(
  "not square",
  `local p = params{ seed = 3 }
return { wide = esker.spectral{ width = 128, height = 64, seed = p.seed }, tall = esker.spectral{ width = 64, height = 128, seed = p.seed } }
`,
  {},
  async ({ page, settled, eventually }) => {
    for (const [name, from, to] of [
      ["wide", [0.04, 0.06], [0.96, 0.44]],
      ["tall", [0.06, 0.04], [0.44, 0.96]],
    ]) {
      await page.evaluate(name => explorer.choose(name), name);
      await eventually(
        name => explorer.result?.name === name && explorer.stage.grounds.at(-1).result.name === name,
        name,
      );
      await settled();
      await page.evaluate(() => explorer.camera.set(explorer.whole()));
      await settled();
      const pixels = await page.evaluate(
        places =>
          places.map(([x, y]) =>
            explorer.stage.pixelAt(explorer.camera.view, {
              x: BigInt(Math.round(x * 2 ** 40)) << 120n,
              y: BigInt(Math.round(y * 2 ** 40)) << 120n,
            }),
          ),
        [from, to],
      );
      const middle = [0, 1].map(i => (pixels[0][i] + pixels[1][i]) / 2),
        covered = await page.evaluate(() => explorer.stage.middle);
      check(
        name + " is seen in the middle",
        middle.every((value, i) => Math.abs(value - covered[i]) < 2),
        JSON.stringify([middle, covered]),
      );
      for (const [x, y] of pixels) {
        await page.evaluate(at => explorer.readout.click(at), [x, y]);
        const told = await eventually(
          () =>
            /Drains|Slope/.test(document.getElementById("inspector").textContent) &&
            !document.querySelector("#inspector .dim"),
        );
        const [shown, seen] = await page.evaluate(
          at => [
            Number(document.querySelectorAll("#inspector dd")[2]?.textContent),
            explorer.readout.heightAt(...at),
          ],
          [x, y],
        );
        check(
          `a click on its corner tells of it, as the server does`,
          told && Math.abs(shown - seen) < 0.02,
          `${shown} ${seen}`,
        );
      }
      await page.keyboard.press("Escape");
    }
  },
);

// Names that objects of JavaScript have by themselves.
await session(
  "names",
  `local p = params{ seed = 3, __proto__ = { 2, min = 1, max = 5 }, constructor = 3, toString = 1.5 }
return { constructor = esker.noise{ size = 64, seed = p.seed + p.constructor + p.__proto__ }, valueOf = p.__proto__ * 100 + p.constructor }
`,
  { width: 1000, height: 700 },
  async ({ page, settled, eventually }) => {
    const shown = () =>
      page.evaluate(() =>
        ["__proto__", "constructor", "toString"]
          .map(name => document.getElementById("p-" + name).value)
          .join(),
      );
    check("parameters of any name have their defaults", (await shown()) === "2,3,1.5", await shown());
    for (const [name, value] of [
      ["__proto__", "4"],
      ["constructor", "7"],
    ]) {
      await page.fill("#p-" + name, value);
      await page.keyboard.press("Enter");
      await settled();
    }
    check(
      "and are set",
      await eventually(() => /valueOf407/.test(document.querySelector(".scores").textContent)),
      await page.textContent(".scores"),
    );
    await eventually(() => /p\.__proto__=4&p\.constructor=7/.test(location.hash));
    await page.reload();
    await settled();
    check(
      "also by an address",
      (await shown()) === "4,7,1.5" && (await page.textContent("#notices")) === "",
      await shown(),
    );
    check(
      "the whole lies beside the tools",
      await page.evaluate(() => {
        const { stage, camera } = explorer,
          right = stage.pixelAt(camera.view, { x: (1n << 160n) - 1n, y: 1n << 159n })[0],
          left = stage.pixelAt(camera.view, { x: 0n, y: 1n << 159n })[0];
        return (
          left >= document.getElementById("panel").getBoundingClientRect().right &&
          right <= document.getElementById("tools").getBoundingClientRect().left
        );
      }),
    );
  },
);
