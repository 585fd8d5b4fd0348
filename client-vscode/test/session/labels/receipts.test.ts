import { describe, expect, it } from "vitest";
import { receiptText } from "../../../src/session/labels/receipts";
import { receipt } from "../../values";

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
