import type { ContextItem, ContextReport, Receipt } from "../protocol";
import { receiptText, stateWord } from "../session/labels";
import { exactTokens, formatTime } from "../text/format";
import { fileTokensOf, groupTokens, KIND_GROUPS, kindOf } from "../text/kinds";
import { escapeMarkdown, listSection, tableSection } from "../text/markdown";
import { accuracy } from "./loadLine";

/** The whole report as Markdown whose tables also read well as plain text. */
export function reportMarkdown(report: ContextReport): string {
  const { meter } = report;
  const blocks = [
    "# Context report",
    `${exactTokens(meter.used)} of ${exactTokens(meter.effective)} tokens (${Math.round(meter.percent)} %), ${accuracy(meter)}. Window ${exactTokens(meter.window)}, of which ${exactTokens(meter.reservedOutput)} are reserved for the answer.`,
    marks(report),
    tableSection(
      "Parts",
      ["Part", "Tokens"],
      groupTokens(meter.parts, fileTokensOf(report.items ?? [])).map(({ group, tokens }) => [
        KIND_GROUPS[group].label,
        exactTokens(tokens),
      ]),
    ),
    tableSection(
      "Items",
      ["Item", "Kind", "State", "Turn", "Tokens"],
      (report.items ?? []).map(itemRow),
    ),
    tableSection(
      "Files",
      ["File", "Whole", "In context"],
      report.files.map((file) => [
        file.path,
        exactTokens(file.rawTokens),
        exactTokens(file.injectedTokens),
      ]),
    ),
    tableSection(
      "System sections",
      ["Section", "Tokens"],
      report.systemSections.map(({ name, tokens }) => [name, exactTokens(tokens)]),
    ),
    tableSection(
      "Tools",
      ["Tool", "Tokens"],
      report.tools.map(({ name, tokens }) => [name, exactTokens(tokens)]),
    ),
    listSection("Before the next request", report.pending.map(receiptText)),
    listSection(
      "Reductions",
      report.receipts.map((receipt) => `${formatTime(receipt.at)} · ${receiptText(receipt)}`),
    ),
    cache(report),
    listSection(
      "Advice",
      report.advice.map(({ message, saves }) => `${message} (frees ${exactTokens(saves)} tokens)`),
    ),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function marks({ meter }: ContextReport): string {
  const { warning, compact, blocking } = meter.thresholds;
  return `Marks: warning ${exactTokens(warning)}, compact ${exactTokens(compact)}, blocking ${exactTokens(blocking)}.`;
}

function itemRow(item: ContextItem): string[] {
  const state = [
    stateWord(item.state),
    item.pinned ? "pinned" : "",
    item.source?.stale ? "stale" : "",
  ].filter((word) => word !== "");
  return [
    item.title,
    kindOf(item.kind).label,
    state.join(", "),
    String(item.turn),
    exactTokens(item.tokens),
  ];
}

function cache({ cache: { stablePrefix, cachedTokens, hitRate } }: ContextReport): string {
  const facts = [
    `stable prefix ${exactTokens(stablePrefix)} tokens`,
    cachedTokens === undefined ? "" : `${exactTokens(cachedTokens)} read from the cache`,
    hitRate === undefined ? "" : `${Math.round(100 * hitRate)} % of the last request`,
  ].filter((fact) => fact !== "");
  return `## Cache\n\n${facts.join(", ")}`;
}

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
      "No longer in view: instructions (Pin Text… keeps one)",
      withRest(lost.constraints, lost.constraintsTotal),
    ),
    listSection("No longer in view: tasks", lost.tasks),
    listSection("No longer in view: names", withRest(lost.identifiers, lost.identifiersTotal)),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** The lines of a list, and how many more there are than it has. */
function withRest(lines: readonly string[], total = lines.length): string[] {
  return total > lines.length ? [...lines, `and ${total - lines.length} more`] : [...lines];
}

/** A receipt in a pick list. */
export function receiptLabel(receipt: Receipt): string {
  return receiptText(receipt);
}
