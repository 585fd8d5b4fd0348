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

it("offers Retry and Edit of a turn that was stopped, and of one that failed", async () => {
  const stopped: Entry = {
    kind: "notice",
    id: "ended.t2",
    level: "info",
    markdown: "Stopped.",
    retry: true,
  };
  const failed: Entry = {
    kind: "error",
    id: "error.t2",
    errorKind: "x",
    message: "No.",
    retry: true,
  };
  const cut: Entry = { ...failed, interrupted: true };
  const prompt: Entry = { kind: "user", id: "m3", text: "And now?", attachments: [] };
  const offered = async (end: Entry) => {
    open({ ...READY, entries: [prompt, end] });
    await drawn();
    return [...document.querySelectorAll<HTMLElement>(".choices button")].map(
      ({ textContent, dataset }) => [textContent, dataset.how ?? dataset.action, dataset.message],
    );
  };
  expect(await offered(stopped)).toEqual([
    ["Retry", "retry", "ended.t2"],
    ["Edit", "edit", "ended.t2"],
  ]);
  const edit = ["Edit", "edit", "error.t2"];
  expect(await offered(failed)).toEqual([["Retry", "retry", undefined], edit]);
  expect(await offered(cut)).toEqual([
    ["Continue", "retry", undefined],
    ["Retry", "retry", "error.t2"],
    edit,
  ]);
});
