import type { Permission, ToolEntry } from "../../../session/state";
import { lineCounts, lineCountsText } from "../../../text/unifiedDiff";
import { commandText } from "../../commandText";
import { h } from "../../dom";
import { agentLink } from "../agent";
import { answers, type Labels, plainAnswer, reasonView } from "./answers";
import { questionDetail } from "./detail";
import { madeView } from "./made";
import { FORM, PLAN, planView } from "./plan";

/** A call that waits for a person: title, counts and answers stay in view, however long the change is. */
export function questionView(tool: ToolEntry, permission: Permission): HTMLElement {
  const { requestId } = permission;
  const titleId = `question-${requestId}`;
  const bodyId = `question-body-${requestId}`;
  const { plan, spend, addressChange, made } = tool.call.detail ?? {};
  const labels = made
    ? MADE_LABELS
    : plan === undefined
      ? changeLabels(tool, permission)
      : PLAN_LABELS;
  const ofServer = spend !== undefined || addressChange !== undefined || isForm(tool);
  return h(
    "div",
    {
      class: "question",
      role: "group",
      "aria-labelledby": titleId,
      "aria-describedby": bodyId,
      "data-permission": requestId,
    },
    h(
      "div",
      { class: "question-title", id: titleId },
      h("b", {}, ...commandText(titleOf(tool))),
      ...(made ? [] : diffSummary(tool)),
      ...agentLink(tool),
    ),
    h("div", { class: "question-body", id: bodyId }, ...bodyViews(tool, permission)),
    h(
      "div",
      { class: "choices" },
      ...(ofServer ? permission.options.map(plainAnswer(permission)) : answers(permission, labels)),
    ),
    // Why a turn is stopped at a limit, or at an address, is of no use to the model.
    ...(ofServer ? [] : [reasonView(permission, labels)]),
  );
}

/** The command itself stands below, whole: the title says how it is run. An agent's names the agent. */
function titleOf({ call }: ToolEntry): string {
  const { how, command } = call.detail ?? {};
  return how && command && !call.agent ? how : call.title;
}

function bodyViews(tool: ToolEntry, permission: Permission): HTMLElement[] {
  const { plan, made } = tool.call.detail ?? {};
  if (made) {
    return [madeView(made, permission)];
  }
  return plan ? [planView(plan, isForm(tool) ? FORM : PLAN)] : questionDetail(tool);
}

/** Fields that an MCP server wants filled in stand where a plan is edited; the server words the answers. */
function isForm({ call }: ToolEntry): boolean {
  return call.name === "mcp_question" && call.detail?.plan !== undefined;
}

function diffSummary(tool: ToolEntry): HTMLElement[] {
  const diff = tool.call.detail?.diff;
  if (!diff) {
    return [];
  }
  const attributes = { "data-action": "openDiff", "data-id": tool.id };
  return [
    h("span", { class: "counts" }, lineCountsText(lineCounts(diff))),
    h("button", { type: "button", class: "link", ...attributes }, "open diff"),
  ];
}

const LABELS: Labels = {
  allowOnce: "Allow",
  rejectOnce: "Reject…",
  reject: "Reject",
  why: "Why not? The model reads it (optional)",
};

/** Where a person has left out places of a change in its file, the answer says how much is made. */
function changeLabels({ call }: ToolEntry, { rejectedHunks = 0 }: Permission): Labels {
  const all = call.detail?.hunks?.length ?? 0;
  return rejectedHunks === 0
    ? LABELS
    : { ...LABELS, allowOnce: `Allow ${all - rejectedHunks} of ${all} changes` };
}

const PLAN_LABELS: Labels = {
  allowOnce: "Accept",
  rejectOnce: "Send back…",
  reject: "Send back",
  why: "What should change? The model reads it",
};

const MADE_LABELS: Labels = {
  allowOnce: "Keep",
  rejectOnce: "Set aside…",
  reject: "Set aside",
  why: "Why not? The model reads it (optional)",
};
