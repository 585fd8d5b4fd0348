import type { PermissionOption } from "../../../protocol";
import type { Permission } from "../../../session/state";
import { commandText } from "../../commandText";
import { h } from "../../dom";
import { revealHidden } from "../../hiddenCharacters";

export interface Labels {
  readonly allowOnce: string;
  readonly rejectOnce: string;
  /** The button that sends a reason. */
  readonly reject: string;
  readonly why: string;
}

const KEYS: Readonly<Record<string, string>> = {
  allowOnce: "Control+Enter",
  rejectOnce: "Control+Backspace",
};

/** Allow, Reject…, and under More what holds for the session, each with what it covers. */
export function answers(permission: Permission, labels: Labels): HTMLElement[] {
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
export function plainAnswer({
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

export function reasonView(permission: Permission, labels: Labels): HTMLElement {
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
