// What the server is asked, besides tiles and cells (source.js).
async function answerOf(response) {
  const text = await response.text();
  let answer;
  try { answer = JSON.parse(text); } catch { answer = { error: text.slice(0, 200) || response.statusText }; }
  if (!response.ok) throw Object.assign(new Error(answer.error ?? "the server failed"), { status: response.status, line: answer.line });
  return answer;
}

export const getJSON = async (path, signal) => answerOf(await fetch(path, { signal }));
export const post = async (path, body, signal) => answerOf(await fetch(path,
  { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal }));

// Calls handlers[event](data) for what the server tells, and handlers.lost() or found() as the connection goes and comes. No
// event of the server is named error: that is what the browser calls a lost connection.
export function listen(handlers) {
  const events = new EventSource("api/events");
  let lost = false;
  events.onerror = () => {
    if (!lost) handlers.lost();
    lost = true;
  };
  events.onopen = () => {
    if (lost) handlers.found();
    lost = false;
  };
  for (const name of ["changed", "log", "progress", "unread"])
    events.addEventListener(name, event => {
      handlers[name]?.(JSON.parse(event.data));
    });
}
