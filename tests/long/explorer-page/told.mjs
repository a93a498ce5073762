// What is told of places, addresses and faults, and whether it can be read.
import { rmSync, writeFileSync } from "node:fs";
import { check, open } from "../../support/browser.mjs";
import { layered, only, playwright, program, session } from "../../support/session.mjs";

await session("what is told", layered, {}, async ({ page, file, settled, eventually, errors }) => {
  const told = () => page.textContent("#notices"),
    values = () => page.textContent("#inspector");
  await page.mouse.click(600, 300);
  await eventually(() => /Drains/.test(document.getElementById("inspector").textContent));
  const before = await values();
  await page.evaluate(() => explorer.setParameter("seed", 8, false));
  check(
    "the values of a place follow another ground",
    await eventually(
      old =>
        /Drains/.test(document.getElementById("inspector").textContent) &&
        document.getElementById("inspector").textContent !== old &&
        !document.querySelector("#inspector .dim"),
      before,
    ),
    await values(),
  );
  await settled();
  await page.locator("#map").focus();
  await page.keyboard.press("Control+z");
  check(
    "and go back with undo",
    await eventually(old => document.getElementById("inspector").textContent === old, before),
    (await values()) + before,
  );

  await page.mouse.move(500, 350);
  await eventually(() => /[a-z]+ \S+$/.test(document.getElementById("place").textContent));
  const height = () =>
      page.evaluate(() => /[a-z]+ (\S+)$/.exec(document.getElementById("place").textContent)?.[1]),
    still = await height();
  await page.keyboard.press("PageUp");
  check(
    "the height below a pointer that rests follows the map",
    (await eventually(() => explorer.camera.still)) &&
      (await settled()) !== null &&
      (await height()) !== still,
    still,
  );

  await page.evaluate(() => {
    location.hash = "#" + "x".repeat(20000);
  });
  check(
    "a long address that means nothing is told in short",
    (await eventually(() => /Not understood/.test(document.getElementById("notices").textContent))) &&
      (await told()).length < 120,
    (await told()).length,
  );
  check("and goes", await eventually(() => location.hash.length < 400));
  await page.evaluate(() => {
    location.hash = "#x=abc&nonsense=1&p.age=9";
  });
  check(
    "one notice tells what is wrong with an address",
    (await eventually(() =>
      /nonsense.*age must be 1 to 5/.test(document.getElementById("notices").textContent),
    )) && (await page.locator("#notices .notice").count()) === 1,
    await told(),
  );
  await settled();

  await page.click("#tab-places");
  await page.evaluate(() => explorer.setParameter("age", 4, false));
  await settled();
  await page.fill("#bookmark", "old");
  await page.keyboard.press("Enter");
  await page.evaluate(() => explorer.setParameter("age", 1, false));
  await settled();
  await page.click("#places >> text=old");
  check(
    "a bookmark has its parameters",
    await eventually(() => explorer.values.age === 4),
    await page.evaluate(() => explorer.values.age),
  );
  await settled();
  await page.evaluate(() => {
    explorer.setParameter("age", 2, false);
    location.hash = explorer.address().replace(/&zoom=[^&]*/, "&zoom=5");
  });
  await settled();
  await page.fill("#bookmark", "young");
  await page.keyboard.press("Enter");
  await page.evaluate(() => {
    // what is drawn when a flight begins
    const { camera } = explorer,
      { fly } = camera;
    camera.fly = (...words) => {
      globalThis.begun = explorer.values.age;
      fly.apply(camera, words);
    };
  });
  await page.click("#places >> text=Fly");
  check(
    "a flight is over the land of the first place, and ends on that of the second",
    await eventually(
      () => globalThis.begun === 4 && (explorer.values.age ?? 2) === 2 && explorer.isSettled(),
    ),
    await page.evaluate(() => [globalThis.begun, explorer.values.age].join()),
  );
  await page.click("#places >> text=old");
  await eventually(() => explorer.values.age === 4);
  await settled();
  const text = await page.evaluate(() => explorer.state.recipe.text);
  await page.evaluate(() => explorer.recipe.setText(explorer.state.recipe.text + "-- mine\n"));
  await eventually(() => explorer.state.recipe.text.includes("mine") && explorer.isSettled());
  await page.locator("#map").focus();
  await page.keyboard.press("Control+z");
  check(
    "undo takes a text edit back, and no more",
    (await eventually(expected => explorer.state.recipe.text === expected, text)) &&
      (await page.evaluate(() => explorer.values.age === 4)),
  );
  await settled();

  rmSync(file);
  check(
    "a file that vanishes is told, and no lost server",
    (await eventually(() => /cannot read/.test(document.getElementById("notices").textContent))) &&
      !/does not answer/.test(await told()),
    await told(),
  );
  writeFileSync(file, layered + "\n");
  check(
    "until it is back",
    await eventually(() => !/cannot read/.test(document.getElementById("notices").textContent)),
    await told(),
  );
  await settled();
  await page.evaluate(() => explorer.setParameter("age", 5, false));
  await eventually(() => !document.getElementById("error").hidden);
  errors.length = 0;
});

