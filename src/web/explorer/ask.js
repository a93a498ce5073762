// The way to the server. A page that computes in its tab has another file of this name (tab/ask_workers.js).

// What answers a request: a Response.
export const request = (path, init) => fetch(path, init);

// Before it the page makes no renderer, which holds it up.
export const sent = null;

// That a map keeps in the page.
export const TILES = 320;

// The recipe that the address holds; null: it is a file of the server's.
export const world = null;

// Files that the page makes of others: { format: of the file that is asked for, ending, title, kinds, make }.
export const made = [];

// Calls handlers[event](data) for what the server tells, and handlers.lost() or found() as the connection
// goes and comes. No event of the server is named error: that is what the browser calls a lost connection. A
// browser has six connections to a server, so one page listens, which holds a lock until it is closed, and
// tells the others.
export function listen(handlers) {
  const name = location.pathname + " events",
    channel = new BroadcastChannel(name);
  const take = ([event, data]) => {
    handlers[event]?.(data);
  };
  channel.onmessage = message => take(message.data);
  const tell = (...message) => {
    channel.postMessage(message);
    take(message);
  };
  navigator.locks.request(name, () => new Promise(() => hear(tell)));
}
function hear(tell) {
  const events = new EventSource("api/events");
  let lost = false;
  events.onerror = () => {
    if (!lost) tell("lost");
    lost = true;
  };
  events.onopen = () => {
    if (lost) tell("found");
    lost = false;
  };
  for (const name of ["changed", "log", "progress", "unread"])
    events.addEventListener(name, event => tell(name, JSON.parse(event.data)));
}
