import { expect, it, vi } from "vitest";
import type { ToolEntry } from "../../../src/session/state";
import { call } from "../../values";
import { act, button, drawn, one, open, posts, READY } from "./openPage";

// @vitest-environment jsdom

const { detail: _none, ...command } = call({
  name: "shell",
  kind: "execute",
  arguments: { command: "make" },
});
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
  button("Show all so far").click();
  expect(posts.at(-1)).toEqual({ type: "showOutput", toolCallId: "c1" });
  const few = { status: "running", output: "1\n2" } as const;
  act({ type: "update", seq: 3, update: { ...update, ...few } });
  await drawn();
  expect(document.querySelector(".show-all")).toBeNull();
  const whole = "1\n2\n[exit code: 3]";
  const end = { status: "failed", output: whole, exitCode: 3, milliseconds: 83_400 };
  act({ type: "update", seq: 4, update: { ...update, ...end } });
  await drawn();
  expect(document.querySelector(".output.live")).toBeNull();
  expect(one("details.tool .output").textContent).toBe(whole);
  expect(one("details.tool").hasAttribute("open")).toBe(false);
  expect(one("details.tool summary").textContent).toBe(
    "✕failed, exit code 3: Runmakeexit 31 min 23 s",
  );
  expect(document.querySelector("[data-detail=exact]")).toBeNull();
});

it("says in its line what a search found", async () => {
  open({ ...READY, entries: [running] });
  const counts = { matches: 2, files: 1 };
  const end = { status: "completed", output: "a.py:1:x\na.py:2:x", counts } as const;
  act({ type: "update", seq: 1, update: { ...update, ...end } });
  await drawn();
  expect(one("details.tool summary .brought").textContent).toBe("2 matches in 1 file");
});

it("offers all of an output that a card has not in sight", () => {
  const output = "line\n".repeat(40);
  open({ ...READY, entries: [{ ...running, status: "completed", output, itemId: "m1.0" }] });
  button("Show all").click();
  expect(posts.at(-1)).toEqual({ type: "showOutput", toolCallId: "c1" });
  open({ ...READY, entries: [{ ...running, status: "completed", output: "2", itemId: "m1.0" }] });
  expect(document.querySelector(".show-all")).toBeNull();
});

it("draws a build of 12,000 lines with bounded nodes, once a frame", async () => {
  open({ ...READY, turnId: "t1", entries: [running] });
  const frames = vi.spyOn(globalThis, "requestAnimationFrame");
  const line = (number: number) => `${number} ${"x".repeat(290)}\u202E`;
  for (let last = 1; last <= 12_000; last += 10) {
    const output = Array.from({ length: 10 }, (_, n) => line(last + n)).join("\n");
    act({ type: "update", seq: last, update: { ...update, status: "running", output } });
  }
  expect(frames).toHaveBeenCalledTimes(1);
  await drawn();
  expect(one(".output.live").textContent).toContain("12000 xxx");
  expect(document.querySelectorAll("*").length).toBeLessThan(150);
  vi.restoreAllMocks();
});
