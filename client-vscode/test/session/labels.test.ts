import { describe, expect, it } from "vitest";
import {
  foundText,
  heldTokensText,
  matchLine,
  plainPattern,
  receiptText,
  sessionLine,
  toolWords,
} from "../../src/session/labels";
import { call, receipt, session } from "../values";

const items = Array.from({ length: 6 }, (_, index) => ({
  id: `i${index}`,
  title: "shell",
  tokens: 10,
  where: "log",
}));

describe("a receipt", () => {
  it.each([
    [receipt({ items }), "Removed 6 old results, 38.4k tokens freed."],
    [
      receipt({ stage: "digest", items: items.slice(0, 1) }),
      "Summarised 1 item, 38.4k tokens freed.",
    ],
    [receipt({ items, undone: true }), "Undone: 6 old results are back."],
    [receipt({ items, status: "cancelled" }), "Compaction cancelled: nothing was changed."],
    [
      receipt({ stage: "restore", items, tokensBefore: 10_000, tokensAfter: 12_500 }),
      "Brought back 6 items, 2.5k tokens more.",
    ],
    [
      receipt({ items, lost: { identifiers: [], constraints: ["no eval"], tasks: ["a", "b"] } }),
      "Removed 6 old results, 38.4k tokens freed. No longer in the context: 1 instruction, 2 tasks.",
    ],
    [
      receipt({ infeasible: { needsTokens: 1234, items: [] } }),
      "Cannot fit: 1,234 tokens more are needed.",
    ],
  ])("says in words what happened (%#)", (value, text) => {
    expect(receiptText(value)).toBe(text);
  });
});

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
  [{ tokens: 1204, originalTokens: 1204, state: "verbatim" }, "1,204 tok"],
  [
    { tokens: 3104, originalTokens: 51_200, state: "truncated" },
    "51.2k → 3.1k tok · shortened for the model",
  ],
  [{ tokens: 18, originalTokens: 900, state: "pruned" }, "900 → 18 tok · removed"],
  [{ tokens: 0, originalTokens: 1834, state: "summarised" }, "in the summary"],
  [{ tokens: 0, originalTokens: 1834, state: "evicted" }, "removed"],
])("says how much of a result is held %#", (weight, text) => {
  expect(heldTokensText(weight)).toBe(text);
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

it("shows when, with what and how a session began", () => {
  const line = sessionLine(session({ preview: "Fix the failing build.", turns: 2 }), "other");
  expect(line.label).toBe("Repair the build");
  expect(line.description).toMatch(/^2026-11-21 \d\d:\d\d · Keyword search · 2 turns$/);
  expect(line.detail).toBe("Fix the failing build.");
});

it("says which one is open, which is a fork, and names what has no title", () => {
  const line = sessionLine(session({ title: "", parentId: "s0", model: "openai/gpt-4o" }), "s1");
  expect(line.label).toBe("Untitled session");
  expect(line.description).toMatch(/^open now · .* · gpt-4o · 1 turn · fork$/);
});

it.each([
  [session({ state: "asking" }), /^asks you · 2026/],
  [session({ state: "running", unread: true }), /^running · unread · 2026/],
  [session({ state: "idle", unread: false }), /^2026/],
  [session({ agent: "explore", parentId: "s0" }), /^explore agent · 2026.* · 1 turn$/],
])("says what a session does, whether it was read, and whose agent it is (%#)", (listed, words) => {
  expect(sessionLine(listed, undefined).description).toMatch(words);
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

it("shows who said what was found, under the title of its session", () => {
  const match = { session: session({ title: "Fix the build" }), snippet: "the cache key is stale" };
  expect(matchLine({ ...match, messageId: "m1", role: "assistant" }, "s9")).toMatchObject({
    label: "Fix the build",
    detail: "Plimsoll: the cache key is stale",
  });
  expect(matchLine({ ...match, messageId: "m1", role: "other" }, "s9").detail).toBe(match.snippet);
});
