import { expect, it } from "vitest";
import type { FileResult } from "../../src/protocol";
import { reduce } from "../../src/session/reduce";
import { EMPTY_STATE } from "../../src/session/state";
import { restoredText } from "../../src/text/restored";

const FILES: FileResult[] = [
  { uri: "file:///w/a.txt", action: "restored" },
  { uri: "file:///w/b%20c.txt", action: "left", why: "It was deleted since." },
];

it.each([
  [[], 0, ""],
  [FILES.slice(0, 1), 0, "1 file put back."],
  [
    FILES.slice(1),
    1,
    "Left as it is:\n\n- `b c.txt`: It was deleted since.\n\nWhat 1 command changed since is not undone.",
  ],
  [
    FILES,
    2,
    "1 file put back.\n\nLeft as it is:\n\n- `b c.txt`: It was deleted since.\n\nWhat 2 commands changed since is not undone.",
  ],
  [
    [
      { uri: "file:///w/a.txt", action: "restored", why: "It may have been changed." },
      { uri: "file:///w/d.txt", action: "removed" },
    ],
    0,
    "2 files put back.\n\nPerhaps not as at the prompt:\n\n- `a.txt`: It may have been changed.",
  ],
])("says what became of files", (files, commands, said) => {
  expect(restoredText(files as FileResult[], commands as number)).toBe(said);
});

it("offers to undo the last rewind alone", () => {
  const one = reduce(EMPTY_STATE, { type: "wentBack", markdown: "One.", undo: "w1" });
  const two = reduce(one, { type: "wentBack", markdown: "Two.", undo: "w2" });
  expect(two.entries).toEqual([
    { kind: "notice", id: "wentBack.0", level: "info", markdown: "One." },
    { kind: "notice", id: "wentBack.1", level: "info", markdown: "Two.", undo: "w2" },
  ]);
});
