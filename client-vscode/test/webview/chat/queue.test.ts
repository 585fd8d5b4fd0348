import { expect, it } from "vitest";
import { act, button, drawn, field, one, open, posts, READY, send, type } from "./openPage";

// @vitest-environment jsdom

const prompt = (queuedId: string, text: string, when: "steer" | "after" = "steer") => ({
  queuedId,
  when,
  content: [{ type: "text" as const, text }],
});
const update = (fields: object) => ({
  type: "update" as const,
  seq: 1,
  update: { kind: "queued" as const, entries: [], ...fields },
});

it("shows what waits and for what, to be edited or taken back", async () => {
  open({ ...READY, turnId: "t1" });
  expect(one(".queue").hidden).toBe(true);
  act(update({ entries: [prompt("q1", "And the tests?"), prompt("q2", "Then commit.", "after")] }));
  await drawn();
  const rows = [...document.querySelectorAll(".queue li")].map((row) => row.textContent);
  expect(rows).toEqual([
    "And the tests?before the next stepEditTake back",
    "Then commit.after this turnEditTake back",
  ]);
  button("Edit").click();
  expect(posts.at(-1)).toEqual({ type: "unqueue", queuedId: "q1", edit: true });
  button("Take back").click();
  expect(posts.at(-1)).toEqual({ type: "unqueue", queuedId: "q1", edit: false });
});

it("takes its room so that a reader at the end stays there", async () => {
  open({
    ...READY,
    turnId: "t1",
    entries: [{ kind: "user", id: "m1", text: "Go.", attachments: [] }],
  });
  const area = one(".transcript");
  const below = () => document.querySelectorAll(".queue li, .chips button").length;
  // jsdom has no layout: a row below makes the way to the end that much longer.
  Object.defineProperty(area, "scrollHeight", { get: () => 1000 + 20 * below() });
  act(update({ entries: [prompt("q1", "And the tests?"), prompt("q2", "Then commit.", "after")] }));
  await drawn();
  expect(area.scrollTop).toBe(1040);
  const active = { what: "file" as const, label: "a.py", attached: false };
  send({ type: "attachments", attachments: [], active });
  expect(area.scrollTop).toBe(1060);
});

it("puts what was given back before what is being written", () => {
  open({ ...READY, turnId: "t1" });
  type("half a sentence");
  act(update({ returned: [prompt("q1", "One."), prompt("q2", "Two.")] }));
  expect(field().value).toBe("One.\n\nTwo.\n\nhalf a sentence");
});

it("gives the queue back when the server ends, and offers to go on", async () => {
  open({ ...READY, turnId: "t1", queued: [prompt("q1", "One.")] });
  act({ type: "serverLost", message: "The server ended." });
  expect(field().value).toBe("One.");
  await drawn();
  button("Continue").click();
  expect(posts.at(-1)).toEqual({ type: "retry" });
});
