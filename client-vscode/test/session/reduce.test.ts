import { describe, expect, it } from "vitest";
import type { Meter, Receipt, SessionUpdate } from "../../src/protocol";
import { type Action, hasGap, reduce } from "../../src/session/reduce";
import { type ChatState, EMPTY_STATE, type Entry } from "../../src/session/state";
import { call, message, meter, receipt, session } from "../values";

function fold(actions: readonly Action[], start: ChatState = EMPTY_STATE): ChatState {
  return actions.reduce(reduce, start);
}

function updates(...all: SessionUpdate[]): Action[] {
  return all.map((update, index) => ({ type: "update", seq: index + 1, update }));
}

const turn = { turnId: "t1" };

describe("a turn", () => {
  it("joins the deltas of a message and ends its streaming with the turn", () => {
    const state = fold(
      updates(
        { kind: "turnStarted", ...turn },
        { kind: "reasoningDelta", ...turn, messageId: "m2", text: "Hm." },
        { kind: "textDelta", ...turn, messageId: "m2", text: "The total " },
        { kind: "textDelta", ...turn, messageId: "m2", text: "is wrong." },
        { kind: "turnEnded", ...turn, stopReason: "endTurn" },
      ),
    );
    expect(state.entries).toEqual([
      {
        kind: "answer",
        id: "m2",
        turnId: "t1",
        text: "The total is wrong.",
        reasoning: "Hm.",
        streaming: false,
      },
    ]);
    expect(state.turnId).toBeUndefined();
    expect(state.seq).toBe(5);
  });

  it("keeps every entry that an update does not touch", () => {
    const before = fold(
      updates(
        { kind: "message", message: message() },
        { kind: "textDelta", ...turn, messageId: "m2", text: "a" },
      ),
    );
    const after = reduce(before, {
      type: "update",
      seq: 3,
      update: { kind: "textDelta", ...turn, messageId: "m2", text: "b" },
    });
    expect(after.entries[0]).toBe(before.entries[0]);
    expect(after.entries[1]).not.toBe(before.entries[1]);
  });

  it("follows a tool call from its start to its output", () => {
    const state = fold(
      updates(
        { kind: "toolCall", ...turn, toolCall: call() },
        { kind: "toolUpdate", ...turn, toolCallId: "c1", status: "running" },
        {
          kind: "toolUpdate",
          ...turn,
          toolCallId: "c1",
          status: "completed",
          output: "ok",
          itemId: "m3.0",
        },
      ),
    );
    expect(state.entries).toEqual([
      {
        kind: "tool",
        id: "c1",
        turnId: "t1",
        call: call(),
        status: "completed",
        output: "ok",
        itemId: "m3.0",
      },
    ]);
  });

  it("shows why it ended badly, with the remedy", () => {
    const error = { kind: "providerAuth", message: "The key was refused.", remedy: "Set it." };
    const state = fold(updates({ kind: "turnEnded", ...turn, stopReason: "error", error }));
    expect(state.entries).toEqual([
      {
        kind: "error",
        id: "error.t1",
        errorKind: "providerAuth",
        message: "The key was refused.",
        remedy: "Set it.",
        retry: true,
      },
    ]);
  });

  it("shows one box for one cause", () => {
    const error = { kind: "providerUnavailable", message: "No connection." };
    const ended = { kind: "turnEnded", stopReason: "error", error } as const;
    const state = fold(updates({ ...ended, turnId: "t1" }, { ...ended, turnId: "t2" }));
    expect(state.entries).toMatchObject([{ kind: "error", id: "error.t2" }]);
  });

  it("lets only the newest failure be tried again", () => {
    const error = { kind: "providerUnavailable", message: "No connection." };
    const ended = { kind: "turnEnded", ...turn, stopReason: "error", error } as const;
    const state = fold(updates(ended, { kind: "turnStarted", turnId: "t2" }));
    expect(state.entries[0]).not.toHaveProperty("retry");
  });

  it("names settings as the Settings editor does", () => {
    const markdown = "Set `model.context_window` to it.";
    const data = { settings: ["model.context_window"] };
    const told = { kind: "notice", level: "warning", markdown, data } as const;
    expect(fold(updates(told)).entries).toMatchObject([
      { markdown: "Set “Model: Context Window” to it.", settings: data.settings },
    ]);
  });

  it.each(["loop", "stepLimit", "spendLimit"])("leaves why it ended by %s to the server", (why) => {
    const markdown = "Stopped: … Send a message to go on.";
    const told = { kind: "notice", turnId: "t1", level: "warning", markdown } as const;
    const state = fold(updates(told, { kind: "turnEnded", ...turn, stopReason: why }));
    expect(state.entries).toMatchObject([{ kind: "notice", level: "warning", markdown }]);
  });

  it("says that it was stopped", () => {
    const state = fold(updates({ kind: "turnEnded", ...turn, stopReason: "cancelled" }));
    expect(state.entries).toMatchObject([{ kind: "notice", markdown: "Stopped." }]);
  });
});

