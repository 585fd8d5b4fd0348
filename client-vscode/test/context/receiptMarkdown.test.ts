import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { receiptMarkdown } from "../../src/context/receiptMarkdown";
import { receipt } from "../values";

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
    lost: {
      identifiers: [hostile],
      constraints: [hostile],
      tasks: [hostile],
      ended: [{ constraint: hostile, endedBy: hostile }],
    },
  });
  const html = new MarkdownIt({ html: true }).render(receiptMarkdown(value));
  expect(html).not.toMatch(/<img|<a |<code|<h1>x/);
  expect(html).toContain("&lt;img src=https://evil.example/a.png&gt;");
});

it("tells what a later instruction ended, and which", () => {
  const value = receipt({
    lost: {
      identifiers: [],
      constraints: [],
      tasks: [],
      ended: [{ constraint: "Use tabs.", endedBy: "Use spaces." }],
    },
  });
  expect(receiptMarkdown(value)).toContain("- Use tabs. (by: Use spaces.)");
});
