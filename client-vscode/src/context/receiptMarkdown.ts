import type { Receipt } from "../protocol";
import { receiptText } from "../session/labels/receipts";
import { exactTokens, formatTime } from "../text/format";
import { escapeMarkdown, listSection, tableSection } from "../text/markdown";

/** One receipt as Markdown: what left, what it cost, where it still is. */
export function receiptMarkdown(receipt: Receipt): string {
  const { tokensBefore, tokensAfter, lost } = receipt;
  const planned = receipt.status === "planned";
  const facts: (readonly [string, string])[] = [
    ...(planned ? [] : [["At", formatTime(receipt.at)] as const]),
    ["Why", receipt.why],
    ["Tokens", `${exactTokens(tokensBefore)} → ${exactTokens(tokensAfter)}`],
    ["Cache lost", `${exactTokens(receipt.prefixRewritten)} tokens`],
  ];
  if (receipt.model) {
    facts.push([
      "Model",
      `${receipt.model}, ${exactTokens(receipt.tokensSpent ?? 0)} tokens spent`,
    ]);
  }
  const blocks = [
    planned ? "# What a compaction would do" : "# Details",
    escapeMarkdown(receiptText(receipt)),
    facts.map(([name, value]) => `- ${name}: ${escapeMarkdown(value)}`).join("\n"),
    tableSection(
      planned ? "What would leave" : "What left",
      ["Item", "Tokens", "Where it is"],
      receipt.items.map((item) => [item.title, exactTokens(item.tokens), item.where]),
    ),
    listSection(
      "Instructions that left (Pin Text… keeps one)",
      withRest(lost.constraints, lost.constraintsTotal),
    ),
    listSection(
      "Ended by a later instruction (/rules takes one back)",
      (lost.ended ?? []).map(({ constraint, endedBy }) => `${constraint} (by: ${endedBy})`),
    ),
    listSection("Tasks that left", lost.tasks),
    listSection("Names that left", withRest(lost.identifiers, lost.identifiersTotal)),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** The lines of a list, and how many more there are than it has. */
function withRest(lines: readonly string[], total = lines.length): string[] {
  return total > lines.length ? [...lines, `and ${total - lines.length} more`] : [...lines];
}
