import { expect, it } from "vitest";
import type { ToolEntry } from "../../../src/session/state";
import { call } from "../../values";
import { act, drawn, one, open, READY } from "./openPage";

// @vitest-environment jsdom

const { detail: _none, ...command } = call({ name: "shell", kind: "execute", arguments: {} });
const running: ToolEntry = {
  kind: "tool",
  id: "c1",
  turnId: "t1",
  call: command,
  status: "running",
};
const update = { kind: "toolUpdate", turnId: "t1", toolCallId: "c1" } as const;

it("shows the last lines of a command that runs, and folds its whole output at the end", async () => {
  open({ ...READY, entries: [running] });
  const lines = (last: number) => Array.from({ length: 10 }, (_, n) => last - 9 + n).join("\n");
  for (const [seq, last] of [30, 40].entries()) {
    const output = lines(last);
    act({ type: "update", seq: seq + 1, update: { ...update, status: "running", output } });
    await drawn();
    expect(one(".tool .output.live").textContent).toBe(output);
  }
  const whole = "1\n2\n[exit code: 0]";
  act({ type: "update", seq: 3, update: { ...update, status: "completed", output: whole } });
  await drawn();
  expect(document.querySelector(".output.live")).toBeNull();
  expect(one("details.tool .output").textContent).toBe(whole);
  expect(one("details.tool").hasAttribute("open")).toBe(false);
});