await session(
  "laid over",
  `local p = params{ seed = 3 }
local net = esker.river_network{ size = 128, seed = p.seed, points = 60, rivers = 1 }
return { map = esker.river_map{ seed = p.seed, land = "raw" }, ramp = esker.noise{ size = 64 }, net = net }
`,
  {},
  async ({ page, settled, eventually }) => {
    await page.evaluate(() => {
      location.hash = "#x=0.5&y=0.5&zoom=1.5";
    });
    await page.click("#tab-look");
    await page.selectOption("#overlay", "ramp");
    await eventually(() => explorer.ground.shared.opacity > 0);
    await settled();
    const tiles = await page.evaluate(() =>
      [...explorer.ground.chunks].map(
        ([
          node,
          {
            uniforms: { overlayArea },
          },
        ]) => [node.z, ...overlayArea],
      ),
    );
    await page.selectOption("#overlay", "net");
    await eventually(() => explorer.ground.strokes && !explorer.ground.waiting);
    await settled();
    const counts = await page.evaluate(() =>
      explorer.ground.drawn.map(node => [node.z, explorer.ground.strokes.shapes.get(node)?.count]),
    );
    check(
      "and a network, too",
      counts.length >= 4 && new Set(counts.map(([, count]) => count)).size > 1,
      JSON.stringify(counts),
    );
    check(
      "a field over a map has its parts on each tile",
      tiles.length >= 4 &&
        tiles.every(([z, x, y, wide]) => wide === 2 ** -z) &&
        new Set(tiles.map(String)).size === tiles.length,
      JSON.stringify(tiles),
    );
  },
);

// A first run that fails shows what was declared, and what is wrong; a value that is not allowed is none.
await session("first run", layered, { words: ["age=7"] }, async ({ context, address }) => {
  const page = await context.newPage(); // a notice lasts eight seconds: the first page's may be gone
  await page.goto(address);
  check(
    "a value of the command line that is not allowed is told, and has its default",
    (await page
      .waitForFunction(
        () => /age must be 1 to 5, got 7/.test(document.getElementById("notices").textContent),
        null,
        { polling: 50 },
      )
      .then(
        () => true,
        () => false,
      )) && (await page.evaluate(() => explorer.values.age === undefined || explorer.values.age === 2)),
    await page.textContent("#notices"),
  );
});

if ("first run".includes(only)) {
  const failing = await open(program, playwright, layered, { words: ["age=5"], width: 900 });
  check(
    "a recipe that fails at once shows its parameters, and its error",
    await failing.page
      .waitForFunction(
        () =>
          /too old/.test(document.getElementById("error").innerText) &&
          document.getElementById("p-seed") &&
          document.getElementById("p-age"),
        null,
        { timeout: 30000 },
      )
      .then(
        () => true,
        () => false,
      ),
  );
  await failing.page.fill("#p-age", "3", { timeout: 5000 }).catch(() => {});
  await failing.page.keyboard.press("Enter");
  check(
    "with which it is mended",
    await failing.settled().then(
      () => true,
      () => false,
    ),
  );
  await failing.page.setViewportSize({ width: 390, height: 780 });
  await failing.page.click("#fold");
  await failing.page.evaluate(() => explorer.setParameter("age", 5, false));
  check(
    "and where the panel is folded, a notice tells of an error",
    await failing.page
      .waitForFunction(() => /too old/.test(document.getElementById("notices").innerText), null, {
        timeout: 30000,
      })
      .then(
        () => true,
        () => false,
      ),
  );
  await failing.end();
}

