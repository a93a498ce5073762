// Serves a folder as any static host does, and counts what is asked for.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const kinds = {
  css: "text/css",
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  png: "image/png",
  mjs: "text/javascript",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
};

// `changes`: functions of a file's text by its name; `missing` hears the names of files that there are not.
export async function serve(folder, changes = {}, missing = () => {}) {
  const asked = new Set();
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://host").pathname.slice(1) || "index.html",
      file = join(folder, name);
    if (!existsSync(file) || !statSync(file).isFile()) {
      missing(name);
      response.writeHead(404);
      return response.end();
    }
    asked.add(name);
    response.writeHead(200, { "Content-Type": kinds[name.split(".").pop()] ?? "text/plain" });
    response.end(changes[name]?.(readFileSync(file, "utf8")) ?? readFileSync(file));
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    asked,
    // Bytes of what was asked for, as hosts send them, of the names that count.
    size: (counts = () => true) =>
      [...asked]
        .filter(counts)
        .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0),
    close() {
      server.closeAllConnections();
      return new Promise(done => server.close(done));
    },
  };
}
