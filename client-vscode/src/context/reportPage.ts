import type { ContextItem, ContextReport, PastRequest, Spending } from "../protocol";
import { stateWord } from "../session/labels/items";
import { receiptText } from "../session/labels/receipts";
import { exactTokens, formatTime } from "../text/format";
import { escapeHtml, list, section, table, tag } from "../text/html";
import { fileTokensOf, kindOf } from "../text/kinds";
import { curveHtml } from "./curve";
import { gridHtml } from "./grid";
import { missRows, pointsOf } from "./history";
import { relative, titleOf } from "./hold/titles";
import { accuracy } from "./loadLine";
import { costText, limitText, RAISE_LIMIT, spentTokensText } from "./spending";

/**
 * The whole report as the body of a page without scripts; all that others wrote is escaped.
 * `folder` is the URI that files are named from.
 */
export function reportHtml(report: ContextReport, folder: string): string {
  const { meter, items = [] } = report;
  const always = items.filter(({ kind }) => ALWAYS_SENT.has(kind));
  const said = items.filter(({ kind }) => kind !== "tools" && !ALWAYS_SENT.has(kind));
  const blocks = [
    tag("h1", {}, "Context report"),
    tag("p", {}, escapeHtml(loadText(report))),
    gridHtml(meter, fileTokensOf(items)),
    section("Spent", spent(report.spending)),
    section("Tokens so far", curveHtml(report)),
    section("Sent again, not from the cache", misses(report)),
    section("Before the next request", list(report.pending.map(receiptText))),
    section("Advice", list(report.advice.map(adviceText))),
    section("Items", itemTable(said, folder)),
    section(
      "Files",
      table(
        ["File", "Whole", "In context"],
        report.files.map((file) => fileRow(file, folder)),
      ),
    ),
    section("Always sent", itemTable(always, folder)),
    section("Tools", table(["Tool", "Tokens"], report.tools.map(namedRow))),
    section(
      "Reductions",
      list(report.receipts.map((one) => `${formatTime(one.at)} · ${receiptText(one)}`)),
    ),
    section("Cache", tag("p", {}, cache(report))),
    section("Tokens in figures", figures(report)),
  ];
  return tag("main", { class: "report" }, ...blocks);
}

function loadText({ meter }: ContextReport): string {
  const { warning, compact, blocking } = meter.thresholds;
  return [
    `${exactTokens(meter.used)} of ${exactTokens(meter.effective)} tokens (${Math.round(meter.percent)} %), ${accuracy(meter)}.`,
    `Window ${exactTokens(meter.window)}, of which ${exactTokens(meter.reservedOutput)} are reserved for the answer.`,
    `Marks: warn ${exactTokens(warning)}, compact ${exactTokens(compact)}, stop ${exactTokens(blocking)}.`,
  ].join(" ");
}

/** What was spent, and the limits with the way to raise them; nothing from an older server. */
function spent(spending: Spending | undefined): string {
  if (spending === undefined) {
    return "";
  }
  const { limits } = spending;
  const link = (label: string, setting?: string) =>
    tag("a", { href: raiseLink(setting), class: "button" }, label);
  const rows = limits.map((limit) =>
    tag("li", {}, escapeHtml(limitText(limit)), " ", link("Raise Spend Limit…", limit.setting)),
  );
  return [
    tag("p", {}, escapeHtml(`${spentTokensText(spending)} · ${costText(spending)}`)),
    limits.length > 0
      ? tag("ul", {}, ...rows)
      : tag("p", {}, "No spend limit is set. ", link("Set a Spend Limit…")),
  ].join("");
}

function raiseLink(setting?: string): string {
  const query = setting === undefined ? "" : `?${encodeURIComponent(JSON.stringify([setting]))}`;
  return `command:${RAISE_LIMIT}${query}`;
}

function figures(report: ContextReport): string {
  const rows = pointsOf(report)
    .filter(({ request, reductions }) => request !== undefined || reductions.length > 0)
    .map(({ tokens, turn, request, reductions }) => [
      turn === 0 ? "next" : String(turn),
      request ? formatTime(request.at) : "",
      exactTokens(tokens),
      count(request, "cachedTokens"),
      count(request, "outputTokens"),
      reductions.map(receiptText).join(" "),
    ]);
  const head = ["Turn", "At", "Tokens", "From the cache", "Answer", "Reduced before it"];
  // Not folded: a page without scripts forgets what was unfolded as soon as it is drawn anew.
  return table(head, rows);
}

function count(request: PastRequest | undefined, name: "cachedTokens" | "outputTokens"): string {
  const tokens = request?.[name];
  return tokens === undefined ? "" : exactTokens(tokens);
}

function misses(report: ContextReport): string {
  return table(["Turn", "At", "Why", "Tokens", "Cost"], missRows(report));
}

function adviceText({ message, saves }: ContextReport["advice"][number]): string {
  return `${message} (frees ${exactTokens(saves)} tokens)`;
}

/** Kinds that stand in each request whatever is said; tools do too, in a table of their own. */
const ALWAYS_SENT: ReadonlySet<string> = new Set([
  "system",
  "instructions",
  "memories",
  "recall",
  "tasks",
  "pins",
]);

function itemTable(items: readonly ContextItem[], folder: string): string {
  return table(
    ["Item", "Kind", "State", "Turn", "Tokens"],
    items.map((item) => itemRow(item, folder)),
  );
}

function itemRow(item: ContextItem, folder: string): string[] {
  const state = [
    stateWord(item.state),
    item.pinned ? "pinned" : "",
    item.source?.stale ? "stale" : "",
  ].filter((word) => word !== "");
  return [
    titleOf(item, folder),
    kindOf(item.kind).label,
    state.join(", "),
    String(item.turn),
    exactTokens(item.tokens),
  ];
}

function fileRow(file: ContextReport["files"][number], folder: string): string[] {
  const { path, rawTokens, injectedTokens } = file;
  return [relative(path, folder), exactTokens(rawTokens), exactTokens(injectedTokens)];
}

function namedRow({ name, tokens }: { name: string; tokens: number }): string[] {
  return [name, exactTokens(tokens)];
}

function cache({ cache: { stablePrefix, cachedTokens, hitRate } }: ContextReport): string {
  const facts = [
    `${exactTokens(stablePrefix)} tokens at the beginning stay the same`,
    cachedTokens === undefined ? "" : `${exactTokens(cachedTokens)} read from the cache`,
    hitRate === undefined ? "" : `${Math.round(100 * hitRate)} % of the last request`,
  ].filter((fact) => fact !== "");
  return facts.join(", ");
}
