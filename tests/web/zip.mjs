// Archives that the page writes are read by others.
import assert from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crc32, Zip } from "../../src/web/explorer/zip.js";

test("the check value of CRC-32", () =>
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926));

test("an archive has its files", { skip: spawnSync("python3", ["--version"]).status !== 0 }, async () => {
  const zip = new Zip(),
    folder = mkdtempSync(join(tmpdir(), "zip-")),
    path = join(folder, "a.zip");
  await zip.add("journey-0000.png", new Blob(["first"]));
  await zip.add("ü.png", new Blob([new Uint8Array(70000)]));
  writeFileSync(path, Buffer.from(await zip.finish().arrayBuffer()));
  const read = execFileSync(
    "python3",
    [
      "-c",
      "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint(z.testzip(), [(i.filename, i.file_size) for i in z.infolist()], z.read('journey-0000.png').decode())",
      path,
    ],
    { encoding: "utf8" },
  );
  rmSync(folder, { recursive: true });
  assert.equal(read.trim(), "None [('journey-0000.png', 5), ('ü.png', 70000)] first");
});
