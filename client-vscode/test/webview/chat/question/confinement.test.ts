import { expect, it } from "vitest";
import type { ToolEntry } from "../../../../src/session/state";
import { call } from "../../../values";
import { one, open, READY } from "../openPage";

// @vitest-environment jsdom

const confinement = {
  rung: "bubblewrap",
  coverage: "full",
  network: false,
  summary: "sandboxed: writes only in this folder, no network",
} as const;
const permission = {
  requestId: "q1",
  options: [{ optionId: "allowOnce", name: "Allow once", kind: "allowOnce" }],
};
const asked: ToolEntry = {
  kind: "tool",
  id: "c1",
  turnId: "t1",
  call: call({ detail: { command: "make test", confinement } }),
  status: "waiting",
  permission,
};

it("says in the question what a command is kept from", () => {
  open({ ...READY, entries: [asked] });
  const line = one(".question .confinement");
  expect(line.textContent).toBe("sandboxed: writes only in this folder, no network");
  expect(line.dataset.coverage).toBe("full");
});

it("says nothing of it where nothing is known", () => {
  open({ ...READY, entries: [{ ...asked, call: call() }] });
  expect(document.querySelector(".confinement")).toBeNull();
});

it("says of a failed command that the sandbox may be why", () => {
  const failed = { kind: "tool", id: "c1", turnId: "t1", call: call(), status: "failed" } as const;
  open({ ...READY, entries: [{ ...failed, heldBack: "network", output: "no route" }] });
  expect(one(".held-back").textContent).toBe("perhaps as it has no network");
});
