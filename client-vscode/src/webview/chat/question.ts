import type { PermissionOption } from "../../protocol";
import type { Permission, ToolEntry } from "../../session/state";
import { type DiffRow, diffRows, lineCounts, lineCountsText } from "../../text/unifiedDiff";
import { commandText } from "../commandText";
import { h, named } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { foldBlankRows } from "../padding";
import { agentLink } from "./agent";
import { diffView } from "./diffView";
import { madeView } from "./made";

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
  const ofServer = spend !== undefined || addressChange !== undefined;
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
  return plan ? [planView(plan)] : questionDetail(tool);
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

/** Rows of a change that a card shows before the rest is opened. */
const SHOWN_ROWS = 12;

/** The detail of a question: of a long change the first place, the rest one click away. */
function questionDetail(tool: ToolEntry): HTMLElement[] {
  const diff = tool.call.detail?.diff;
  if (!diff) {
    return detailView(tool);
  }
  const rows = withoutFarContext(foldBlankRows(diffRows(diff)));
  const end = firstPlaceEnd(rows);
  const { diff: _folded, ...detail } = tool.call.detail ?? {};
  const rest = rows.slice(end);
  return [
    ...detailView({ ...tool, call: { ...tool.call, detail } }),
    diffView(rows.slice(0, end)),
    rest.length > 0 &&
      h(
        "details",
        { class: "diff-rest" },
        h("summary", {}, `… ${restText(rest)}`),
        diffView(rest, "rest"),
      ),
  ].filter((view) => view !== false);
}

/** Unchanged rows that a change is shown with, before and behind it. */
const CONTEXT_ROWS = 2;

/** The title names the file, so the head goes; every changed row stays. */
function withoutFarContext(rows: readonly DiffRow[]): DiffRow[] {
  const changed = rows.flatMap(({ kind }, index) =>
    kind === "added" || kind === "removed" ? [index] : [],
  );
  const near = new Set(
    changed.flatMap((index) =>
      Array.from({ length: 2 * CONTEXT_ROWS + 1 }, (_, step) => index + step - CONTEXT_ROWS),
    ),
  );
  return rows.filter(({ kind }, index) => kind === "hunk" || (kind !== "head" && near.has(index)));
}

function firstPlaceEnd(rows: readonly DiffRow[]): number {
  const first = rows.findIndex(({ kind }) => kind === "hunk");
  const second = rows.findIndex(({ kind }, index) => kind === "hunk" && index > first);
  const end = second < 0 ? rows.length : second;
  return Math.min(end, first + 1 + SHOWN_ROWS);
}

function restText(rest: readonly DiffRow[]): string {
  const places = rest.filter(({ kind }) => kind === "hunk").length;
  const lines = rest.length - places;
  const more = `${lines} more ${lines === 1 ? "line" : "lines"}`;
  return places === 0 ? more : `${more}, ${places} more ${places === 1 ? "place" : "places"}`;
}

