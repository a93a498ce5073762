// Fingers, journeys, a planet, the keyboard alone, ground in 3D.
import { readFileSync } from "node:fs";
import { check } from "../../support/browser.mjs";
import { map, planet, session } from "../../support/session.mjs";
import { readWebm } from "../../support/webm.mjs";

await session(
  "phone",
  map,
  { width: 390, height: 780, touch: true },
  async ({ page, context, view, settled, eventually }) => {
    const devtools = await context.newCDPSession(page);
    const touch = (type, points) =>
      devtools.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    const fingers = async path => {
      await touch("touchStart", path(0));
      for (let i = 1; i <= 12; i++) await touch("touchMove", path(i / 12));
      await touch("touchEnd", []);
      await settled();
      return view();
    };
    const around = (r, angle) => [
      [180 - r * Math.cos(angle), 380 - r * Math.sin(angle)],
      [180 + r * Math.cos(angle), 380 + r * Math.sin(angle)],
    ];
    const begun = await view(),
      dragged = await fingers(t => [[200 - 80 * t, 400]]);
    check(
      "one finger moves the map",
      dragged.x > begun.x + 0.1 && Math.abs(dragged.zoom - begun.zoom) < 1e-9,
      JSON.stringify([begun, dragged]),
    );
    const near = await fingers(t => around(30 + 90 * t, 0));
    check(
      "two fingers zoom in",
      near.zoom > dragged.zoom + 1.4 && near.tilt === 0 && near.turn === 0,
      JSON.stringify(near),
    );
    const far = await fingers(t => around(120 - 90 * t, 1));
    check("and out, at any angle", far.zoom < near.zoom - 1.4 && far.tilt === 0, JSON.stringify(far));
    const turned = await fingers(t => around(95, t * 0.8));
    check("they turn the map", Math.abs(turned.turn) > 15 && turned.tilt === 0, JSON.stringify(turned));
    const tilted = await fingers(t => [
      [100, 480 - 150 * t],
      [260, 480 - 150 * t],
    ]);
    check(
      "and tilt it",
      tilted.tilt > 20 && Math.abs(tilted.turn - turned.turn) < 1e-3,
      JSON.stringify(tilted),
    );
    await page.touchscreen.tap(150, 400);
    check(
      "a tap shows the place",
      await eventually(() => /Height.*Slope/.test(document.getElementById("inspector").textContent)),
    );
    await page.tap("#fold");
    await settled();
    await eventually(() => explorer.stage.covered[1] > 150);
    const boxes = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      panel: document.getElementById("panel").getBoundingClientRect().toJSON(),
      covered: explorer.stage.covered[1],
      small: [...document.querySelectorAll("#tools button, #panel button:not(.plain)")].filter(
        each => each.offsetHeight && each.offsetHeight < 30,
      ).length,
    }));
    check(
      "the panel is a sheet below, and the middle of the map stays in sight",
      boxes.wide <= 390 && boxes.panel.bottom >= 779 && boxes.covered > 150 && boxes.small === 0,
      JSON.stringify(boxes),
    );
    await page.setViewportSize({ width: 360, height: 640 });
    // The page has heard of it
    await eventually(() => innerHeight === 640 && explorer.stage.height === 640 && explorer.isSettled());
    const hidden = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("#tools button")]
          .filter(each => {
            const { left, top, width, height } = each.getBoundingClientRect();
            return (
              each.checkVisibility() &&
              !each.contains(document.elementFromPoint(left + width / 2, top + height - 4))
            );
          })
          .map(each => each.id)
          .join(),
      );
    const sheet = await hidden();
    await page.tap("#tab-recipe");
    await eventually(() => document.getElementById("editor"));
    await eventually(() => document.getElementById("editor")?.shadowRoot?.querySelector(".cm-gutters"));
    const alpha = await page.evaluate(() =>
      /^rgba\(.*, (?:0|0?\.\d+)\)$/.test(
        getComputedStyle(document.getElementById("editor").shadowRoot.querySelector(".cm-gutters"))
          .backgroundColor,
      ),
    );
    check("a long line does not shine through the line numbers", !alpha);
    check(
      "no button is under the sheet or the editor",
      sheet === "" && (await hidden()) === "",
      `${sheet} ${await hidden()}`,
    );
    check(
      "the whole map lies beside the buttons",
      await eventually(
        () =>
          explorer.stage.middle[0] + 128 * 2 ** explorer.whole().zoom <=
          document.getElementById("tools").getBoundingClientRect().left,
      ),
    );
  },
);

