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

// What is drawn anew 60 times a second, by the processor here, and no test looks at: the mark that turns while the page
// waits, and what is blurred behind panels.
const calm = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { animation: none !important; backdrop-filter: none !important; }");
  document.adoptedStyleSheets = [sheet];
};

export const launch = chromium =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
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
  const browser = await launch(chromium);
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
      const blob = await explorer.picture(),
        bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
      return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
    });
  };
  const go = async hash => {
    await page.goto("about:blank");
    await page.goto(address + hash);
  };
  await page.goto(address);
  return { server, browser, context, page, file, errors, end, settled, picture, go, address };
}
