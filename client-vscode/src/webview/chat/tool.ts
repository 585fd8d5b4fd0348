import {
  heldBackText,
  heldTokensText,
  madeText,
  rejectionText,
  toolStateText,
  toolWords,
} from "../../session/labels";
import type { ToolEntry } from "../../session/state";
import { lookup } from "../../text/lookup";
import { lineCounts, lineCountsText } from "../../text/unifiedDiff";
import { h } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { agentLine } from "./agent";
import { detailView, questionView } from "./question";

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
  return tool.permission ? questionView(tool, tool.permission) : cardView(tool);
}

function cardView(tool: ToolEntry): HTMLElement {
  const [verb, target] = toolWords(tool);
  const made = madeText(tool);
  const line = [
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tool.status] ?? "·"),
    h("span", { class: "sr" }, `${toolStateText(tool)}: `),
    h("b", {}, ...revealHidden(verb)),
    h("span", { class: "target", title: target }, ...revealHidden(target)),
    ...changeViews(tool),
    made !== "" && h("span", { class: "held-back" }, made),
    tool.heldBack !== undefined && h("span", { class: "held-back" }, heldBackText(tool.heldBack)),
    tool.heldTokens !== undefined &&
      h("span", { class: "weight" }, heldTokensText(tool.heldTokens)),
    ...agentLine(tool),
  ];
  const attributes = { class: "tool", "data-state": tool.status, "data-tool": tool.call.name };
  const why =
    tool.rejection &&
    h("p", { class: "rejection" }, ...revealHidden(rejectionText(tool.rejection)));
  // While an agent works, its line says what the output would.
  const told = tool.call.name === "subagent" && tool.status === "running";
  if (why || told || tool.output === undefined || tool.output === "") {
    return h("div", attributes, h("div", { class: "tool-line" }, ...line), why);
  }
  if (tool.status === "running") {
    const lines = h("pre", { class: "output live" }, ...revealHidden(tool.output));
    return h("div", attributes, h("div", { class: "tool-line" }, ...line), lines);
  }
  return h(
    "details",
    attributes,
    h("summary", { class: "tool-line" }, ...line),
    ...detailView(tool),
    h("pre", { class: "output", tabindex: "0" }, ...revealHidden(shortened(tool.output))),
  );
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
