import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { receiptMarkdown, reportMarkdown } from "../../src/context/report";
import { meter, receipt } from "../values";

it("writes the report as tables whose columns line up", () => {
  const text = reportMarkdown({
    meter: meter(),
    pending: [],
    items: [
      {
        id: "i1",
        kind: "toolResults",
        title: "src/a|b.py",
        tokens: 1204,
        originalTokens: 1204,
        state: "verbatim",
        turn: 7,
        pinned: true,
      },
    ],
    files: [],
    systemSections: [],
    tools: [{ name: "shell", tokens: 900 }],
    receipts: [receipt()],
    cache: { stablePrefix: 8000, cachedTokens: 50_000, hitRate: 0.92 },
    advice: [{ code: "evict", message: "Remove the log", saves: 3000 }],
  });
  expect(text).toContain("# Context report\n\n55,300 of 112,000 tokens (49 %), counted.");
  expect(text).toContain("| Item        | Kind    | State         | Turn | Tokens |");
  expect(text).toContain("| src/a\\|b.py | Results | whole, pinned |    7 |  1,204 |");
  expect(text).toContain(
    "stable prefix 8,000 tokens, 50,000 read from the cache, 92 % of the last request",
  );
  expect(text).toContain("- Remove the log (frees 3,000 tokens)");
});

it("tells of a receipt what left and where it is", () => {
  const text = receiptMarkdown(receipt());
  expect(text).toContain("- Tokens: 93,400 → 55,000");
  expect(text).toContain("| make |    400 | log         |");
});

it("tells of a planned reduction what would leave, and no time: it has not happened", () => {
  const text = receiptMarkdown(receipt({ status: "planned", at: "" }));
  expect(text).toContain("# What a compaction would do");
  expect(text).toContain("## What would leave");
  expect(text).not.toContain("- At:");
});

it("gives no effect to what others wrote: a preview would load their images", () => {
  const hostile =
    "![x](https://evil.example/leak) <img src=https://evil.example/a.png>\n# x | `y` $z$";
  const value = receipt({
    why: hostile,
    items: [{ id: "i1", title: hostile, tokens: 1, where: hostile }],
    lost: { identifiers: [hostile], constraints: [hostile], tasks: [hostile] },
  });
  const html = new MarkdownIt({ html: true }).render(receiptMarkdown(value));
  expect(html).not.toMatch(/<img|<a |<code|<h1>x/);
  expect(html).toContain("&lt;img src=https://evil.example/a.png&gt;");
});