describe("a question", () => {
  const options = [{ optionId: "yes", name: "Allow once", kind: "allowOnce" }];
  const asked: Action = {
    type: "permissionRequested",
    requestId: "q1",
    sessionId: "s1",
    turnId: "t1",
    toolCall: call(),
    options,
  };

  const open: ChatState = { ...EMPTY_STATE, session: session() };

  it("stands in the card of its call, also when it comes before the call", () => {
    const state = fold([asked, ...updates({ kind: "toolCall", ...turn, toolCall: call() })], open);
    expect(state.entries).toMatchObject([
      { id: "c1", status: "waiting", permission: { requestId: "q1", options } },
    ]);
  });

  it("goes when it is answered", () => {
    const [entry] = fold([asked, { type: "permissionAnswered", requestId: "q1" }], open).entries;
    expect(entry).not.toHaveProperty("permission");
  });

  it("goes when the call runs, whoever allowed it", () => {
    const [entry] = fold(
      [asked, ...updates({ kind: "toolUpdate", ...turn, toolCallId: "c1", status: "running" })],
      open,
    ).entries;
    expect(entry).not.toHaveProperty("permission");
  });

  it("of another session stays out of this one's transcript", () => {
    expect(reduce({ ...EMPTY_STATE, session: session({ id: "s2" }) }, asked).entries).toEqual([]);
  });
});

describe("loading", () => {
  const answer = message({
    id: "m2",
    role: "assistant",
    at: "2026-11-21T10:01:30Z",
    parts: [
      { itemId: "m2.0", type: "text", text: "I run it.", state: "verbatim" },
      { itemId: "m2.1", type: "toolCall", toolCall: call(), state: "verbatim" },
    ],
  });
  const result = message({
    id: "m3",
    role: "tool",
    at: "2026-11-21T10:01:40Z",
    parts: [
      { itemId: "m3.0", type: "toolResult", text: "ok", toolCall: call(), state: "truncated" },
    ],
  });
  const loaded: Action = {
    type: "loaded",
    session: session(),
    messages: [message(), answer, result],
    seq: 7,
  };

  it("knows a call that failed", () => {
    const parts = result.parts.map((part) => ({ ...part, failed: true }));
    const [, , tool] = fold([
      { ...loaded, messages: [message(), answer, { ...result, parts }] },
    ]).entries;
    expect(tool).toMatchObject({ kind: "tool", status: "failed" });
  });

  it("makes the same transcript as living through it", () => {
    const lived = fold(
      updates(
        { kind: "message", message: message() },
        { kind: "textDelta", ...turn, messageId: "m2", text: "I run it." },
        { kind: "toolCall", ...turn, toolCall: call() },
        { kind: "message", message: answer },
        {
          kind: "toolUpdate",
          ...turn,
          toolCallId: "c1",
          status: "completed",
          output: "ok",
          itemId: "m3.0",
        },
        { kind: "message", message: result },
      ),
    );
    expect(fold([loaded]).entries).toEqual(lived.entries);
  });

  it("goes on with an answer of which something has come", () => {
    const come = { ...turn, messageId: "m3" };
    const state = fold([
      { ...loaded, answer: { ...come, text: "It ", reasoning: "Hm." } },
      { type: "update", seq: 8, update: { kind: "textDelta", ...come, text: "runs." } },
    ]);
    expect(state.entries.at(-1)).toMatchObject({
      id: "m3",
      text: "It runs.",
      reasoning: "Hm.",
      streaming: true,
    });
  });

  it("brings the agent's tasks along", () => {
    const tasks = [{ title: "Sail", status: "pending", children: [] }];
    const lived = fold([loaded, ...updates({ kind: "tasks", tasks })]);
    expect(lived.tasks).toEqual(tasks);
    expect(reduce(lived, loaded).tasks).toEqual(tasks);
    expect(reduce(lived, { ...loaded, tasks: [] }).tasks).toEqual([]);
  });

  it("takes the place of what another session showed", () => {
    const other = fold([
      { type: "loaded", session: session({ id: "s0" }), messages: [message({ id: "x" })], seq: 1 },
      { type: "meter", meter: meter() },
    ]);
    const state = reduce(other, loaded);
    expect(state.entries.map(({ id }) => id)).toEqual(["m1", "m2", "c1"]);
    expect(state.meter).toBeUndefined();
    expect(state.seq).toBe(7);
  });

  it("puts a receipt where it happened", () => {
    const late = message({ id: "m4", at: "2026-11-21T10:05:00Z" });
    const state = fold([
      { ...loaded, messages: [message(), late] },
      { type: "receipts", receipts: [receipt({ at: "2026-11-21T10:02:00Z" })] },
    ]);
    expect(state.entries.map(({ kind }) => kind)).toEqual(["user", "receipt", "user"]);
  });

  it("changes a receipt that is shown already in its place", () => {
    const state = fold([
      loaded,
      { type: "receipts", receipts: [receipt()] },
      { type: "receipts", receipts: [receipt({ undone: true })] },
    ]);
    const shown = state.entries.filter((entry) => entry.kind === "receipt");
    expect(shown).toMatchObject([{ receipt: { undone: true } }]);
  });
});

