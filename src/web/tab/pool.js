// The workers of the tab, in place of a server: one answers the page (front_worker.js), the others compute
// (compute_worker.js). All have the same script, worker.js, and the same module of WebAssembly, compiled once.
import { FILES, FIRST, OTHER, SECONDS, WORKERS } from "./limits.js";

// The smallest module that needs vectors: a function that makes one.
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
]);

const PATIENCE = 3; // seconds that a busy worker has to take a file

// Why this browser cannot compute, in one line; undefined if it can.
export function whatLacks() {
  if (typeof WebAssembly !== "object")
    return "This browser has no WebAssembly, or it is switched off: Esker cannot compute here";
  if (!WebAssembly.validate(VECTORS))
    return "This browser's WebAssembly has no vectors (SIMD), which Esker needs: a version of 2023 or later has them";
}

async function got(path, what) {
  const response = await fetch(path);
  if (response.ok) return response;
  throw new Error(`${what} is not here: ${path} answers ${response.status}`);
}

async function compile(path) {
  const response = await got(path, "The engine");
  const bytes = response.clone(); // for a host that does not say what the file is
  return WebAssembly.compileStreaming(response).catch(async () =>
    WebAssembly.compile(await bytes.arrayBuffer()),
  );
}

export class Pool {
  // failed(text): the engine has stopped for good
  constructor(failed) {
    this.failed = failed;
    this.waiting = new Map(); // requests by number: { done, fail }
    this.streams = new Map();
    this.files = new Map(); // that were dropped onto the page, by name, the oldest first
    this.named = new Set(); // all of them that there ever were
    this.next = 1;
    this.count = Math.min(Math.max(navigator.hardwareConcurrency ?? 1, WORKERS[0]), WORKERS[1]);
    this.workers = [];
    this.front = new Worker("worker.js", { type: "module", name: "front" });
    this.front.onmessage = ({ data }) => this.take(data);
    this.front.onerror = event => this.fail(event.message);
    this.compiled = compile("esker.wasm");
    this.compiled
      .then(module => this.front.postMessage({ kind: "open", module, seconds: SECONDS }))
      .catch(() => {}); // told where it is awaited
    // The one that runs the recipe and draws the first tile loads while the module is compiled. The front reaches it
    // without the page, which is busy with its renderer then.
    const { port1, port2 } = new MessageChannel();
    this.port = port2;
    this.openWorker(1, port1);
    const startOf = worker =>
      new Promise(done => {
        for (const kind of ["message", "error"]) worker.addEventListener(kind, done, { once: true });
      });
    new PerformanceObserver(() => this.loadLate()).observe({ type: "mark", buffered: true }); // the first picture (main.js)
    this.started = Promise.all([this.front, this.workers[1]].map(startOf));
  }

  // Ends once the workers go on without the page.
  async begin(recipe) {
    await this.compiled;
    this.front.postMessage({ kind: "begin", count: this.count, recipe, port: this.port }, [this.port]);
    await this.started;
  }
  openWorker(number, port) {
    this.workers[number]?.terminate();
    const worker = new Worker("worker.js", { type: "module" });
    this.workers[number] = worker;
    worker.postMessage({ kind: "port", port }, [port]);
    worker.onmessage = ({ data }) => data.kind === "late" && this.loadLate();
    worker.onerror = event =>
      this.front.postMessage({
        kind: "ended",
        number,
        text: event.message || "a worker could not be started",
      });
    this.compiled
      .then(module => {
        worker.postMessage({ kind: "open", module, limits: number === 1 ? FIRST : OTHER, files: FILES });
        if (this.late) worker.postMessage(this.late);
        for (const file of this.files.values()) worker.postMessage({ kind: "file", file });
      })
      .catch(() => {});
  }

  // What the engine's workers do not need for the first picture. Also those have it that are opened after this. What is
  // not had is asked for again when it is next needed.
  async loadLate() {
    if (this.loadingLate) return;
    this.loadingLate = true;
    const late = await got("late.bin", "It")
      .then(async response => ({ kind: "late", bytes: await response.arrayBuffer() }))
      .catch(error => ({ kind: "late", problem: error.message }));
    for (const worker of [this.front, ...this.workers]) worker?.postMessage(late);
    if (late.bytes) this.late = late;
    else this.loadingLate = false;
  }

  // A raster for recipes to load: { name, width, height, cells, … } (dropped.js). Gives its name, which no other has
  // had, since what is computed is known by it; ends once the workers have it, or are busy.
  async addFile({ name, ...raster }) {
    const [, stem, ending] = /^(.*?)(\.[^.]*)?$/s.exec(name);
    for (let i = 2; this.named.has(name); i++) name = `${stem}-${i}${ending ?? ""}`;
    this.named.add(name);
    const file = { name, ...raster };
    this.files.set(name, file);
    if (this.files.size > FILES) this.files.delete(this.files.keys().next().value);
    const takenBy = worker =>
      new Promise(done => {
        worker.addEventListener(
          "message",
          ({ data }) => data.kind === "taken" && data.name === name && done(),
        );
        worker.postMessage({ kind: "file", file });
      });
    await Promise.race([
      Promise.all(this.workers.filter(Boolean).map(takenBy)),
      new Promise(done => setTimeout(done, 1000 * PATIENCE)),
    ]);
    return name;
  }

  take({ kind, number, id, text, bytes, port }) {
    if (kind === "late") this.loadLate();
    else if (kind === "start") this.openWorker(number, port);
    else if (kind === "end") {
      this.workers[number]?.terminate();
      this.workers[number] = undefined;
    } else if (kind === "answer") {
      const [, status, type] = /^(\d+) (.*)$/.exec(text);
      this.waiting
        .get(id)
        ?.done(new Response(bytes, { status: Number(status), headers: { "Content-Type": type } }));
      this.waiting.delete(id);
    } else if (kind === "event") this.streams.get(id)?.(text);
    else if (kind === "failed") this.fail(text);
  }
  fail(text) {
    const line = "The engine has stopped: " + (text || "a worker could not be started").split("\n")[0];
    for (const { fail } of this.waiting.values()) fail(new Error(line));
    this.waiting.clear();
    this.failed(line);
  }

  // As fetch does.
  request(path, { method = "GET", body = "", signal } = {}) {
    const { pathname, searchParams } = new URL(path, "http://tab/"),
      id = this.next++;
    const asked = { method, path: decodeURIComponent(pathname), query: Object.fromEntries(searchParams) };
    return new Promise((done, fail) => {
      if (signal?.aborted) return fail(signal.reason);
      this.waiting.set(id, { done, fail });
      signal?.addEventListener("abort", () => {
        if (this.waiting.delete(id)) this.front.postMessage({ kind: "forget", id });
        fail(signal.reason);
      });
      this.front.postMessage({ kind: "ask", id, asked, body });
    });
  }
  // Calls take(text) with each event that the front sends.
  listen(take) {
    const id = this.next++;
    this.streams.set(id, take);
    this.front.postMessage({
      kind: "ask",
      id,
      asked: { method: "GET", path: "/api/events", query: {} },
      body: "",
    });
  }
}
