import { expect, it } from "vitest";
import { type Action, reduce } from "../../../src/session/reduce";
import { EMPTY_STATE, type ToolEntry } from "../../../src/session/state";
import { call, message, session } from "../../values";

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
  const load: Action = { type: "loaded", session: session(), messages: [asked], seq: 2 };
  expect(reduce(before, load).entries).toMatchObject([
    { kind: "tool", call: { detail } },
    { kind: "changes", files: [{ added: 1, removed: 0 }] },
  ]);
  const other = reduce(before, { ...load, session: session({ id: "s2" }) });
  expect(other.entries).toMatchObject([{ kind: "tool" }]);
  expect(other.entries[0]).not.toHaveProperty("call.detail");
});

it("keeps what had streamed as the server ended, frees the turn and offers to go on", () => {
  const open = { ...EMPTY_STATE, session: session(), turnId: "t1" };
  const delta = { kind: "textDelta", turnId: "t1", messageId: "m9", text: "It is in" } as const;
  const streaming = reduce(open, { type: "update", seq: 1, update: delta });
  const lost = reduce(streaming, { type: "serverLost", message: "The server ended." });
  const again = reduce(lost, { type: "loaded", session: session(), messages: [message()], seq: 0 });
  expect(again.turnId).toBeUndefined();
  expect(again.entries).toMatchObject([
    { kind: "user" },
    { kind: "answer", text: "It is in", streaming: false },
    { kind: "error", message: "The server ended.", retry: true, interrupted: true },
  ]);
});

it("keeps the place of what had streamed when the server ends once more", () => {
  const messages = [message(), message({ id: "m5" })];
  const load: Action = { type: "loaded", session: session(), messages, seq: 0 };
  const both = reduce({ ...EMPTY_STATE, session: session() }, load);
  const delta = { kind: "textDelta", turnId: "t1", messageId: "m4", text: "It is" } as const;
  const streaming = reduce({ ...both, turnId: "t1" }, { type: "update", seq: 1, update: delta });
  const lost = reduce(streaming, { type: "serverLost", message: "The server ended." });
  const [first, second, cut] = lost.entries;
  const before = [first, cut, second].filter((entry) => entry !== undefined);
  const again = reduce({ ...lost, entries: before }, load);
  expect(again.entries.map(({ id }) => id)).toEqual(["m1", "m4", "m5"]);
});

it("shows again what stood beside the conversation, each in its place", () => {
  const shown = [
    {
      at: "2026-11-21T10:00:30Z",
      update: { kind: "notice", level: "info", markdown: "Costs 3.", command: "/cost" },
    },
    {
      at: "2026-11-21T10:01:30Z",
      afterMessageId: "m1",
      update: { kind: "turnEnded", turnId: "t1", stopReason: "interrupted" },
    },
  ] as const;
  const messages = [message()];
  const load: Action = { type: "loaded", session: session(), messages, seq: 0, shown: [...shown] };
  expect(reduce(EMPTY_STATE, load).entries).toMatchObject([
    { kind: "command", text: "/cost" },
    { kind: "notice", markdown: "Costs 3." },
    { kind: "user" },
    { kind: "error", interrupted: true, retry: true },
  ]);
});

it("offers the undo of a rewind again, until something new is said", () => {
  const update = { kind: "notice", level: "info", markdown: "It left.", data: { undo: "w1" } };
  const shown = [{ at: "2026-11-21T10:01:30Z", afterMessageId: "m1", update }] as const;
  const loaded = { session: session(), messages: [message()], seq: 0, shown: [...shown] };
  const state = reduce(EMPTY_STATE, { type: "loaded", ...loaded } as Action);
  expect(state.entries.at(-1)).toMatchObject({ markdown: "It left.", undo: "w1" });
  const started = { kind: "turnStarted", turnId: "t2" } as const;
  const next = reduce(state, { type: "update", seq: 1, update: started });
  expect(next.entries.at(-1)).not.toHaveProperty("undo");
});

it("lets only the newest of what was shown be tried again, and says what runs here", () => {
  const error = { kind: "providerUnavailable", message: "No connection." };
  const update = { kind: "turnEnded", turnId: "t0", stopReason: "error", error } as const;
  const shown = [{ at: "2026-11-21T10:01:30Z", afterMessageId: "m0", update }];
  const messages = [message({ id: "m0" }), message()];
  const loaded = { session: session(), messages, seq: 0, shown, runningTurnId: "t1" };
  const state = reduce(EMPTY_STATE, { type: "loaded", ...loaded });
  expect(state.turnId).toBe("t1");
  expect(state.entries[1]).toMatchObject({ kind: "error" });
  expect(state.entries[1]).not.toHaveProperty("retry");
});