describe("a planned compaction", () => {
  const planned = receipt({ id: "pending", stage: "digest", status: "planned" });
  const announced = updates(
    { kind: "message", message: message() },
    { kind: "reductionPlanned", receipt: planned },
  );
  const kinds = (actions: Action[]) => fold(actions).entries.map(({ kind, id }) => `${kind} ${id}`);

  it("stands at the end, once, however often it is announced", () => {
    const again = [
      { kind: "message", message: message({ id: "m9" }) },
      { kind: "reductionPlanned", receipt: planned },
    ] as const;
    expect(kinds([...announced, ...updates(...again)])).toEqual([
      "user m1",
      "user m9",
      "receipt pending",
    ]);
  });

  it("says how long it was put off, until it is announced anew", () => {
    const later = [...announced, { type: "postponed", until: "later" } as const];
    expect(fold(later).entries[1]).toMatchObject({ until: "later" });
    const anew = fold([...later, ...announced]).entries.at(-1);
    expect(anew).not.toHaveProperty("until");
  });

  it("gives way when the load is no longer near the line", () => {
    const loaded = (zone: Meter["zone"]) =>
      kinds([...announced, { type: "meter", meter: meter({ zone }) }]);
    expect(loaded("warning")).toEqual(["user m1", "receipt pending"]);
    expect(loaded("ok")).toEqual(["user m1"]);
  });

  it("gives way to the compaction, and to no other reduction", () => {
    const done = (stage: Receipt["stage"]) =>
      kinds([...announced, ...updates({ kind: "reduction", receipt: receipt({ stage }) })]);
    expect(done("digest")).toEqual(["user m1", "receipt e1"]);
    expect(done("prune")).toEqual(["user m1", "receipt pending", "receipt e1"]);
  });
});

describe("heldTokens", () => {
  const item = {
    id: "m3.0",
    kind: "toolResults",
    title: "make test",
    tokens: 3104,
    originalTokens: 51_200,
    state: "truncated",
    turn: 1,
    pinned: false,
  } as const;
  const done = fold(
    updates(
      { kind: "toolCall", ...turn, toolCall: call() },
      {
        kind: "toolUpdate",
        ...turn,
        toolCallId: "c1",
        status: "completed",
        output: "ok",
        itemId: "m3.0",
      },
    ),
  );

  it("reach the card of the call whose result they count", () => {
    const [entry] = reduce(done, { type: "heldTokens", items: [item] }).entries;
    expect(entry).toMatchObject({
      heldTokens: { tokens: 3104, originalTokens: 51_200, state: "truncated" },
    });
  });

  it("leave a card alone that weighs the same", () => {
    const once = reduce(done, { type: "heldTokens", items: [item] });
    const twice = reduce(once, { type: "heldTokens", items: [item] });
    expect(twice.entries[0]).toBe(once.entries[0]);
  });
});

it("ignores kinds of updates of a later version", () => {
  const later = { kind: "somethingNew" } as unknown as SessionUpdate;
  const state = reduce(EMPTY_STATE, { type: "update", seq: 1, update: later });
  expect(state).toEqual({ ...EMPTY_STATE, seq: 1 });
});

it("keeps its transcript when another session is announced", () => {
  const state = fold([
    { type: "loaded", session: session(), messages: [message()], seq: 0 },
    ...updates({ kind: "sessionChanged", session: session({ id: "s2" }) }),
  ]);
  expect(state.session?.id).toBe("s1");
});

it("sees a gap in the stream", () => {
  expect([1, 2, 3].map((seq) => hasGap({ ...EMPTY_STATE, seq: 1 }, seq))).toEqual([
    false,
    false,
    true,
  ]);
});

it("never touches the state that it is given", () => {
  const frozen = Object.freeze({ ...EMPTY_STATE, entries: Object.freeze([] as Entry[]) });
  const state = reduce(frozen, updates({ kind: "message", message: message() })[0] as Action);
  expect(state.entries).toHaveLength(1);
});
