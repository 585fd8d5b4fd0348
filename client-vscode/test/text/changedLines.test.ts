import { expect, it } from "vitest";
import { changedLines } from "../../src/text/changedLines";

const HEAD = "--- a/x\n+++ b/x\n";
const ADDS_TWO_AT_THE_TOP = `${HEAD}@@ -1,2 +1,4 @@\n+n1\n+n2\n one\n two\n`;

it("names the first line of each change, context left out", () => {
  const diff = `${HEAD}@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n-four\n+FOUR\n@@ -9 +9,2 @@\n nine\n+ten\n`;
  expect(changedLines([diff])).toEqual([1, 3, 9]);
});

it("finds a new file and a deletion", () => {
  expect(changedLines([`${HEAD}@@ -0,0 +1,2 @@\n+one\n+two\n`])).toEqual([0]);
  expect(changedLines([`${HEAD}@@ -2,2 +1,0 @@\n-two\n-three\n`])).toEqual([1]);
});

it.each([
  ["moves what stands below a later one", "@@ -5 +5 @@\n-five\n+FIVE\n", [0, 6]],
  ["moves what stands right below a later one", "@@ -1,2 +1 @@\n-one\n-two\n+1\n", [0, 2]],
])("%s", (_, lines, expected) => {
  expect(changedLines([HEAD + lines, ADDS_TWO_AT_THE_TOP])).toEqual(expected);
});

it("names what was changed twice once", () => {
  const diff = `${HEAD}@@ -3 +3 @@\n-a\n+b\n`;
  expect(changedLines([diff, diff])).toEqual([2]);
});
