import { expect, it } from "vitest";
import { reduce } from "../../src/session/reduce";
import { EMPTY_STATE, type ToolEntry } from "../../src/session/state";
import { call, message, session } from "../values";

const detail = { diff: "@@ -1,1 +1,2 @@\n a\n+b" };
const live: ToolEntry = {
  kind: "tool",
  id: "c1",
  turnId: "t1",
  status: "completed",
  call: call({ kind: "edit", detail, locations: [{ uri: "file:///w/a.py" }] }),
};
const { detail: _unkept, ...bare } = live.call;
const asked = message({
  id: "m2",
  role: "assistant",
  parts: [{ itemId: "m2.0", type: "toolCall", toolCall: bare, state: "verbatim" }],
});

it("keeps the change of a call, and the list of changed files, when its session is loaded again", () => {
  const open = { ...EMPTY_STATE, session: session(), entries: [live], turnId: "t1" };
  const ended = { kind: "turnEnded", turnId: "t1", stopReason: "endTurn" } as const;
  const before = reduce(open, { type: "update", seq: 1, update: ended });
  const load = { type: "loaded", session: session(), messages: [asked], seq: 2 } as const;
  expect(reduce(before, load).entries).toMatchObject([
    { kind: "tool", call: { detail } },
    { kind: "changes", files: [{ added: 1, removed: 0 }] },
  ]);
  const other = reduce(before, { ...load, session: session({ id: "s2" }) });
  expect(other.entries).toMatchObject([{ kind: "tool" }]);
  expect(other.entries[0]).not.toHaveProperty("call.detail");
});
