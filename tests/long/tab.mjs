// What a tab takes (docs/web.md): the first picture, and memory in a dive of 40 levels: node tab.mjs PLAYWRIGHT FOLDER, run by
// tab.sh. Seconds are a check only with QUIET=1, on a machine that does nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { check, launch, plan } from "../support/browser.mjs";
import { serve } from "../support/site.mjs";

const [, , playwright, folder] = process.argv,
  quiet = Boolean(process.env.QUIET),
  TIMES = Number(process.env.TIMES ?? 5),
  LEVELS = 40,
  MOST = { first: 1500, memory: 512 }; // milliseconds, megabytes
const { chromium } = await import(playwright),
  browser = await launch(chromium),
  size = { width: 1280, height: 800 };
const settled = page =>
  page.waitForFunction(() => globalThis.explorer?.first && explorer.isSettled(), null, {
    timeout: 1200000,
    polling: 50,
  });
// The machine may be busy: a tile may take longer than a reader's.
const patient = { "limits.js": text => text.replace(/SECONDS = \d+/, "SECONDS = 600") };
async function open() {
  const site = await serve(folder, patient),
    context = await browser.newContext({ viewport: size, serviceWorkers: "block" }),
    page = await context.newPage();
  await page.goto(site.address + "explore.html#example=land");
  await settled(page);
  return { page, close: () => context.close().then(site.close) };
}

// --- the first picture, from navigation ----------------------------------------------------------------------
const firsts = [];
for (let i = 0; i < TIMES; i++) {
  const { page, close } = await open();
  firsts.push(await page.evaluate(() => Math.round(explorer.first)));
  await close();
}
firsts.sort((a, b) => a - b);
const first = firsts[TIMES >> 1];
check(
  `the first picture after ${first} ms, ${firsts[0]} to ${firsts.at(-1)} of ${TIMES}${quiet ? "" : " (not a check: QUIET=1)"}`,
  !quiet || first <= MOST.first,
);

// --- memory of the tab's process -----------------------------------------------------------------------------
const read = path => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it has ended
  }
};
const parentOf = id => /\) . (\d+)/.exec(read(`/proc/${id}/stat`))?.[1];
function isOurs(id) {
  for (; id && id !== "0"; id = parentOf(id)) if (id === String(process.pid)) return true;
  return false;
}
// Of the process of a page that has most, in megabytes.
const memory = () =>
  Math.max(
    0,
    ...readdirSync("/proc")
      .filter(id => /^\d+$/.test(id) && read(`/proc/${id}/cmdline`).includes("--type=renderer") && isOurs(id))
      .map(id => Number(/^Rss: +(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0) / 1000),
  );
const { page, close } = await open(),
  figures = { 0: memory() };
let most = 0;
const watch = setInterval(() => {
  most = Math.max(most, memory());
}, 500);
for (let level = 1; level <= LEVELS; level++) {
  await page.evaluate(
    level =>
      new Promise(done => {
        const { camera, stage } = explorer,
          place = { x: ((1n << 160n) * 4321n) / 10000n + 12345n, y: ((1n << 160n) * 351n) / 1000n + 777n },
          begun = performance.now();
        camera.advance = () => {
          const zoom = Math.min(level - 1 + (performance.now() - begun) / 1000, level);
          camera.view = { face: 0, ...place, zoom, tilt: 0, turn: 0, towards: { face: 0, ...place } };
          camera.speed = 1;
          if (zoom < level) return true;
          delete camera.advance;
          camera.goal = 0;
          done();
          return false;
        };
        stage.wake();
      }),
    level,
  );
  if (level % 10 === 0) {
    await settled(page);
    figures[level] = memory();
    console.log(`# ${figures[level].toFixed(0)} MB at level ${level}`);
  }
}
await settled(page);
clearInterval(watch);
const told = Object.entries(figures).map(([level, megabytes]) => `${megabytes.toFixed(0)} at level ${level}`);
check(
  `at most ${most.toFixed(0)} MB in a dive of ${LEVELS} levels (${told.join(", ")})`,
  most <= MOST.memory && (await page.evaluate(() => explorer.ground.tree.count)) > 0,
);
await close();
await browser.close();
plan();
