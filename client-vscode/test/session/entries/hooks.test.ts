import { expect, it } from "vitest";
import { reduce } from "../../../src/session/reduce";
import { EMPTY_STATE } from "../../../src/session/state";

function told(decision?: string) {
  const update = {
    kind: "hook",
    turnId: "t1",
    event: "PreToolUse",
    name: "check *all*",
    milliseconds: 1234,
    ...(decision ? { decision } : {}),
  } as const;
  return reduce(EMPTY_STATE, { type: "update", seq: 1, update }).entries;
}

it("tells each run of a hook on a line, its name as it is", () => {
  expect(told()).toMatchObject([
    { kind: "notice", level: "info", markdown: "PreToolUse hook check \\*all\\*, 1.2 s" },
  ]);
});

it("stresses what holds something back, and knows decisions to come by their name", () => {
  expect(told("deny")).toMatchObject([{ level: "warning" }]);
  expect(told("failed")).toMatchObject([{ level: "warning" }]);
  expect(told("changed")).toMatchObject([{ level: "info" }]);
  expect(JSON.stringify(told("constructor"))).toContain("constructor");
});