// The same address looks the same anywhere.
await session("look", layered, {}, async ({ page, context, address, settled, eventually, picture }) => {
  const digest = on =>
    on.evaluate(async () => {
      const bytes = new Uint8Array(
        await crypto.subtle.digest("SHA-256", await (await explorer.picture()).arrayBuffer()),
      );
      return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
    });
  const shows = () =>
    page.evaluate(() =>
      ["palette", "overlay", "over-palette", "opacity", "look-azimuth", "look-exaggeration"]
        .map(id => document.getElementById(id).value)
        .join(),
    );
  await page.evaluate(() => {
    location.hash = "#result=land";
  });
  await eventually(() => explorer.result.name === "land" && !explorer.addressBar.asked);
  await settled();
  const plain = await picture(),
    usual = await shows(),
    begun = await page.evaluate(() => explorer.address());
  await page.click("#tab-look");
  await page.selectOption("#palette", "viridis");
  await page.selectOption("#overlay", "slope");
  await page.selectOption("#over-palette", "diverging");
  await page.check("#contours");
  for (const [id, value] of [
    ["opacity", 0.33],
    ["look-azimuth", 77],
    ["look-exaggeration", 2.5],
    ["look-shading", 1.4],
    ["look-haze", 0.9],
    ["look-altitude", 20],
  ])
    await page.evaluate(
      ([id, value]) => {
        const row = document.getElementById(id);
        row.value = value;
        row.dispatchEvent(new Event("input"));
      },
      [id, value],
    );
  await page.locator("#map").focus();
  await page.keyboard.press("t");
  await eventually(
    () => explorer.camera.view.tilt > 50 && explorer.camera.still && location.hash === explorer.address(),
  );
  await settled();
  const shown = await picture(),
    there = await page.evaluate(() => location.hash),
    set = await shows();
  check(
    "an address holds how it looks",
    /palette=viridis&over=slope&over-palette=diverging&opacity=0.33&contours=1&exaggeration=2.5&shading=1.4&sun=77&sun-height=20&haze=0.9/.test(
      there,
    ),
    there,
  );
  const other = await context
      .browser()
      .newContext({ viewport: { width: 900, height: 600 }, reducedMotion: "reduce" }),
    fresh = await other.newPage();
  await fresh.goto(address + there);
  await settled(fresh);
  check(
    "another browser shows the same picture there",
    (await digest(fresh)) === shown &&
      shown !== plain &&
      (await fresh.evaluate(() => explorer.address())) === there,
    await fresh.evaluate(() => explorer.address()),
  );
  await other.close();
  await page.evaluate(hash => {
    location.hash = hash;
  }, begun);
  await eventually(() => explorer.camera.view.tilt === 0);
  await settled();
  check(
    "an address that names no look has the usual one",
    (await picture()) === plain && (await shows()) === usual,
    await shows(),
  );
  await page.evaluate(hash => {
    location.hash = hash;
  }, there);
  await eventually(() => explorer.camera.view.tilt > 50);
  await settled();
  check(
    "and the other one is shown once more",
    (await picture()) === shown && (await shows()) === set,
    await shows(),
  );
  await page.evaluate(() => {
    location.hash = "#result=land&palette=toString&over=nothing&sun=north";
  });
  check(
    "a look that is none is told",
    await eventually(() =>
      /Not understood in the address: sun, palette, over/.test(
        document.getElementById("notices").textContent,
      ),
    ),
    await page.textContent("#notices"),
  );
  await settled();
});