/** Exactly what will happen: the whole command, diff or address. */
export function detailView(tool: ToolEntry): HTMLElement[] {
  const { command, diff, address, plan, askedEachTime, askedAgain, confinement } =
    tool.call.detail ?? {};
  const plain = command ?? address ?? plan;
  const views: HTMLElement[] = [];
  if (askedEachTime) {
    const why = `Asked each time, because of ${askedEachTime}.`;
    views.push(h("p", { class: "each-time" }, ...revealHidden(why)));
  }
  if (askedAgain) {
    views.push(h("p", { class: "each-time" }, ...revealHidden(askedAgain)));
  }
  if (plain) {
    views.push(
      h(
        "pre",
        { class: "detail", ...named(nameOfDetail(tool)), "data-detail": "exact" },
        ...(command ? commandText(plain) : revealHidden(plain)),
      ),
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
    views.push(diffView(foldBlankRows(diffRows(diff))));
  }
  return views;
}

function nameOfDetail({ call }: ToolEntry): string {
  const { command, address } = call.detail ?? {};
  return command ? "Command" : address ? "Address" : "Plan";
}

interface Labels {
  readonly allowOnce: string;
  readonly rejectOnce: string;
  /** The button that sends a reason. */
  readonly reject: string;
  readonly why: string;
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

/** The field in which a plan is read, and edited before it is accepted. */
export const PLAN_FIELD = "textarea.plan";
const MOST_ROWS = 16;

/** The very text that will be pinned; what a person makes of it counts. */
function planView(plan: string): HTMLElement {
  const rows = plan.split("\n").length + 1;
  return h(
    "textarea",
    {
      class: "plan",
      rows: String(Math.min(rows, MOST_ROWS)),
      spellcheck: "false",
      "aria-label": "The plan; edit it before you accept it",
      "data-plan": plan,
    },
    plan,
  );
}

/** What a person made of the plan beside an answer; nothing where they left it as it was. */
export function editedPlan(answer: HTMLElement): { editedPlan?: string } {
  const field = answer.closest(".question")?.querySelector<HTMLTextAreaElement>(PLAN_FIELD);
  const changed = field && field.value !== field.dataset.plan;
  return changed ? { editedPlan: field.value } : {};
}

const KEYS: Readonly<Record<string, string>> = {
  allowOnce: "Control+Enter",
  rejectOnce: "Control+Backspace",
};

/** Allow, Reject…, and under More what holds for the session, each with what it covers. */
function answers(permission: Permission, labels: Labels): HTMLElement[] {
  const once = permission.options.filter(({ kind }) => kind in KEYS);
  const others = permission.options.filter(({ kind }) => !(kind in KEYS));
  return [
    ...once.map(onceAnswer(permission, labels)),
    ...(others.length > 0 ? [moreView(permission, others)] : []),
  ];
}

function onceAnswer(
  { requestId }: Permission,
  labels: Labels,
): (option: PermissionOption) => HTMLElement {
  return ({ optionId, kind }) =>
    h(
      "button",
      {
        type: "button",
        class: kind === "allowOnce" ? "primary" : "secondary",
        "data-action": kind === "rejectOnce" ? "askReason" : "answer",
        "data-request": requestId,
        "data-option": optionId,
        "data-kind": kind,
        "aria-keyshortcuts": KEYS[kind],
        title: KEYS[kind]?.replace("Control", "Ctrl"),
      },
      kind === "rejectOnce" ? labels.rejectOnce : labels.allowOnce,
    );
}

function says(name: string, scope: string): boolean {
  const [covers = ""] = scope.split(",");
  return name.toLowerCase().includes(covers.toLowerCase());
}

/** Of an answer that lasts, what stands between backticks as code: a command's words, a folder. */
function written(kind: string, text: string): Node[] {
  if (kind !== "allowAlways") {
    return revealHidden(text);
  }
  return text
    .split("`")
    .flatMap((piece, place) =>
      place % 2 === 1 ? [h("code", {}, ...commandText(piece))] : revealHidden(piece),
    );
}

function moreView({ requestId }: Permission, options: readonly PermissionOption[]): HTMLElement {
  const rows = options.map(({ optionId, kind, name, scope }) =>
    h(
      "button",
      {
        type: "button",
        class: "more-row",
        "data-action": "answer",
        "data-request": requestId,
        "data-option": optionId,
        "data-kind": kind,
      },
      h("span", {}, ...written(kind, name)),
      scope !== undefined &&
        !says(name, scope) &&
        h("span", { class: "scope" }, ...written(kind, scope)),
    ),
  );
  return h("details", { class: "more" }, h("summary", { class: "secondary" }, "More"), ...rows);
}

/** An answer to a question of spending, or of another address, is worded by the server. */
function plainAnswer({
  requestId,
}: Permission): (option: PermissionOption, index: number) => HTMLElement {
  return ({ optionId, kind, name }, index) =>
    h(
      "button",
      {
        type: "button",
        class: index === 0 ? "primary" : "secondary",
        "data-action": "answer",
        "data-request": requestId,
        "data-option": optionId,
        "data-kind": kind,
      },
      name,
    );
}

function reasonView(permission: Permission, labels: Labels): HTMLElement {
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
      placeholder: labels.why,
    }),
    h("button", { type: "submit", class: "secondary" }, labels.reject),
  );
}
