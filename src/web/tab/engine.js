// The engine in a worker. What the browser gives a worker to reach others with is taken away before Lua begins; the
// module itself imports nothing of it.
import createEsker from "./esker.js";

const OTHERS = [
  ..."fetch XMLHttpRequest WebSocket WebSocketStream WebTransport EventSource Request".split(" "),
  ..."Worker SharedWorker BroadcastChannel importScripts indexedDB caches navigator Notification".split(" "),
];
for (const name of OTHERS) Object.defineProperty(self, name, { value: undefined });

const encoder = new TextEncoder();
const bytesOf = value => (typeof value === "string" ? encoder.encode(value) : new Uint8Array(value));

// Starts a module of Lua; `tells` are functions by the kind of what it tells: (number, text, bytes). cellsOf(name): of a
// dropped file.
export async function openEngine(module, name, tells, cellsOf) {
  const esker = await createEsker({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
    print: text => console.log(text),
    printErr: text => console.warn(text),
    cellsOf,
    onTell: (kind, number, text, bytes) => tells[kind](number, text, bytes),
  });
  const put = bytes => {
    const at = esker._malloc(bytes.length + 1);
    if (!at) throw new Error("not enough memory");
    esker.HEAPU8.set(bytes, at);
    esker.HEAPU8[at + bytes.length] = 0;
    return at;
  };
  const run = (texts, call) => {
    const places = texts.map(put),
      problem = call(...places);
    if (problem) throw new Error(esker.UTF8ToString(problem));
    places.forEach(esker._free);
  };
  run([bytesOf(name)], esker._tab_start);
  return {
    call(name, number, text, body) {
      const bytes = bytesOf(body);
      run([bytesOf(name), bytesOf(text), bytes], (name, text, at) =>
        esker._tab_call(name, number, text, at, bytes.length),
      );
    },
    // What comes after the first picture (scripts/late.lua): an address, and the bytes from there on, zeros between those
    // that come. Or why there is none.
    comeLate({ bytes, problem = "" }) {
      if (bytes) {
        const at = new DataView(bytes).getUint32(0, true);
        new Uint8Array(bytes, 4).forEach((byte, i) => {
          if (byte) esker.HEAPU8[at + i] = byte;
        });
      }
      this.call("late", 0, problem, "");
    },
    get memory() {
      return esker.HEAPU8.length;
    },
  };
}
