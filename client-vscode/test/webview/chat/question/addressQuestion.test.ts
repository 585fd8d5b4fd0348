import { expect, it } from "vitest";
import type { ToolEntry } from "../../../../src/session/state";
import { call } from "../../../values";
import { one, open, READY } from "../openPage";

// @vitest-environment jsdom

const addressChange = { known: "http://127.0.0.1:8080", now: "https://api.example.org" };
const title = `So far this session went to ${addressChange.known}. Send all of it to ${addressChange.now}?`;
const asked: ToolEntry = {
  kind: "tool",
  id: "q1",
  turnId: "t1",
  call: call({ name: "address", kind: "address", title, detail: { addressChange } }),
  status: "waiting",
  permission: {
    requestId: "q1",
    options: [
      { optionId: "allowOnce", name: "Send it there", kind: "allowOnce" },
      { optionId: "rejectOnce", name: "Send nothing", kind: "rejectOnce" },
    ],
  },
};

it("asks in plain words whether a session may go to another address", () => {
  open({ ...READY, entries: [asked] });
  expect(one(".question-title").textContent).toContain(title);
  const buttons = [...document.querySelectorAll<HTMLElement>(".choices button")];
  expect(buttons.map((button) => button.textContent)).toEqual(["Send it there", "Send nothing"]);
  expect(buttons.map((button) => button.dataset.option)).toEqual(["allowOnce", "rejectOnce"]);
  expect(document.querySelector("form.reason")).toBeNull();
});
