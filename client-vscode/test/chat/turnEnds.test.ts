import { expect, it } from "vitest";
import { isTold, TurnEnds } from "../../src/chat/turnEnds";
import type { StopReason } from "../../src/protocol";

const own = {};
const agent = { agent: { callerId: "s" } } as never;

it("knows how long a turn took, once, and not of one that it has not seen begin", () => {
  const ends = new TurnEnds();
  const ended = (turnId: string, stopReason: StopReason = "endTurn") =>
    ({ kind: "turnEnded", turnId, stopReason }) as const;
  expect(ends.hear(ended("t0"), 5)).toBeUndefined();
  expect(ends.hear({ kind: "turnStarted", turnId: "t1" }, 1_000)).toBeUndefined();
  expect(ends.hear(ended("t0"), 40_000)).toBeUndefined();
  expect(ends.hear(ended("t1"), 41_000)).toBe(40_000);
  expect(ends.hear(ended("t1"), 42_000)).toBeUndefined();
  ends.hear({ kind: "turnStarted", turnId: "t2" }, 0);
  expect(ends.hear(ended("t2", "cancelled"), 90_000)).toBeUndefined();
});

it.each([
  ["a long one, unseen", true, 30_000, 30, own, false],
  ["a short one", false, 29_999, 30, own, false],
  ["the window is in front", false, 90_000, 30, own, true],
  ["switched off", false, 90_000, 0, own, false],
  ["that of a subagent", false, 90_000, 30, agent, false],
  ["none has ended", false, undefined, 30, own, false],
] as const)("tells an end: %s", (_, told, took, seconds, session, focused) => {
  expect(isTold(took, seconds, session, focused)).toBe(told);
});
