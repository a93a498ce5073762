// The worker that answers the page, as the server of `esker explore` does (lua/esker/tab/front.lua). It hands tasks to
// those that compute, and ends one that takes too long; the page starts another in its place.
import { openEngine } from "./engine.js";

const PATIENCE = 250; // milliseconds that a task has to end when nobody wants it

let engine, seconds;
const workers = []; // by number: { port, timers }
let firstPort; // to the worker that the page has opened already

// Lua hears of what comes one thing after another; what breaks it, breaks the page.
function call(...words) {
  try {
    engine.call(...words);
  } catch (error) {
    postMessage({ kind: "failed", text: error.message });
  }
}

function rest(worker) {
  for (const timer of worker.timers) clearTimeout(timer);
  worker.timers = [];
}
function leave(number) {
  const worker = workers[number];
  workers[number] = undefined;
  if (!worker) return;
  rest(worker);
  worker.port.close();
  postMessage({ kind: "end", number });
}
// Lua hears why; nothing, where it was not about its task.
function end(number, text) {
  if (!workers[number]) return;
  leave(number);
  call("take", number, "ended", text);
}
function endAfter(milliseconds, number, text) {
  workers[number].timers.push(setTimeout(() => end(number, text), milliseconds));
}

function come(number, { kind, bytes, text, full }) {
  if (kind === "failed") return end(number, "the recipe's worker has failed: " + text.split("\n")[0]);
  if (kind === "answer") rest(workers[number]);
  call("take", number, kind, bytes);
  if (kind === "answer" && full) end(number, "");
}

// To a worker that the page opens now.
function portOf(number) {
  const { port1, port2 } = new MessageChannel();
  postMessage({ kind: "start", number, port: port1 }, [port1]);
  return port2;
}

const tells = {
  start(number) {
    leave(number);
    const port = number === 1 && firstPort ? firstPort : portOf(number);
    if (number === 1) firstPort = null;
    workers[number] = { port, timers: [] };
    port.onmessage = ({ data }) => come(number, data);
  },
  send(number, text, bytes) {
    workers[number].port.postMessage(bytes, [bytes.buffer]);
    endAfter(seconds * 1000, number, `the time limit of ${seconds} s is over`);
  },
  stop: number => endAfter(PATIENCE, number, "superseded"),
  end: leave,
  answer: (id, text, bytes) => postMessage({ kind: "answer", id, text, bytes }, [bytes.buffer]),
  late: () => postMessage({ kind: "late" }),
  event: (id, text, bytes) => postMessage({ kind: "event", id, text: new TextDecoder().decode(bytes) }),
};

const does = {
  async open({ module, seconds: given }) {
    postMessage({ kind: "started" });
    seconds = given;
    engine = await openEngine(module, "esker.tab.front", tells);
  },
  begin({ count, recipe: { name, ...given }, port }) {
    firstPort = port;
    call("begin", count, name, JSON.stringify(given));
  },
  ask: ({ id, asked, body }) => call("ask", id, JSON.stringify(asked), body),
  late: given => engine.comeLate(given),
  forget: ({ id }) => call("forget", id, "", ""),
  ended: ({ number, text }) => end(number, "the recipe's worker has failed: " + text),
};

let opened = Promise.resolve();
function hear({ data }) {
  opened = opened
    .then(() => does[data.kind](data))
    .catch(error => postMessage({ kind: "failed", text: error.message }));
}

export const front = () => addEventListener("message", hear);