await session(
  "places",
  map,
  {},
  async ({ page, settled, eventually, view, go, picture, context, address }) => {
    await page.mouse.click(600, 300);
    await eventually(() => /Flows to/.test(document.getElementById("inspector").textContent));
    const told = await page.textContent("#inspector");
    check(
      "a click tells place, height, slope and where the water flows",
      /x0\.\d+.*y0\.\d+.*Height.*Slope/.test(told) && /Flows to/.test(told),
      told,
    );
    const together = async () => {
      const heightIn = async (id, name) =>
        Number(new RegExp(name + " ?(-?[\\d.]+)").exec(await page.textContent(id))?.[1]).toPrecision(4);
      const [card, bar] = [await heightIn("#inspector", "Height"), await heightIn("#place", "height")];
      return card === bar || `${card} ${bar}`;
    };
    check("its height is that of the bar below", (await together()) === true, await together());
    await page.mouse.wheel(0, -600);
    await settled();
    check("also where one zooms in", (await together()) === true, await together());
    await page.locator("#map").focus();
    await page.keyboard.press("Home");
    await settled();
    const mark = () =>
      page.evaluate(() => Number(document.querySelector("#drawing circle").getAttribute("cx")));
    const before = await mark();
    await page.locator("#map").focus();
    await page.keyboard.press("ArrowRight");
    await settled();
    check(
      "its mark stays on the ground",
      Math.abs(before - 80 - (await mark())) < 2,
      `${before} ${await mark()}`,
    );
    await page.keyboard.press("Escape");

    await page.mouse.move(640, 250);
    const numbers = (await page.textContent("#place"))
      .match(/-?[\d.]+/g)
      .slice(1)
      .map(Number);
    const pointed = await page.evaluate(() => {
      const at = explorer.camera.placeOf([640, 250]);
      return [
        ...[at.x, at.y].map(value => Number(value >> 108n) / 2 ** 52),
        explorer.ground.known(at, explorer.camera.view.zoom).altitude,
      ];
    });
    check(
      "the bar below tells the place and height under the pointer",
      numbers.length === 3 && numbers.every((value, i) => Math.abs(value - pointed[i]) < 1e-3),
      `${numbers} ${pointed}`,
    );
    const alike = await page.evaluate(() =>
      Object.keys(explorer.look.palettes).filter(name => {
        explorer.look.choose(name);
        const { ramp } = explorer.look,
          colour = i => [...ramp.subarray(4 * i, 4 * i + 3)],
          half = ramp.length / 8;
        return [...Array(half >> 1).keys()].some(
          i => Math.hypot(...colour(half >> 1).map((value, k) => value - colour(half + i)[k])) < 25,
        );
      }),
    );
    await page.evaluate(() => explorer.look.choose("atlas"));
    check("the sea is told from the land in every palette", alike.length === 0, alike);

    const deepest = await page.evaluate(() => {
      const places = Array.from({ length: 441 }, (_, i) =>
        [i % 21, Math.floor(i / 21)].map(value => BigInt(Math.round(((value + 1) / 23) * 2 ** 40)) << 120n),
      );
      const heights = places.map(([x, y]) => explorer.ground.known({ x, y }, 3).altitude ?? 0),
        at = heights.indexOf(Math.min(...heights));
      return [at % 21, Math.floor(at / 21)].map(value => (value + 1) / 23);
    });
    await page.evaluate(([x, y]) => {
      location.hash = `#x=${x}&y=${y}&zoom=2000&tilt=58`;
    }, deepest);
    await eventually(() => explorer.camera.view.tilt === 58);
    await settled();
    check("the deep sea is seen in 3D", await page.evaluate(() => explorer.ground.drawn.length > 4), deepest);
    await page.evaluate(() => explorer.camera.set(explorer.whole()));

    await page.click("#tab-places");
    await page.fill("#bookmark", "first");
    await page.keyboard.press("Enter");
    await page.evaluate(() => {
      location.hash = "#x=0.43212&y=0.45198&zoom=3000&tilt=40&turn=20";
    });
    await eventually(() => explorer.camera.view.tilt === 40);
    await page.fill("#bookmark", "second");
    await page.keyboard.press("Enter");
    await page.click("#places >> text=first");
    await eventually(() => !explorer.camera.journey && explorer.camera.view.tilt === 0);
    await page.click("#places >> text=Fly");
    check(
      "a journey ends at the other place",
      await eventually(() => !explorer.camera.journey && Math.abs(explorer.camera.view.tilt - 40) < 1e-6),
    );
    await settled();
    const there = await page.evaluate(() => explorer.address()),
      shown = await picture();
    const other = await context
        .browser()
        .newContext({ viewport: { width: 900, height: 600 }, reducedMotion: "reduce" }),
      fresh = await other.newPage();
    await fresh.goto(address + there);
    await settled(fresh);
    const again = await fresh.evaluate(async () => {
      const blob = await explorer.picture(),
        bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
      return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
    });
    check("another browser shows the same picture at the same address", again === shown, there);
    await other.close();

    await page.evaluate(() => {
      const path = explorer.path;
      explorer.path = to => ({ ...path.call(explorer, to), seconds: 0.1 });
    });
    const coming = () => page.waitForEvent("download", { timeout: 240000 });
    const film = coming();
    await page.click("#places >> text=Film");
    const recorded = await film,
      saved = readFileSync(await recorded.path()),
      { codec, width, height, duration, frames } = readWebm(saved);
    check(
      "a film has all its frames, and stays half a second where it ends",
      recorded.suggestedFilename() === "journey.webm" &&
        /^V_VP[89]$/.test(codec) &&
        width === 900 &&
        height === 600 &&
        frames.length === 18 &&
        Math.abs(duration - 600) < 1,
      `${codec} ${width} ${height} ${duration} ${frames.length}`,
    );
    check(
      "and ends at the other place",
      await page.evaluate(() => !explorer.stage.posing && Math.abs(explorer.camera.view.tilt - 40) < 1e-6),
    );
    const archive = coming();
    await page.click("#places >> text=Frames");
    await eventually(() => /Frame [3-9] of 18/.test(document.getElementById("notices").textContent));
    await page.keyboard.press("Escape");
    const pictures = readFileSync(await (await archive).path());
    check(
      "frames are saved in an archive, as far as they were made when Escape stops them",
      pictures.subarray(0, 4).toString() === "PK\x03\x04" &&
        pictures.includes("journey-0001.png") &&
        !pictures.includes("journey-0017.png") &&
        pictures.includes("IHDR"),
    );
    check(
      "and the map moves again",
      await page.evaluate(
        () =>
          !explorer.canvas.inert &&
          !explorer.places.recording &&
          !/Frame/.test(document.getElementById("notices").textContent),
      ),
    );
  },
);

