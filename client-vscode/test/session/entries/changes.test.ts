import { expect, it } from "vitest";
import { diffsOf } from "../../../src/session/entries/changes";
import { type Action, reduce } from "../../../src/session/reduce";
import { type ChatState, EMPTY_STATE, type ToolEntry } from "../../../src/session/state";
import { call, session } from "../../values";

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

it("lists every file of a call that changes several, each with its own part of the diff", () => {
  const part = (name: string, lines: string) =>
    `--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,1 @@\n${lines}`;
  const parts = [part("src/a.py", "-old\n+new"), part("test/a.py", "-old\n+new\n+newer")];
  const locations = ["src/a.py", "test/a.py"].map((path) => ({ uri: `file:///w/${path}` }));
  const rename = edit("c1", "src/a.py");
  const made = { ...rename.call, locations, detail: { diff: parts.join("\n") } };
  const { entries } = ended({ ...rename, call: made });
  const changes = entries.at(-1);
  const files = changes?.kind === "changes" ? changes.files : [];
  expect(files).toMatchObject([
    { name: "src/a.py", uri: "file:///w/src/a.py", added: 1, removed: 1 },
    { name: "test/a.py", uri: "file:///w/test/a.py", added: 2, removed: 1 },
  ]);
  expect(files.flatMap((file) => diffsOf(entries, file))).toEqual(parts);
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
