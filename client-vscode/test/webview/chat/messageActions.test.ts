import { expect, it } from "vitest";
import type { Entry } from "../../../src/session/state";
import { button, drawn, open, posts, READY } from "./openPage";

// @vitest-environment jsdom

const ENTRIES: Entry[] = [
  { kind: "user", id: "m1", text: "Fix it.", attachments: [] },
  {
    kind: "answer",
    id: "m2",
    turnId: "t1",
    text: "Done.",
    reasoning: "",
    streaming: false,
  },
];

it.each([
  ["Edit", "m1", "edit"],
  ["Fork from here", "m1", "fork"],
  ["Go back to here", "m1", "goBack"],
  ["Copy", "m2", "copy"],
  ["Retry", "m2", "retry"],
])("offers %s, and names the message", async (name, id, how) => {
  open({ ...READY, entries: ENTRIES });
  await drawn();
  button(name).click();
  expect(posts.at(-1)).toEqual({ type: "message", id, how });
});

it("offers nothing of an answer that still streams", async () => {
  const [prompt, answer] = ENTRIES as [Entry, Entry & { kind: "answer" }];
  open({ ...READY, entries: [prompt, { ...answer, streaming: true }] });
  await drawn();
  expect(document.querySelectorAll("[data-how=copy]")).toHaveLength(0);
});
