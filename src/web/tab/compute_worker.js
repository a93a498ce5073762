// A worker that runs the recipe and answers what the front asks about it (lua/esker/tab/compute.lua).
import { openEngine } from "./engine.js";

let engine, limits, port, most;
const files = new Map(); // that were dropped onto the page: their cells by name

const tell = (kind, bytes) =>
  port.postMessage({ kind, bytes, full: engine.memory > limits.worker }, [bytes.buffer]);

async function open({ module, limits: given, files: count }) {
  limits = given;
  most = count;
  engine = await openEngine(
    module,
    "esker.tab.compute",
    {
      answer: (number, text, bytes) => tell("answer", bytes),
      note: (number, kind, bytes) => tell(kind, bytes),
      late: () => postMessage({ kind: "late" }),
      taken: (number, name) => postMessage({ kind: "taken", name }),
    },
    name => files.get(name),
  );
  engine.call("begin", limits.memory, "", "");
}

function take({ cells, ...facts }) {
  files.set(facts.name, cells);
  if (files.size > most) files.delete(files.keys().next().value);
  engine.call("file", 0, JSON.stringify(facts), "");
}

async function comeLate(given) {
  await opened;
  try {
    engine.comeLate(given);
  } catch (error) {
    port.postMessage({ kind: "failed", text: error.message });
  }
}

let begin; // called when the module is there, which may be after the port
const opened = new Promise(done => {
  begin = done;
}).then(open);

function hear({ data }) {
  if (data.kind === "open") {
    postMessage({ kind: "started" });
    return begin(data);
  }
  if (data.kind === "late") return comeLate(data);
  if (data.kind === "file") return opened.then(() => take(data.file)).catch(() => {});
  port = data.port;
  port.onmessage = async ({ data: message }) => {
    try {
      await opened;
      engine.call("answer", 0, "", message);
    } catch (error) {
      port.postMessage({ kind: "failed", text: error.message });
    }
  };
}

export const compute = () => addEventListener("message", hear);
