// What the server is asked, besides tiles and cells (source.js).
import { request } from "./ask.js";

// What a response says; the error that it tells of.
export async function answerOf(response) {
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

export const getJSON = async (path, signal) => answerOf(await request(path, { signal }));
export const post = async (path, body, signal) =>
  answerOf(
    await request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    }),
  );
