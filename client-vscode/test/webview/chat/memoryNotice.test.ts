import { expect, it } from "vitest";
import type { Notice } from "../../../src/protocol";
import { memory } from "../../values";
// @vitest-environment jsdom
import { act, button, drawn, one, open, posts } from "./openPage";

const kept = memory({ id: "k525", title: "Deploy on *Tuesdays*", state: "active" });
const waiting = { ...kept, state: "inbox" };
const notice = (data: unknown, command?: string): Notice => ({
  kind: "notice",
  level: "info",
  markdown: "Remembered: “Deploy” `/forget k525` undoes it.",
  data,
  ...(command === undefined ? {} : { command }),
});

async function shown(...notices: Notice[]): Promise<string> {
  open();
  notices.forEach((update, index) => {
    act({ type: "update", seq: index + 1, update });
  });
  await drawn();
  return one(".notice").textContent ?? "";
}

it.each([
  [notice({ memory: kept }), "Saved for this project: “Deploy on *Tuesdays*”", "Undo", "forget"],
  [
    notice({ memory: kept }, "/remember Deploy on *Tuesdays*"),
    "Saved for this project: “Deploy on *Tuesdays*”",
    "Undo",
    "forget",
  ],
  [
    notice({ memory: waiting }),
    "Remember this for later sessions? “Deploy on *Tuesdays*”",
    "Save",
    "accept",
  ],
  [
    notice({ memory: waiting }),
    "Remember this for later sessions? “Deploy on *Tuesdays*”",
    "No",
    "reject",
  ],
])("says a memory without its id, with a button (%#)", async (update, text, name, answer) => {
  expect(await shown(update)).toContain(text);
  expect(one(".notice").textContent).not.toContain("k525");
  button(name).click();
  expect(posts.at(-1)).toEqual({ type: "memory", id: "k525", answer });
});

it("offers no button twice, and says what came of it", async () => {
  await shown(notice({ memory: kept }));
  act({ type: "memoryAnswered", id: "k525", answer: "forget" });
  await drawn();
  expect(one(".notice").textContent?.trim()).toBe("Not saved any more: “Deploy on *Tuesdays*”");
  expect(document.querySelectorAll(".notice button")).toHaveLength(0);
});

it("leaves what other commands say of a memory", async () => {
  expect(await shown(notice({ memory: kept }, "/forget k525"))).toContain("/forget k525");
});
