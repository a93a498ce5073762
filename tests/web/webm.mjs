// Films are files that others read: every frame at its time, and where one can jump to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { webm } from "../../src/web/explorer/webm.js";
import { readWebm } from "../support/webm.mjs";

const join = parts => Uint8Array.from(parts.flatMap(part => [...part]));

test("a film has its frames at their times, its size and its length", () => {
  const frames = Array.from({ length: 200 }, (_, i) => ({
    key: i % 60 === 0,
    bytes: new Uint8Array(i * 3).fill(i),
  }));
  const film = readWebm(join(webm({ width: 1280, height: 722, codec: "V_VP9", rate: 30 }, frames)));
  assert.deepEqual([film.kind, film.codec, film.width, film.height], ["webm", "V_VP9", 1280, 722]);
  assert.ok(Math.abs(film.duration - (200 / 30) * 1000) < 1);
  assert.deepEqual(
    film.frames.map(({ time }) => time),
    frames.map((_, i) => Math.round((i * 1000) / 30)),
  );
  assert.ok(
    film.frames.every(
      ({ key, bytes }, i) =>
        key === frames[i].key && bytes.length === 3 * i && bytes.every(byte => byte === i),
    ),
  );
  assert.deepEqual(film.cues, [
    [0, true],
    [2000, true],
    [4000, true],
    [6000, true],
  ]);
});
