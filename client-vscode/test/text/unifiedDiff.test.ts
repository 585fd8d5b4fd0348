import { expect, it } from "vitest";
import {
  applyUnifiedDiff,
  createsFile,
  lineCounts,
  revertUnifiedDiff,
} from "../../src/text/unifiedDiff";

const before = "a\nb\nc\nd\ne\n";

it("applies hunks one after the other, the second shifted by the first", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n+new\n b\n@@ -4,2 +5,1 @@\n-d\n e\n";
  expect(applyUnifiedDiff(before, diff)).toBe("a\nnew\nb\nc\ne\n");
});

it("makes a new file", () => {
  expect(applyUnifiedDiff("", "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+one\n+two\n")).toBe(
    "one\ntwo\n",
  );
});

it("refuses a text that is not the one it was made from", () => {
  expect(applyUnifiedDiff("z\n", "@@ -1,1 +1,1 @@\n-a\n+b\n")).toBeUndefined();
});

it("takes back what it made, in several places, and a whole new file", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n+new\n b\n@@ -4,2 +5,1 @@\n-d\n e\n";
  const after = applyUnifiedDiff(before, diff) ?? "";
  expect(revertUnifiedDiff(after, diff)).toBe(before);
  expect(revertUnifiedDiff(`${after}typed below\n`, diff)).toBe(`${before}typed below\n`);
  expect(revertUnifiedDiff(before, diff)).toBeUndefined();
  const made = "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+one\n+two\n";
  expect(revertUnifiedDiff("one\ntwo\n", made)).toBe("");
  expect([createsFile(made), createsFile(diff)]).toEqual([true, false]);
});

it("counts no head of a further file as a change", () => {
  const one = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,1 @@\n-old\n+new`;

  expect(lineCounts(`${one("a.ts")}\n${one("b.ts")}`)).toEqual({ added: 2, removed: 2 });
});