// A file that is saved is drawn by each page with its own values.
await session("own values", layered, {}, async ({ page, file, context, address, settled }) => {
  const other = await context.newPage(),
    pages = [page, other];
  await other.goto(address);
  await settled(other);
  for (const [i, on] of pages.entries()) {
    await on.evaluate(seed => explorer.setParameter("seed", seed, false), 11 + i);
    await settled(on);
  }
  writeFileSync(file, layered + "-- saved\n");
  const drawn = on =>
    on
      .waitForFunction(
        () =>
          /saved/.test(explorer.state.recipe.text) && explorer.isSettled() && explorer.state.params[0].value,
        null,
        { timeout: 60000, polling: 50 },
      )
      .then(
        handle => handle.jsonValue(),
        () => null,
      );
  await Promise.all(pages.map(drawn));
  await new Promise(done => setTimeout(done, 1500)); // until all that was told has come
  const seeds = await Promise.all(pages.map(drawn));
  check(
    "a file that is saved is drawn on each page with the page's own values",
    seeds.join() === "11,12",
    seeds,
  );
  writeFileSync(file, layered.replace("max = 99", "max = 11") + "-- saved again\n");
  await Promise.all(
    pages.map(on =>
      on.waitForFunction(() => /again/.test(explorer.state.recipe.text) && explorer.isSettled(), null, {
        timeout: 60000,
        polling: 50,
      }),
    ),
  );
  await new Promise(done => setTimeout(done, 1500));
  const kept = await Promise.all(pages.map(drawn));
  check(
    "as far as it still takes them",
    kept.join() === "11,3" && (await other.evaluate(() => explorer.values.seed === undefined)),
    kept,
  );
});

