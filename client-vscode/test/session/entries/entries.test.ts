import { expect, it } from "vitest";
import { messageBefore, promptOf, withMessage } from "../../../src/session/entries/entries";
import type { Entry } from "../../../src/session/state";
import { call } from "../../values";

const user = (id: string): Entry => ({ kind: "user", id, text: id, attachments: [] });
const answer = (id: string): Entry => ({
  kind: "answer",
  id,
  turnId: "t",
  text: id,
  reasoning: "",
  streaming: false,
});
const tool = (itemId?: string): Entry => ({
  kind: "tool",
  id: "c1",
  turnId: "t",
  call: call(),
  status: "completed",
  ...(itemId ? { itemId } : {}),
});

it("goes back to what was said last before a prompt, a result too", () => {
  const entries = [user("m1"), answer("m2"), user("m3"), tool("m5.0"), user("m6")];
  expect(messageBefore(entries, "m1")).toBeNull();
  expect(messageBefore(entries, "m3")).toBe("m2");
  expect(messageBefore(entries, "m6")).toBe("m5");
  expect(messageBefore([user("m1"), tool(), user("m6")], "m6")).toBeUndefined();
});

it("finds the prompt that an answer belongs to", () => {
  const entries = [user("m1"), answer("m2"), user("m3"), answer("m4")];
  expect(promptOf(entries, "m2")?.id).toBe("m1");
  expect(promptOf(entries, "m3")?.id).toBe("m3");
});

it("shows of what went along with a prompt the names, not the texts", () => {
  const part = { state: "verbatim", type: "text" };
  const parts = [
    { ...part, itemId: "m1.0", text: "Why?" },
    { ...part, itemId: "m1.1", text: "[attached a.py:3-5]\nx", attached: "a.py:3-5" },
    { ...part, itemId: "m1.2", type: "image", text: "iVBO" },
  ];
  const message = { id: "m1", role: "user", turnId: "t", at: "2026-01-01T00:00:00Z", parts };
  expect(withMessage([], message)).toEqual([
    {
      kind: "user",
      id: "m1",
      at: "2026-01-01T00:00:00Z",
      text: "Why?",
      attachments: ["a.py:3-5", "attached image"],
    },
  ]);
});
