import assert from "node:assert/strict";
import { test } from "node:test";
import { Printed } from "../../src/web/explorer/printed.js";

test("each line is there once, whichever comes first of the state and what is told", () => {
  const printed = new Printed();
  printed.take({ generation: 1, log: "a\n" });
  assert.equal(printed.add(1, "a\n"), false); // by another process, or late
  assert.equal(printed.text, "a\n");
  assert.ok(printed.add(2, "b\n") && printed.add(2, "c\n"));
  assert.equal(printed.text, "b\nc\n");
  printed.take({ generation: 2, log: "b\nc\n" });
  printed.add(2, "b\n");
  assert.equal(printed.text, "b\nc\n");
});

test("what a run printed before it failed stays, once", () => {
  const printed = new Printed();
  printed.take({ generation: 1, log: "a\n" });
  printed.add(2, "before\n");
  printed.take({ generation: 2 });
  printed.add(2, "before\n");
  assert.equal(printed.text, "before\n");
});

test("after a server has begun anew its states count", () => {
  const printed = new Printed();
  printed.take({ generation: 9, log: "old\n" });
  printed.take({ generation: 2, log: "new\n" });
  assert.equal(printed.text, "new\n");
});
