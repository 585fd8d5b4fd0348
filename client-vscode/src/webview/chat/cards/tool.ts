import { heldTokensText } from "../../../session/labels/items";
import {
  foundText,
  heldBackText,
  madeText,
  rejectionText,
  toolStateText,
  toolWords,
} from "../../../session/labels/tools";
import type { ToolEntry } from "../../../session/state";
import { formatTokens } from "../../../text/format";
import { lookup } from "../../../text/lookup";
import { lineCounts, lineCountsText } from "../../../text/unifiedDiff";
import { h, named } from "../../dom";
import { revealHidden } from "../../hiddenCharacters";
import { pathViews } from "../../pathViews";
import { agentLine } from "../agent";
import { detailView } from "../question/detail";
import { questionView } from "../question/question";
import { secondsView } from "./seconds";

const SIGNS: Readonly<Record<string, string>> = lookup({
  pending: "○",
  waiting: "?",
  running: "◌",
  completed: "✓",
  failed: "✕",
  rejected: "⊘",
});

/**
 * A tool call: one line that opens to its output, or the question that it waits for. Of a command that
 * runs its last lines stand below it.
 */
export function toolView(tool: ToolEntry): HTMLElement {
  if (tool.permission) {
    return questionView(tool, tool.permission);
  }
  return tool.images ? h("div", {}, cardView(tool), imagesView(tool)) : cardView(tool);
}

/** The images that a call brought, in sight also while its card is closed. */
function imagesView({ images = [], ...tool }: ToolEntry): HTMLElement {
  const [, target] = toolWords(tool);
  const views = images.map((src) => h("img", { src, alt: `Image from ${target}` }));
  return h("div", { class: "tool-images" }, ...views);
}

function cardView(tool: ToolEntry): HTMLElement {
  const attributes = { class: "tool", "data-state": tool.status, "data-tool": tool.call.name };
  const why =
    tool.rejection &&
    h("p", { class: "rejection" }, ...revealHidden(rejectionText(tool.rejection)));
  // While an agent works, its line says what the output would.
  const told = tool.call.name === "subagent" && tool.status === "running";
  if (why || told || tool.output === undefined || tool.output === "") {
    return h("div", attributes, h("div", { class: "tool-line" }, ...lineViews(tool)), why);
  }
  if (tool.status === "running") {
    const lines = h("pre", { class: "output live" }, ...revealHidden(tool.output));
    const line = h("div", { class: "tool-line" }, ...lineViews(tool));
    return h("div", attributes, line, lines, ...showSoFarView(tool));
  }
  const sign = h("span", { class: "chevron", "aria-hidden": "true" });
  return h(
    "details",
    attributes,
    h("summary", { class: "tool-line" }, ...lineViews(tool, sign)),
    ...detailView(withoutCommand(tool)),
    h("pre", { class: "output", ...named("Output") }, ...revealHidden(shortened(tool.output))),
    ...showAllView(tool),
  );
}

/** So many last lines the server shows of a command that runs. */
const LIVE_LINES = 10;

/** Opens all that a command has written so far, where the card has not all of it in sight. */
function showSoFarView({ id, output = "" }: ToolEntry): HTMLElement[] {
  return output.split("\n", LIVE_LINES).length < LIVE_LINES
    ? []
    : [showButton(id, "Show all so far")];
}

function showButton(id: string, label: string): HTMLElement {
  const attributes = { "data-action": "showOutput", "data-id": id };
  return h("button", { type: "button", class: "link show-all", ...attributes }, label);
}

/** A card shows so many lines before it is scrolled. */
const SEEN_LINES = 14;

/** Opens all of an output in an editor, where the card has not all of it in sight. */
function showAllView({ id, itemId, output = "", heldTokens }: ToolEntry): HTMLElement[] {
  const reduced = heldTokens !== undefined && heldTokens.state !== "verbatim";
  const long = output.split("\n", SEEN_LINES + 1).length > SEEN_LINES;
  if (itemId === undefined || !(long || reduced)) {
    return [];
  }
  return [showButton(id, "Show all")];
}

/** What is done to what, how it went, and what the model holds of it: names before numbers. */
function lineViews(tool: ToolEntry, sign?: HTMLElement): (HTMLElement | false)[] {
  const [verb, target] = toolWords(tool);
  const made = madeText(tool);
  return [
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tool.status] ?? "·"),
    h("span", { class: "sr" }, `${toolStateText(tool)}: `),
    h("b", {}, ...revealHidden(verb)),
    targetView(tool, target),
    ...changeViews(tool),
    tool.counts !== undefined && h("span", { class: "brought" }, foundText(tool.counts)),
    made !== "" && h("span", { class: "held-back" }, made),
    tool.heldBack !== undefined && h("span", { class: "held-back" }, heldBackText(tool.heldBack)),
    ...exitView(tool),
    ...secondsView(tool),
    ...weightView(tool),
    sign ?? false,
    ...agentLine(tool),
  ];
}

function targetView(tool: ToolEntry, target: string): HTMLElement {
  const views =
    tool.call.arguments.path === target
      ? pathViews(target)
      : [h("span", {}, ...revealHidden(target))];
  return h("span", { class: "target", title: target }, ...views);
}

/** What the model holds of it, in thousands of tokens; the tip has it in words. */
function weightView({ heldTokens }: ToolEntry): HTMLElement[] {
  if (heldTokens === undefined) {
    return [];
  }
  const { tokens, originalTokens, state } = heldTokens;
  const title = heldTokensText(heldTokens);
  const reduced = tokens < originalTokens && state !== "verbatim";
  const views =
    tokens === 0
      ? [title]
      : [
          reduced && h("span", { class: "was" }, `${formatTokens(originalTokens)} → `),
          formatTokens(tokens),
          h("span", { class: "sr" }, " tokens"),
        ];
  return [h("span", { class: "weight", title }, ...views)];
}

/** A command that went well has its tick alone. */
function exitView({ exitCode }: ToolEntry): HTMLElement[] {
  return exitCode === undefined || exitCode === 0
    ? []
    : [h("span", { class: "exit", "aria-hidden": "true" }, `exit ${exitCode}`)];
}

/** An open card has its command in its line, whole. */
function withoutCommand(tool: ToolEntry): ToolEntry {
  const { command: _shown, ...detail } = tool.call.detail ?? {};
  const inLine = typeof tool.call.arguments.command === "string";
  return inLine ? { ...tool, call: { ...tool.call, detail } } : tool;
}

/** More than a person reads in a card; the report and the log have the whole. */
const SHOWN_CHARACTERS = 20_000;

function shortened(output: string): string {
  return output.length <= SHOWN_CHARACTERS
    ? output
    : `${output.slice(0, SHOWN_CHARACTERS)}\n… ${output.length - SHOWN_CHARACTERS} more characters`;
}

/** What an edit changed, with the way to look at it. */
function changeViews(tool: ToolEntry): HTMLElement[] {
  const diff = tool.call.detail?.diff;
  return diff
    ? [
        h("span", { class: "counts" }, lineCountsText(lineCounts(diff))),
        h(
          "button",
          { type: "button", class: "link", "data-action": "openDiff", "data-id": tool.id },
          "diff",
        ),
      ]
    : [];
}