// The contrast of texts against what lies behind them (WCAG 2.2, 1.4.3), in light and dark, over the palest
// and the darkest map: of every panel, dialog and message.
await session("contrast", layered, {}, async ({ page, settled, eventually, errors }) => {
  const poor = () =>
    page.evaluate(() => {
      const canvas = new OffscreenCanvas(1, 1),
        context = canvas.getContext("2d", { willReadFrequently: true });
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
      const luminance = ([r, g, b]) =>
        [r, g, b]
          .map(v => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const found = [],
        texts =
          "h1, h2, button, label, p, dt, dd, summary, output, select, input, pre, code, .notice span, .legend span, .legend .title, #scale span, [role=tab], .cm-line span, .cm-lineNumbers .cm-gutterElement, .cm-tooltip *";
      const shadow = document.getElementById("editor")?.shadowRoot;
      const all = document.querySelector("dialog[open]")
        ? document.querySelectorAll("dialog[open] *")
        : [...document.querySelectorAll(texts), ...(shadow?.querySelectorAll(texts) ?? [])];
      for (const on of all) {
        const text = on.value ?? on.textContent;
        if (!on.checkVisibility() || !text.trim() || on.disabled || /range|checkbox/.test(on.type ?? ""))
          continue;
        const backs = [];
        for (let up = on; up; up = up.parentElement ?? up.getRootNode().host)
          backs.unshift(getComputedStyle(up).backgroundColor);
        for (const under of ["#ffffff", "#10202c"]) {
          const panel = backs.slice(2),
            back = bytes(panel, under),
            front = bytes([...panel, getComputedStyle(on).color], under);
          const [low, high] = [luminance(back), luminance(front)].sort((a, b) => a - b),
            ratio = (high + 0.05) / (low + 0.05);
          if (ratio < 4.5) found.push(`${text.trim().slice(0, 20)} ${ratio.toFixed(2)} over ${under}`);
        }
      }
      return [...new Set(found)];
    });
  const open = id => async () => {
    await page.click(id);
  };
  const states = {
    parameters: open("#tab-parameters"),
    look: async () => {
      await page.click("#tab-look");
      await page.selectOption("#overlay", "slope");
      await eventually(() => !document.getElementById("layer-legend").hidden);
    },
    places: async () => {
      await page.click("#tab-places");
      await page.fill("#bookmark", "here");
      await page.keyboard.press("Enter");
    },
    recipe: async () => {
      await page.click("#tab-recipe");
      await eventually(() => document.getElementById("editor")?.shadowRoot?.querySelector(".cm-line span"));
    },
    place: async () => {
      await page.evaluate(() => explorer.readout.click(explorer.stage.middle));
      await eventually(() => /Slope/.test(document.getElementById("inspector").textContent));
    },
    help: open("#help"),
    "no dialog": () => page.keyboard.press("Escape"),
    export: async () => {
      await page.click("#export");
      await page.locator("#dialog[open] .choices").waitFor();
    },
    "no export": () => page.keyboard.press("Escape"),
    error: async () => {
      await page.click("#tab-parameters");
      await page.evaluate(() => explorer.setParameter("age", 5, false));
      await eventually(() => !document.getElementById("error").hidden);
      await page.fill("#p-age", "9");
      await page.keyboard.press("Enter");
      await page.click("#compare");
      await eventually(() => document.querySelector(".notice.bad"));
    },
  };
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

await session(
  "colours",
  `local p = params{ seed = { 3, min = 1, max = 99 }, steep = 1 }
local land = esker.spectral{ size = 64, seed = p.seed } - 0.5
return { land = land, slope = land:slope{} * p.steep, metres = land:georeference{ x = 0, y = 0, cell = 1, unit = "m" } }
`,
  {},
  async ({ page, settled, eventually }) => {
    const colourAt = places =>
      page.evaluate(places => {
        // of places in pixels
        Object.assign(explorer.stage.settings, { shading: 0 });
        explorer.drawNow();
        const { width, height } = explorer.canvas,
          context = new OffscreenCanvas(width, height).getContext("2d"),
          ratio = width / explorer.stage.width;
        context.drawImage(explorer.canvas, 0, 0);
        return places.map(([x, y]) => [...context.getImageData(x * ratio, y * ratio, 1, 1).data].slice(0, 3));
      }, places);
    await page.click("#tab-look");
    check(
      "a field's values have its name",
      await eventually(
        () =>
          /land in view/.test(document.getElementById("look").innerText) &&
          document.querySelectorAll("#look .ends span").length >= 2,
      ),
    );
    await page.mouse.move(600, 300);
    check(
      "also in the bar below",
      /land -?[\d.]+$/.test(await page.textContent("#place")),
      await page.textContent("#place"),
    );
    await page.evaluate(() => explorer.choose("metres"));
    await eventually(() => explorer.ground.result?.name === "metres");
    await settled();
    await page.mouse.click(600, 300);
    check(
      "with the unit that it has",
      await eventually(
        () =>
          /metres-?[\d.]+ mSlope/.test(document.getElementById("inspector").textContent) &&
          /metres -?[\d.]+ m$/.test(document.getElementById("place").textContent) &&
          /metres, m, in view/.test(document.getElementById("look").innerText),
      ),
      await page.textContent("#inspector"),
    );
    await page.keyboard.press("Escape");
    await page.evaluate(() => explorer.choose("land"));
    await eventually(() => explorer.ground.result?.name === "land");
    await page.selectOption("#palette", "diverging");
    await settled();
    const pixels = await page.evaluate(() =>
      Array.from({ length: 30 * 30 }, (_, i) => [480 + (i % 30) * 11, 130 + Math.floor(i / 30) * 11])
        .map(at => ({ at, value: explorer.readout.heightAt(...at) }))
        .filter(({ value }) => value !== null)
        .sort((a, b) => a.value - b.value),
    );
    const zero = pixels.reduce((best, each) => (Math.abs(each.value) < Math.abs(best.value) ? each : best)),
      [low, middle, high] = await colourAt([pixels[5].at, zero.at, pixels.at(-5).at]);
    check(
      "a palette that diverges does so at 0",
      Math.min(...middle) > 225 && low[2] > low[0] + 30 && high[0] > high[2] + 30,
      JSON.stringify([low, middle, high, zero]),
    );
    check(
      "as its legend says",
      /^≤ -?[\d.]+ 0 ≥ [\d.]+$/.test((await page.innerText("#legend .labels")).replace(/\s+/g, " ").trim()) &&
        (await page.evaluate(() => {
          const [low, , high] = [...document.querySelectorAll("#legend .labels span")].map(each =>
            Number(each.textContent.replace(/[≤≥ ]/g, "")),
          );
          return low === -high;
        })),
      await page.innerText("#legend .labels"),
    );

    await page.click("#tab-parameters");
    check(
      "a seed with a range has a slider, and a button for a random one",
      (await page.locator("#parameters .param:has(#p-seed) input[type=range]").isVisible()) &&
        (await page.locator("#parameters >> text=Random").isVisible()),
    );
    await page.evaluate(() => explorer.canvas.focus());
    await page.evaluate(() =>
      explorer.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "T", bubbles: true })),
    ); // Caps Lock
    check("keys are letters, also with Caps Lock", await eventually(() => explorer.camera.view.tilt > 50));
    await page.evaluate(() =>
      explorer.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "T", bubbles: true })),
    );
    await settled();

    await page.click("#tab-look");
    await page.selectOption("#overlay", "slope");
    await page.evaluate(() => {
      const row = document.getElementById("opacity");
      row.value = 1;
      row.dispatchEvent(new Event("input"));
    });
    await settled();
    await page.click("#compare");
    await settled();
    await page.evaluate(() => explorer.setParameter("steep", 3, false));
    await eventually(
      () =>
        explorer.stage.grounds.length === 2 &&
        explorer.stage.grounds[1].laid &&
        explorer.stage.grounds[0].laid.cells.high * 2 < explorer.stage.grounds[1].laid.cells.high,
    );
    await settled();
    const samples = await page.evaluate(() =>
      Array.from({ length: 30 * 30 }, (_, i) => [460 + (i % 30) * 12, 130 + Math.floor(i / 30) * 11])
        .map(at => {
          const place = explorer.camera.placeOf(at),
            first = explorer.stage.isFirst(at),
            { width, height, cells } = explorer.stage.grounds[first ? 0 : 1].laid.cells;
          const [i, j] = [place.x, place.y].map((value, k) =>
            Math.floor((Number(value >> 107n) / 2 ** 53) * [width, height][k]),
          );
          return { at, first, value: cells[j * width + i] };
        })
        .filter(({ value }) => value !== undefined),
    );
    const shown = await colourAt(samples.map(({ at }) => at)),
      { high: most } = await page.evaluate(() => explorer.stage.grounds[1].laid.cells);
    const mean = (first, from, to) => {
      const chosen = shown.filter(
        (_, i) =>
          samples[i].first === first && samples[i].value >= from * most && samples[i].value < to * most,
      );
      return [0, 1, 2].map(k => chosen.reduce((sum, colour) => sum + colour[k], 0) / chosen.length);
    };
    const [a, b] = [true, false].map(first => mean(first, 0.15, 0.19));
    check(
      "what is laid over A and B has the same colours for the same values",
      Math.hypot(...a.map((value, k) => value - b[k])) < 25,
      JSON.stringify([a, b, samples.length]),
    );
  },
);

