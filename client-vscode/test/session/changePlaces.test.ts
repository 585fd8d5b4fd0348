import { describe, expect, it } from "vitest";
import { changePlaces, nextPlace } from "../../src/session/changePlaces";
import type { Entry } from "../../src/session/state";
import { call } from "../values";

function edit(id: string, at: number, uri = "a"): Entry {
  const detail = { diff: `--- a\n+++ b\n@@ -${at} +${at} @@\n-old\n+new\n` };
  const made = call({ id, detail, locations: [{ uri }] });
  return { kind: "tool", id, turnId: "t1", status: "completed", call: made };
}

const file = (uri: string, ...callIds: string[]) => ({
  uri,
  name: uri,
  callIds,
  added: 1,
  removed: 1,
});

it("finds what the last turn with changes changed and nobody undid, file by file", () => {
  const entries: Entry[] = [
    edit("c0", 50, "old"),
    { kind: "changes", id: "changes.t0", files: [file("old", "c0")] },
    edit("c1", 9),
    edit("c2", 3),
    edit("c3", 5, "b"),
    {
      kind: "changes",
      id: "changes.t1",
      files: [file("a", "c1", "c2"), { ...file("b", "c3"), settled: "undone" }],
    },
  ];
  expect(changePlaces(entries)).toEqual([
    { uri: "a", line: 2 },
    { uri: "a", line: 8 },
  ]);
  expect(changePlaces([])).toEqual([]);
});

describe("the way through the changes", () => {
  const places = [
    { uri: "a", line: 2 },
    { uri: "a", line: 8 },
    { uri: "b", line: 4 },
  ];
  it.each([
    ["nowhere", undefined, "a:2", "b:4"],
    ["another file", { uri: "c", line: 3 }, "a:2", "b:4"],
    ["before the first", { uri: "a", line: 0 }, "a:2", "b:4"],
    ["between", { uri: "a", line: 5 }, "a:8", "a:2"],
    ["at one", { uri: "a", line: 8 }, "b:4", "a:2"],
    ["at the last", { uri: "b", line: 4 }, "a:2", "a:8"],
  ])("from %s", (_, here, next, previous) => {
    const shown = ([1, -1] as const).map((step) => {
      const place = nextPlace(places, here, step);
      return `${place?.uri}:${place?.line}`;
    });
    expect(shown).toEqual([next, previous]);
  });
});
