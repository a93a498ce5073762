// What the server is asked, besides tiles and cells (source.js).
async function answerOf(response) {
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = { error: text.slice(0, 200) || response.statusText };
  }
  if (!response.ok)
    throw Object.assign(new Error(answer.error ?? "the server failed"), {
      status: response.status,
      line: answer.line,
    });
  return answer;
}

export const getJSON = async (path, signal) => answerOf(await fetch(path, { signal }));
export const post = async (path, body, signal) =>
  answerOf(
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    }),
  );

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