// Pages of one server, in one browser: each is drawn in its turn, and all hear of what happens by one
// connection.
await session(
  "pages",
  `local p = params{ seed = 3 }
local sum = 0
for i = 1, 3e7 do sum = sum + i % 7 end
print("seed", p.seed)
return { land = esker.noise{ size = 64, seed = p.seed } }
`,
  {},
  async ({ page, context, settled }) => {
    const pages = [page],
      runs = [],
      streams = [];
    context.on("response", response => {
      if (/api\/run/.test(response.url())) runs.push(response.status());
    });
    context.on("request", request => {
      if (/api\/events/.test(request.url())) streams.push(request.url());
    });
    for (let i = 1; i < 7; i++) pages.push(await context.newPage());
    await Promise.all(
      pages.slice(1).map(other => other.goto(page.url().replace(/#.*/, "")).then(() => settled(other))),
    );
    await Promise.all(
      pages.map((each, i) => each.evaluate(seed => explorer.setParameter("seed", seed, false), 50 + i)),
    );
    await Promise.all(pages.map(each => settled(each)));
    const shown = await Promise.all(
      pages.map(each => each.evaluate(() => [explorer.state.params[0].value, explorer.values.seed].join())),
    );
    check(
      "seven pages of one recipe are all drawn, each with its own value",
      shown.join(" ") === "50,50 51,51 52,52 53,53 54,54 55,55 56,56",
      shown.join(" "),
    );
    check(
      "without a run that another page stops",
      runs.length === 7 && runs.every(status => status === 200),
      runs.join(),
    );
    check("one of them listens to the server", streams.length === 0, streams.join());
    await pages.shift().close();
    check(
      "and when it is closed, another does",
      await (async () => {
        for (let i = 0; i < 100 && !streams.length; i++) await new Promise(done => setTimeout(done, 100));
        return streams.length === 1;
      })(),
      streams.length,
    );
  },
);
