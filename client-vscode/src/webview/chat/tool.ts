import { heldBackText, heldTokensText, toolStateText, toolWords } from "../../session/labels";
import type { Permission, ToolEntry } from "../../session/state";
import { h } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { foldBlankRows, foldPadding } from "../padding";

const SIGNS: Readonly<Record<string, string>> = {
  pending: "○",
  waiting: "?",
  running: "◌",
  completed: "✓",
  failed: "✕",
  rejected: "⊘",
};

/** A tool call: one line that opens to its output, or the question that it waits for. */
export function toolView(tool: ToolEntry): HTMLElement {
  return tool.permission ? questionView(tool, tool.permission) : cardView(tool);
}

function cardView(tool: ToolEntry): HTMLElement {
  const [verb, target] = toolWords(tool);
  const line = [
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tool.status] ?? "·"),
    h("span", { class: "sr" }, `${toolStateText(tool)}: `),
    h("b", {}, ...revealHidden(verb)),
    h("span", { class: "target", title: target }, ...revealHidden(target)),
    tool.heldBack !== undefined && h("span", { class: "held-back" }, heldBackText(tool.heldBack)),
    tool.heldTokens !== undefined &&
      h("span", { class: "weight" }, heldTokensText(tool.heldTokens)),
  ];
  const attributes = { class: "tool", "data-state": tool.status, "data-tool": tool.call.name };
  if (tool.output === undefined || tool.output === "") {
    return h("div", attributes, h("div", { class: "tool-line" }, ...line));
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

function questionView(tool: ToolEntry, permission: Permission): HTMLElement {
  const { requestId } = permission;
  const titleId = `question-${requestId}`;
  const spends = tool.call.detail?.spend !== undefined;
  return h(
    "div",
    { class: "question", role: "group", "aria-labelledby": titleId, "data-permission": requestId },
    h(
      "div",
      { class: "question-title", id: titleId },
      h("b", {}, ...revealHidden(tool.call.title)),
      ...diffSummary(tool),
    ),
    ...detailView(tool),
    h("div", { class: "choices" }, ...choices(permission, spends)),
    // Why a turn is stopped at a limit is of no use to the model.
    ...(spends ? [] : [reasonView(permission)]),
  );
}

function diffSummary(tool: ToolEntry): HTMLElement[] {
  const diff = tool.call.detail?.diff;
  if (!diff) {
    return [];
  }
  const kinds = diffLines(diff).map(({ kind }) => kind);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  return [
    h("span", { class: "counts" }, `+${count("added")} −${count("removed")}`),
    h(
      "button",
      { type: "button", class: "link", "data-action": "openDiff", "data-id": tool.id },
      "open diff",
    ),
  ];
}

/** Exactly what will happen: the whole command, diff or address. */
function detailView(tool: ToolEntry): HTMLElement[] {
  const { command, diff, address, askedEachTime, confinement } = tool.call.detail ?? {};
  const plain = command ?? address;
  const views: HTMLElement[] = [];
  if (askedEachTime) {
    const why = `Asked each time, because of ${askedEachTime}.`;
    views.push(h("p", { class: "each-time" }, ...revealHidden(why)));
  }
  if (plain) {
    views.push(
      h("pre", { class: "detail", tabindex: "0", "data-detail": "exact" }, ...revealHidden(plain)),
    );
  }
  if (confinement) {
    views.push(
      h(
        "p",
        { class: "confinement", "data-coverage": confinement.coverage },
        ...revealHidden(confinement.summary),
      ),
    );
  }
  if (diff) {
    views.push(
      h(
        "pre",
        { class: "detail diff", tabindex: "0", "data-detail": "diff" },
        ...foldBlankRows(diffLines(diff)).map(diffLine),
      ),
    );
  }
  return views;
}

const DIFF_KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "hunk" };

/** The kind of each line; before the first hunk stands the head, whose `---` removes nothing. */
function diffLines(diff: string): { kind: string; line: string }[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@"));
  return lines.map((line, index) => ({
    line,
    kind: index < first ? "head" : (DIFF_KINDS[line.slice(0, 1)] ?? "same"),
  }));
}

function diffLine({ kind, line }: { kind: string; line: string }): HTMLElement {
  return h("span", { class: `diff-${kind}` }, ...revealHidden(foldPadding(line)), "\n");
}

const LABELS: Readonly<Record<string, string>> = {
  allowOnce: "Allow once",
  allowSession: "Allow for this session",
  rejectOnce: "Reject…",
  rejectSession: "Reject for this session",
};

/** The answers; those to a question of spending are worded by the server. */
function choices(permission: Permission, spends: boolean): HTMLElement[] {
  return permission.options.map((option, index) =>
    h(
      "button",
      {
        type: "button",
        class: index === 0 ? "primary" : "secondary",
        "data-action": option.kind === "rejectOnce" && !spends ? "askReason" : "answer",
        "data-request": permission.requestId,
        "data-option": option.optionId,
        "data-kind": option.kind,
      },
      spends ? option.name : (LABELS[option.kind] ?? option.name),
    ),
  );
}

function reasonView(permission: Permission): HTMLElement {
  const reject = permission.options.find((option) => option.kind === "rejectOnce");
  return h(
    "form",
    {
      class: "reason",
      hidden: true,
      "data-request": permission.requestId,
      "data-option": reject?.optionId ?? "",
    },
    h("input", {
      type: "text",
      "aria-label": "Reason for the rejection",
      placeholder: "Why not? The model reads it (optional)",
    }),
    h("button", { type: "submit", class: "secondary" }, "Reject"),
  );
}