await session("planet", planet, {}, async ({ page, settled, view, eventually, pixels }) => {
  await page.mouse.click(500, 300);
  await eventually(() => /Height/.test(document.getElementById("inspector").textContent));
  const told = [await page.textContent("#inspector"), await page.textContent("#place")];
  check(
    "its places are told in degrees, and by their face",
    /Latitude[\d.]+° [NS]Longitude[\d.]+° [EW]Face[1-6]x0\..*y0\./.test(told[0]) &&
      /[\d.]+° [NS], [\d.]+° [EW]/.test(told[1]),
    told.join(" "),
  );
  await page.keyboard.press("Escape");
  check(
    "a planet is a globe in the dark",
    (await pixels()).most < 0.8 &&
      (await page.evaluate(() => new Set(explorer.ground.drawn.map(node => node.face)).size >= 3)),
  );
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
  check(
    "dives into it, and stands on it in 3D",
    (await eventually(() => explorer.ground.drawn.some(node => node.z >= 3))) && (await pixels()).count > 20,
  );
});

await session("keyboard", map, {}, async ({ page, view, settled, eventually }) => {
  const seen = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const on = document.activeElement,
        style = getComputedStyle(on);
      return {
        id: on.id || on.ariaLabel || on.textContent.slice(0, 12),
        ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        body: on === document.body,
      };
    });
    if (at.body) break;
    seen.push(at);
  }
  const names = seen.map(each => each.id);
  check(
    "Tab goes to the map, the panel and the tools",
    ["map", "fold", "tab-parameters", "p-seed", "nearer", "tilt", "export", "place"].every(name =>
      names.includes(name),
    ),
    names.join(" "),
  );
  check(
    "and one sees where one is",
    seen.every(each => each.ring),
    JSON.stringify(seen.filter(each => !each.ring)),
  );
  await page.focus("#tab-parameters");
  await page.keyboard.press("ArrowRight");
  check(
    "arrows go through the tabs",
    await page.evaluate(
      () => document.activeElement.id === "tab-look" && !document.getElementById("look").hidden,
    ),
  );
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
  check("and Escape from the editor, which keeps Tab", caught && (await on("map")), caught);
  await page.locator("#editor .cm-content").press("Control+z");
  await page.focus("#map");
  await page.keyboard.press("+");
  await page.keyboard.press("t");
  await eventually(() => explorer.camera.view.tilt > 50 && explorer.camera.still);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  check(
    "Enter tells the place in the middle",
    await eventually(() => /Height/.test(document.getElementById("inspector").textContent)),
  );
  await page.keyboard.press("n");
  await eventually(() => explorer.camera.view.turn === 0);
  await page.keyboard.press("Home");
  check(
    "Home shows the whole",
    await eventually(
      () =>
        explorer.camera.view.tilt === 0 && Math.abs(explorer.camera.view.zoom - explorer.whole().zoom) < 1e-6,
    ),
  );
});

