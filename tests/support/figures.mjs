// What the page of `esker explore` is measured by, for tests and scripts/explore-figures.py.
import { readdirSync, readFileSync } from "node:fs";

// Bytes of all that the page may load, compressed.
export const pageSize = page =>
  page.evaluate(async () => {
    const folder = [
        "index.html",
        "base.css",
        "explorer.css",
        "codemirror.min.js",
        "editor.js",
        "export.js",
        "film.js",
        "webm.js",
        "zip.js",
      ],
      seen = performance
        .getEntriesByType("resource")
        .map(each => new URL(each.name).pathname.split("/").at(-1));
    let sum = 0;
    for (const name of new Set([
      ...folder,
      ...seen.filter(name => /\.(js|css)$/.test(name)),
      ...[...document.querySelectorAll("[rel=modulepreload]")].map(link => link.getAttribute("href")),
    ])) {
      const packed = (await fetch(name === "index.html" ? "./" : name)).body.pipeThrough(
        new CompressionStream("gzip"),
      );
      sum += (await new Response(packed).arrayBuffer()).byteLength;
    }
    return sum;
  });

// From level 3 to 60 at 1.5 levels a second: { frames, empty, worst, levels, tiles }, worst in milliseconds.
export const dive = page =>
  page.evaluate(
    () =>
      new Promise(done => {
        const { camera, stage } = explorer,
          draw = stage.draw,
          from = 3,
          seconds = 38,
          middle = { x: ((1n << 160n) * 4321n) / 10000n + 12345n, y: ((1n << 160n) * 351n) / 1000n + 777n };
        let frames = 0,
          empty = 0,
          worst = 0,
          last = performance.now();
        const begun = last;
        stage.draw = (...words) => {
          const frame = draw.apply(stage, words),
            now = performance.now();
          frames++;
          if (!stage.grounds[0].drawn.length) empty++;
          worst = Math.max(worst, now - last);
          last = now;
          return frame;
        };
        camera.advance = () => {
          const share = (performance.now() - begun) / 1000 / seconds,
            zoom = Math.min(from + share * 57, 60);
          camera.view = { face: 0, ...middle, zoom, tilt: 0, turn: 0, towards: { face: 0, ...middle } };
          camera.speed = 1.5;
          if (share < 1) return true;
          stage.draw = draw;
          delete camera.advance;
          camera.goal = 0;
          done({
            frames,
            empty,
            worst: Math.round(worst),
            levels: zoom - from,
            tiles: explorer.ground.tree.count,
          });
          return false;
        };
        stage.wake();
      }),
  );

// Megabytes of a process and its children, what they share counted once.
export function memoryOf(pid) {
  const read = path => {
    try {
      return readFileSync(path, "latin1");
    } catch {
      return "";
    }
  };
  const parentOf = each =>
    Number(
      read(`/proc/${each}/stat`)
        .replace(/.*\) . /s, "")
        .split(" ")[0],
    );
  const own = readdirSync("/proc").filter(
    name => /^\d+$/.test(name) && (Number(name) === pid || parentOf(name) === pid),
  );
  return (
    own.reduce(
      (sum, each) => sum + Number(/^Pss: +(\d+)/m.exec(read(`/proc/${each}/smaps_rollup`))?.[1] ?? 0),
      0,
    ) / 1024
  );
}
