import { expect, it } from "vitest";
import {
  areGone,
  discardWords,
  type FileHunk,
  ghosts,
  hunkAt,
  hunkTitle,
  madeHunks,
  nextHunk,
} from "../../src/hunks/model";

const made = (uri: string, start: number, end: number, text = ""): FileHunk => ({
  uri,
  id: `${uri}.${start}`,
  start,
  end,
  text,
});
const proposed = (start: number, end: number, text: string, kept?: boolean): FileHunk => ({
  ...made("a", start, end, text),
  proposal: { requestId: "q", number: start, ...(kept === undefined ? {} : { kept }) },
});

it.each([
  [[2, 4], 1, false],
  [[2, 4], 2, true],
  [[2, 4], 3, true],
  [[2, 4], 4, false],
  [[2, 2], 1, true],
  [[2, 2], 2, true],
  [[2, 2], 3, false],
])("finds the hunk of a line (%s, %s)", ([start = 0, end = 0], line, found) => {
  const hunks = [made("b", line, line + 1), made("a", start, end)];
  expect(hunkAt(hunks, { uri: "a", line })).toBe(found ? hunks[1] : undefined);
});

it("goes round by where the cursor stands, also past one that is between two lines", () => {
  const hunks = [made("a", 0, 0), made("a", 4, 4), made("a", 9, 11), made("b", 1, 2)];
  const round: number[] = [];
  let here: { uri: string; line: number } | undefined;
  for (let step = 0; step < 5; step += 1) {
    const next = nextHunk(hunks, here, 1) as FileHunk;
    round.push(hunks.indexOf(next));
    here = {
      uri: next.uri,
      line: next.end > next.start ? next.start : Math.max(next.start - 1, 0),
    };
  }
  expect(round).toEqual([0, 1, 2, 3, 0]);
  expect(nextHunk(hunks, { uri: "a", line: 9 }, -1)).toBe(hunks[1]);
  expect(nextHunk(hunks, { uri: "c", line: 9 }, -1)).toBe(hunks[3]);
  expect(nextHunk([], undefined, 1)).toBeUndefined();
});

it.each([
  [proposed(1, 3, "x\ny\n"), ["1 x", "2 y"]],
  [proposed(1, 2, "x\n\n  y\n"), ["1 x  … 2 more lines"]],
  [proposed(4, 4, "  x\ny\n"), ["3 x  … 1 more line"]],
  [proposed(0, 0, "\n"), ["0 (blank line)"]],
  [proposed(1, 3, "x"), ["1 x"]],
  [proposed(1, 3, ""), []],
])("writes what would come beside what goes (%#)", (hunk, shown) => {
  expect(ghosts(hunk).map(({ line, text }) => `${line} ${text}`)).toEqual(shown);
});

it("tells when one is gone, and not when its lines have moved or another came", () => {
  const one = made("a", 1, 2);
  expect(areGone([one], [{ ...one, start: 5, end: 6 }, made("b", 1, 2)])).toBe(false);
  expect(areGone([one, made("b", 1, 2)], [one])).toBe(true);
});

it("says of each what it is and how much", () => {
  const hunks = [proposed(0, 1, "x\ny\n"), proposed(3, 4, "", true), proposed(6, 6, "z\n", false)];
  expect(hunks.map((hunk) => hunkTitle(hunk, hunks))).toEqual([
    "change 1 of 3: proposed, not in the file yet, +2 −1",
    "change 2 of 3: will be made, +0 −1",
    "change 3 of 3: rejected, +1 −0",
  ]);
  const range = { start: { line: 2, character: 0 }, end: { line: 4, character: 0 } };
  const [only] = madeHunks({
    files: [{ uri: "a", hunks: [{ id: "h", range, oldText: "old\n" }] }],
  });
  expect(hunkTitle(only as FileHunk, [only as FileHunk])).toBe(
    "change 1 of 1: made by Plimsoll, +2 −1",
  );
});

it.each([
  [
    [proposed(1, 2, "x"), proposed(4, 5, "y")],
    "Reject",
    "Reject 2 changes in 1 file?",
    "Reject All",
  ],
  [[made("a", 1, 2), made("b", 1, 2)], "Undo", "Undo 2 changes in 2 files?", "Undo All"],
  [
    [proposed(1, 2, "x"), made("b", 1, 2)],
    "Reject or undo",
    "Reject 1 proposed change and undo 1 made by Plimsoll, in 2 files?",
    "Reject and Undo",
  ],
])("asks about hunks in words that fit them", (hunks, verb, question, action) => {
  const words = discardWords(hunks);
  expect(words).toMatchObject({ verb, question, action });
  expect(words.detail.includes("Nothing is changed yet")).toBe(verb === "Reject");
});
