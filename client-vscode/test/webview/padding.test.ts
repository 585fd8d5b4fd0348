import { expect, test } from "vitest";
import { foldBlankRows, foldPadding } from "../../src/webview/padding";

test("padding that pushes code to the right is written as a count", () => {
  expect(foldPadding(`+ok()${" ".repeat(400)};evil()`)).toBe("+ok() ⟨400 spaces⟩ ;evil()");
  expect(foldPadding(`+ok()${"\t".repeat(500)};evil()`)).toBe("+ok() ⟨500 tabs⟩ ;evil()");
  expect(foldPadding(`+${" ".repeat(400)}evil()`)).toBe("+⟨400 spaces⟩ evil()");
  expect(foldPadding(`+${" ".repeat(24)}ordinary()  # note`)).toContain(" ".repeat(24));
});

test("blank rows that push a diff's end out of sight are one row", () => {
  const blank = Array.from({ length: 200 }, () => ({ kind: "added", line: "+" }));
  const rows = [{ kind: "added", line: "+ok" }, ...blank, { kind: "added", line: "+evil" }];
  expect(foldBlankRows(rows).map(({ line }) => line)).toEqual([
    "+ok",
    "+⟨200 blank lines⟩",
    "+evil",
  ]);
  expect(foldBlankRows(blank.slice(0, 3))).toHaveLength(3);
});
