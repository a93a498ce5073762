// Starts `esker explore` and Chromium for tests of the page: every check prints a line of TAP.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Milliseconds that a page may take for what it is to show: the machine may be busy.
export const PATIENCE = 300000;

let count = 0;
export function check(name, well, detail = "") {
  console.log((well ? "ok " : "not ok ") + ++count + " - " + name);
  if (!well) console.log("# " + String(detail).slice(0, 500).replace(/\n/g, "\n# "));
}
export const plan = () => console.log("1.." + count);

// What the processor draws here and no test looks at: the mark that turns while the page waits, what is blurred behind
// panels, and all frames of the map but those of which `picture` gives the bytes. The page does all else for each frame.
const calm = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { animation: none !important; backdrop-filter: none !important; }");
  document.adoptedStyleSheets = [sheet];
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...words) {
    const gl = getContext.apply(this, words);
    for (const name of [
      "clear",
      "drawArrays",
      "drawElements",
      "drawArraysInstanced",
      "drawElementsInstanced",
    ])
      if (gl?.[name])
        gl[name] = (...words) => globalThis.pictured && Object.getPrototypeOf(gl)[name].apply(gl, words);
    return gl;
  };
};

// `plain`: all but the map is drawn without a GPU, which the processor would play.
export const launch = (chromium, plain = false) =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      ...(plain ? ["--disable-gpu-rasterization", "--disable-gpu-compositing"] : []),
    ],
  });

// Serves a static page below a path, as any web host does.
function serveFiles(program, file, folder, levels) {
  const made = spawnSync(program, [
    "explore",
    "--static",
    file,
    "--levels",
    levels,
    "-q",
    "-o",
    join(folder, "host", "land"),
  ]);
  if (made.status !== 0) throw new Error("esker explore --static: " + made.stderr);
  return spawn("python3", ["-u", "-m", "http.server", "0", "-b", "127.0.0.1", "-d", join(folder, "host")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
}

export async function open(
  program,
  playwright,
  recipe,
  {
    levels,
    words = [],
    width = 480,
    height = 360,
    reducedMotion = "no-preference",
    touch = false,
    plain = false,
    at = "",
  } = {},
) {
  const { chromium } = await import(playwright),
    folder = mkdtempSync(join(tmpdir(), "explorer-")),
    file = join(folder, "recipe.lua");
  writeFileSync(file, recipe);
  const server = levels
    ? serveFiles(program, file, folder, levels)
    : spawn(program, ["explore", file, ...words, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", more => {
      text += more;
      if (text.includes("\n"))
        found(levels ? `http://127.0.0.1:${/port (\d+)/.exec(text)[1]}/land/` : text.trim());
    });
    server.on("exit", code => failed(new Error("esker explore ended with " + code)));
  });
  const browser = await launch(chromium, plain);
  const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion,
      hasTouch: touch,
      isMobile: touch,
    }),
    page = await context.newPage(),
    errors = [];
  context.setDefaultTimeout(PATIENCE);
  if (plain) await context.addInitScript(calm);
  page.on("console", message => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("response", async response => {
    if (response.status() >= 400)
      errors.push(response.status() + " " + response.url() + " " + (await response.text().catch(() => "")));
  });
  page.on("pageerror", error => errors.push(error.message));
  const end = async () => {
    await browser.close();
    if (server.exitCode === null && server.signalCode === null) {
      server.kill();
      await new Promise(done => server.on("exit", done));
    }
    rmSync(folder, { recursive: true });
  };
  const settled = (on = page) =>
    on.waitForFunction(() => globalThis.explorer?.first && explorer.isSettled(), null, {
      timeout: PATIENCE,
      polling: 50,
    });
  const picture = async () => {
    // what the map shows, without what lies over it
    await settled();
    return page.evaluate(async () => {
      globalThis.pictured = true;
      const blob = await explorer.picture().finally(() => (globalThis.pictured = false)),
        bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
      return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
    });
  };
  const go = async hash => {
    if (levels) await page.goto("about:blank"); // else the token in the address makes it another, which is loaded anew
    await page.goto(address + hash);
  };
  await page.goto(address + at);
  return { server, browser, context, page, file, errors, end, settled, picture, go, address };
}
