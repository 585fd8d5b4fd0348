import { expect, it } from "vitest";
import { foundText, plainPattern, toolWords } from "../../../src/session/labels/tools";
import { call } from "../../values";

it.each([
  [{ matches: 12, files: 3 }, "12 matches in 3 files"],
  [{ matches: 1, files: 1, more: true }, "1 match in 1 file so far"],
  [{ searched: 340 }, "nothing in 340 files"],
  [{ more: true }, "nothing so far"],
  [{ files: 7 }, "7 files"],
  [{ files: 0 }, "nothing"],
  [{ lines: 80 }, "80 lines"],
])("says how much a search found or a read brought %#", (counts, text) => {
  expect(foundText(counts)).toBe(text);
});

it.each([
  [
    call({ name: "file_read", title: "Read a.py lines 1-80", arguments: { path: "a.py" } }),
    ["Read", "a.py"],
  ],
  [
    call({ name: "file_read", title: "file_read a.py", arguments: { path: "a.py" } }),
    ["Read", "a.py"],
  ],
  [call({ name: "later_tool", title: "Weigh the anchor" }), ["Weigh", "the anchor"]],
  [call({ name: "shell", title: "", arguments: {} }), ["shell", ""]],
])("names a call the same way live and loaded (%#)", (value, words) => {
  expect(
    toolWords({ kind: "tool", id: "c1", turnId: "t1", call: value, status: "completed" }),
  ).toEqual(words);
});

it.each([
  ["TODO", "TODO"],
  ["src/a.py", "src/a.py"],
  [
    String.raw`\b(def|class|let)\s+\w*(budget|window)\w*|^\w*(budget|window)\w*\s*(:[^=]*)?=`,
    "budget…, window…",
  ],
  [String.raw`class \w+Error`, "Error"],
  ["total.*parts|parts.*total", "total, parts"],
  [String.raw`^\s*$`, String.raw`^\s*$`],
])("writes the pattern %s in the words that it looks for", (pattern, words) => {
  expect(plainPattern(pattern)).toBe(words);
});
