import { expect, it } from "vitest";
import { OtherSessions } from "../../src/chat/otherSessions";
import type { SessionUpdate } from "../../src/protocol";
import { session } from "../values";

const ended = (stopReason: string, fields = {}): SessionUpdate => ({
  kind: "turnEnded",
  turnId: "t1",
  stopReason,
  ...fields,
});
const said = (others: OtherSessions, update: SessionUpdate, shown = "s2") =>
  others.hear({ sessionId: "s1", seq: 1, update }, shown);

function knowing(fields = {}): OtherSessions {
  const others = new OtherSessions();
  others.know(session(fields));
  return others;
}

it.each([
  [ended("endTurn"), "“Repair the build” is done."],
  [ended("spendLimit"), "“Repair the build” stopped before it was done."],
  [
    ended("error", { error: { kind: "providerAuth", message: "No key." } }),
    "“Repair the build” ended with an error.",
  ],
  [ended("cancelled"), undefined],
  [{ kind: "turnStarted", turnId: "t1" } as const, undefined],
])("tells the end of a turn in the background (%#)", (update, text) => {
  expect(said(knowing(), update)).toBe(text);
});

it("says nothing of the session that is shown, and nothing of a subagent", () => {
  expect(said(knowing(), ended("endTurn"), "s1")).toBeUndefined();
  expect(said(knowing({ agent: "explore", parentId: "s2" }), ended("endTurn"))).toBeUndefined();
});

it("knows the title that a session has taken on since", () => {
  const others = knowing({ title: "" });
  said(others, { kind: "sessionChanged", session: session({ title: "Mend the parser" }) });
  expect(said(others, ended("endTurn"))).toBe("“Mend the parser” is done.");
  expect(others.titleOf("s9")).toBe("“Untitled session”");
});