// Ground in 3D, in pixels of what is drawn: where the map ends, and its outline.
await session("relief", map, { width: 480, height: 360 }, async ({ page, settled, eventually }) => {
  await page.evaluate(() => {
    explorer.tools.makeRoom = () => {
      explorer.stage.covered = [0, 0, 0];
    };
  });
  const look = hash =>
    page
      .evaluate(text => {
        explorer.tools.makeRoom();
        explorer.camera.change({ tilt: 0 });
        location.hash = text;
      }, hash)
      .then(() => eventually(() => explorer.camera.view.tilt > 50))
      .then(() => settled());
  const frame = () =>
    page.evaluate(() => {
      explorer.drawNow();
      const { width, height } = explorer.canvas,
        canvas = new OffscreenCanvas(width, height),
        context = canvas.getContext("2d");
      context.drawImage(explorer.canvas, 0, 0);
      const { data } = context.getImageData(0, 0, width, height),
        colour = (x, y) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)];
      const sky = colour(2, 2),
        off = (x, y) => Math.hypot(...colour(x, y).map((value, i) => value - sky[i]));
      const at = (x, y) =>
        explorer.stage
          .pixelAt(explorer.camera.view, {
            x: BigInt(Math.round(x * 2 ** 40)) << 120n,
            y: BigInt(Math.round(y * 2 ** 40)) << 120n,
          })
          ?.map(Math.round) ?? [0, height];
      const far = at(0.5, 0.001),
        near = at(0.5, 0.9999);
      let rows = 0,
        partial = 0; // of those where the map begins, after the sky
      for (let y = far[1] + 10; y < near[1] - 10; y++) {
        let x = 0;
        while (x < width - 3 && off(x, y) < 6) x++;
        if (x === 0 || x >= width - 3) continue;
        rows++;
        if (off(x, y) < 0.7 * off(x + 2, y)) partial++;
      }
      return {
        below: colour(near[0], Math.min(near[1] + 8, height - 1)),
        above: off(far[0], far[1] + 1),
        middle: off(width / 2, height / 2),
        rows,
        partial,
      };
    });
  await look("#x=0.5&y=0.5&zoom=0.7&tilt=62");
  const whole = await frame();
  const [red, green, blue] = whole.below; // of its side: a dark brown, which no palette has
  check(
    "a map that is seen whole is a block",
    red > blue && red < 140 && red - blue < 40 && red >= green && whole.above > 60,
    JSON.stringify(whole),
  );
  await page.evaluate(() => {
    explorer.stage.painter.software = false;
  });
  const smooth = await frame();
  check(
    "its outline is smooth",
    smooth.rows > 30 && smooth.partial > 0.5 * smooth.rows && whole.partial < 0.35 * whole.rows,
    JSON.stringify([whole, smooth]),
  );
  await page.evaluate(() => {
    explorer.stage.painter.software = true;
  });
  await look("#x=0.5&y=0.8&zoom=4&tilt=70");
  const inside = await frame();
  check(
    "from within, it fades where it ends",
    inside.above < 30 && inside.middle > 60,
    JSON.stringify(inside),
  );
});

await session("room", map, { width: 800, height: 560 }, async ({ page, settled, eventually }) => {
  const isBeside = () => {
    // the whole map between the panel and the buttons, and the bar below beside the panel
    const half = 128 * 2 ** explorer.camera.view.zoom,
      [middle, centre] = explorer.stage.middle,
      box = id => document.getElementById(id).getBoundingClientRect();
    const narrow = innerWidth <= 640,
      panel = box("panel");
    return (
      explorer.isSettled() &&
      Math.abs(explorer.camera.view.zoom - explorer.whole().zoom) < 1e-3 &&
      middle + half <= box("tools").left &&
      middle - half >= (narrow ? 0 : panel.right) &&
      (narrow ? centre + half <= panel.top : box("status").left >= panel.right)
    );
  };
  const told = () =>
    page.evaluate(() =>
      JSON.stringify([
        explorer.stage.middle,
        explorer.camera.view.zoom,
        explorer.whole().zoom,
        document.getElementById("status").getBoundingClientRect().left,
      ]),
    );
  await page.click("#tab-recipe");
  check("a map that is seen whole is so beside the editor, too", await eventually(isBeside), await told());
  await page.click("#tab-parameters");
  check("and beside the parameters", await eventually(isBeside), await told());
  await page.setViewportSize({ width: 390, height: 780 });
  check("and on a narrow screen above the sheet", await eventually(isBeside), await told());
  await page.setViewportSize({ width: 800, height: 560 });
  await eventually(isBeside);
  await page.locator("#map").focus();
  await page.keyboard.press("ArrowRight");
  await settled();
  const zoom = await page.evaluate(() => explorer.camera.view.zoom);
  await page.click("#tab-recipe");
  await settled();
  check(
    "what was moved stays as it is",
    Math.abs((await page.evaluate(() => explorer.camera.view.zoom)) - zoom) < 1e-3,
  );
});
