import { expect, it } from "vitest";
import { type Action, reduce } from "../../src/session/reduce";
import { type ChatState, EMPTY_STATE, type ToolEntry } from "../../src/session/state";
import { call, session } from "../values";

const diff = (lines: string) => `--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n${lines}`;

function edit(id: string, path: string, fields: Partial<ToolEntry> = {}): ToolEntry {
  const detail = { diff: diff("-old\n+new\n+newer") };
  const locations = [{ uri: `file:///w/${path}` }];
  const made = call({ id, kind: "edit", arguments: { path }, detail, locations });
  return { kind: "tool", id, turnId: "t1", status: "completed", call: made, ...fields };
}

function ended(...entries: ToolEntry[]): ChatState {
  const update = { kind: "turnEnded", turnId: "t1", stopReason: "endTurn" } as const;
  const state = { ...EMPTY_STATE, session: session(), turnId: "t1", entries };
  return reduce(state, { type: "update", seq: 1, update });
}

it("lists each file that the turn changed once, with all its lines", () => {
  const { entries } = ended(edit("c1", "a.py"), edit("c2", "b.py"), edit("c3", "a.py"));
  expect(entries.at(-1)).toMatchObject({
    kind: "changes",
    id: "changes.t1",
    files: [
      { name: "a.py", added: 4, removed: 2, callIds: ["c1", "c3"] },
      { name: "b.py", added: 2, removed: 1, callIds: ["c2"] },
    ],
  });
});

it("leaves out what was rejected, what failed and what another turn did", () => {
  const { entries } = ended(
    edit("c1", "a.py", { status: "rejected" }),
    edit("c2", "b.py", { status: "failed" }),
    edit("c3", "c.py", { turnId: "t0" }),
  );
  expect(entries.filter(({ kind }) => kind === "changes")).toEqual([]);
});

it("notes what a person has kept or undone", () => {
  const settle: Action = {
    type: "changeSettled",
    entryId: "changes.t1",
    uris: ["file:///w/a.py"],
    settled: "undone",
  };
  const { entries } = reduce(ended(edit("c1", "a.py"), edit("c2", "b.py")), settle);
  expect(entries.at(-1)).toMatchObject({ files: [{ settled: "undone" }, { name: "b.py" }] });
  expect(JSON.stringify(entries.at(-1)).match(/settled/g)).toHaveLength(1);
});
