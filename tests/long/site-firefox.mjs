// The site in Firefox: node site-firefox.mjs PROGRAM FOLDER, run by site-firefox.sh. Nothing drives the browser: a page
// beside the site has it in a frame, looks at it, and asks for a file whose name is what it saw.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { check, PATIENCE, plan } from "../support/browser.mjs";
import { serve } from "../support/site.mjs";

const [, , program, folder] = process.argv,
  scratch = mkdtempSync(join(tmpdir(), "firefox-")),
  host = join(scratch, "host");
const recipe = `local land = esker.spectral{ size = 64, seed = 3 }
return { map = esker.river_map{ seed = 2, land = "eroded" }, a = land:hash(), b = land:stream_erosion{}:hash() }
`;
writeFileSync(
  join(scratch, "a.lua"),
  recipe.replace('map = esker.river_map{ seed = 2, land = "eroded" }, ', ""),
);
const native = execFileSync(program, ["a.lua", "-q"], { cwd: scratch, encoding: "utf8" });
cpSync(folder, host, { recursive: true });
const link = "explore.html#r=" + deflateRawSync(recipe, { level: 9 }).toString("base64url");
writeFileSync(
  join(host, "look.html"),
  `<!doctype html><iframe src="${link}" width="480" height="360"></iframe><script type="module">
  const inner = document.querySelector("iframe").contentWindow;
  const until = async test => {
    for (let value; ; await new Promise(done => setTimeout(done, 100)))
      if ((value = await test())) return value;
  };
  const press = await until(() => inner.document.querySelector("dialog button"));
  await until(() => inner.document.querySelector("dialog pre")?.textContent);
  press.click();
  const seen = await until(() => {
    const notices = inner.document.getElementById("notices").textContent, { explorer } = inner;
    if (notices) return { notices };
    return explorer?.first && explorer.isSettled() && {
      values: explorer.state.results.filter(each => each.name.length === 1).map(each => each.name + " = " + each.value),
    };
  });
  seen.asked = inner.performance.getEntriesByType("resource").map(each => each.name);
  fetch("seen/" + encodeURIComponent(JSON.stringify(seen)));
  </script>`,
);
let hear;
const heard = new Promise(done => (hear = done));
const site = await serve(
  host,
  {},
  name => name.startsWith("seen/") && hear(JSON.parse(decodeURIComponent(name.slice(5)))),
);
const profile = join(scratch, "profile");
mkdirSync(profile);
writeFileSync(
  join(profile, "user.js"),
  ["webgl.force-enabled", "datareporting.policy.dataSubmissionPolicyBypassNotification"]
    .map(name => `user_pref("${name}", true);`)
    .join("\n"),
);
const browser = spawn(
  "xvfb-run",
  ["-a", "firefox-esr", "--no-remote", "--profile", profile, site.address + "look.html"],
  { env: { ...process.env, HOME: scratch, LIBGL_ALWAYS_SOFTWARE: "1" }, stdio: "ignore", detached: true },
);
const seen = await Promise.race([heard, new Promise(done => setTimeout(() => done({}), PATIENCE).unref())]);
check(
  "Firefox draws a stranger's recipe once it is wanted",
  seen.values,
  seen.notices ?? "nothing was drawn",
);
check("its bytes are the program's", seen.values?.join("\n") === native.trim(), seen.values?.join("\n"));
check(
  "no request leaves the site",
  seen.asked?.every(each => each.startsWith(site.address) || each.startsWith("blob:")),
  seen.asked,
);
process.kill(-browser.pid);
await new Promise(done => browser.on("exit", done));
await site.close();
rmSync(scratch, { recursive: true, force: true });
plan();
process.exit();
