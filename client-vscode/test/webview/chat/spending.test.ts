import { expect, it } from "vitest";
import type { ToolEntry } from "../../../src/session/state";
import { call } from "../../values";
import { one, open, READY } from "./openPage";

// @vitest-environment jsdom

const spend = { scope: "turn", unit: "tokens", limit: 2_400, spent: 2_000, next: 600 } as const;
const title = "Spend more than 2,400 tokens in this turn";
const asked: ToolEntry = {
  kind: "tool",
  id: "q1",
  turnId: "t1",
  call: call({ name: "spend_limit", title, detail: { spend } }),
  status: "waiting",
  permission: {
    requestId: "q1",
    options: [
      { optionId: "allowOnce", name: "Go on, for another 2.00 US dollars", kind: "allowOnce" },
      { optionId: "rejectOnce", name: "Stop", kind: "rejectOnce" },
    ],
  },
};

it("asks whether more may be spent, in the words of the server", () => {
  open({ ...READY, entries: [asked] });
  expect(one(".question-title").textContent).toContain(title);
  const buttons = [...document.querySelectorAll<HTMLElement>(".choices button")];
  expect(buttons.map((button) => button.textContent)).toEqual([
    "Go on, for another 2.00 US dollars",
    "Stop",
  ]);
  expect(buttons.map((button) => button.dataset.action)).toEqual(["answer", "answer"]);
  expect(document.querySelector("form.reason")).toBeNull();
});
