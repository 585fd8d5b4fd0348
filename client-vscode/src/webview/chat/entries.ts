import type { MessageAction, PageCommand } from "../../chat/messages";
import type { MemoryAnswer } from "../../memory/notices";
import { QUIET_STAGES, receiptText } from "../../session/labels/receipts";
import { settingTitle } from "../../session/settingNames";
import type {
  AnswerEntry,
  Entry,
  ErrorEntry,
  NoticeEntry,
  ReceiptEntry,
  UserEntry,
} from "../../session/state";
import { lookup } from "../../text/lookup";
import { h } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { renderMarkdown } from "../markdown";
import { toolView } from "./cards/tool";
import { changesView } from "./changes";

/** Draws one entry; undefined when it has nothing to show in the chat. */
export function entryView(entry: Entry): HTMLElement | undefined {
  switch (entry.kind) {
    case "user":
      return h("div", {}, userView(entry), actionsView(entry.id, PROMPT_ACTIONS));
    case "command":
      return h("div", { class: "user command" }, h("code", {}, ...revealHidden(entry.text)));
    case "answer":
      return answerView(entry);
    case "tool":
      return toolView(entry);
    case "changes":
      return changesView(entry);
    case "receipt":
      return receiptView(entry);
    case "notice":
      return noticeView(entry);
    case "error":
      return errorView(entry);
    default:
      return unknownEntry(entry);
  }
}

function unknownEntry(entry: never): never {
  throw new Error(`No view for ${JSON.stringify(entry)}`);
}

/** Who speaks, for the label of an article. */
export function author(entry: Entry): string {
  return AUTHORS[entry.kind];
}

const AUTHORS: Readonly<Record<Entry["kind"], string>> = {
  user: "You",
  command: "Your command",
  answer: "Plimsoll",
  tool: "Tool",
  changes: "Changed files",
  receipt: "Reduction",
  notice: "Notice",
  error: "Error",
};

function userView(entry: UserEntry): HTMLElement {
  const chips = entry.attachments.map((label) => h("span", { class: "chip" }, label));
  return h(
    "div",
    { class: "user" },
    ...revealHidden(entry.text),
    chips.length > 0 && h("div", { class: "went-along" }, ...chips),
  );
}

function answerView(entry: AnswerEntry): HTMLElement {
  const body = h("div", { class: "markdown" });
  body.append(renderMarkdown(entry.text, entry.streaming));
  return h(
    "div",
    { class: "answer" },
    entry.reasoning !== "" && reasoningView(entry),
    body,
    entry.streaming && h("span", { class: "caret", "aria-hidden": "true" }),
    !entry.streaming && entry.text !== "" && actionsView(entry.id, ANSWER_ACTIONS),
  );
}

type ActionWords = readonly [MessageAction["how"], label: string, help: string];

const PROMPT_ACTIONS: readonly ActionWords[] = [
  ["edit", "Edit", "Edit this prompt and say it again: what came after it leaves"],
  ["fork", "Fork from here", "Carry on from before this prompt in a copy"],
  [
    "goBack",
    "Go back to here",
    "What came after this prompt leaves; files can be put back as they were",
  ],
];
const ANSWER_ACTIONS: readonly ActionWords[] = [
  ["copy", "Copy", "Copy this answer as Markdown"],
  ["retry", "Retry", "Ask the same again: this answer leaves"],
];

/** What can be done with a message: seen under the pointer and with the focus. */
function actionsView(id: string, actions: readonly ActionWords[]): HTMLElement {
  const buttons = actions.map(([how, label, help]) =>
    h(
      "button",
      {
        type: "button",
        class: "link",
        title: help,
        "data-action": "message",
        "data-message": id,
        "data-how": how,
      },
      label,
    ),
  );
  return h("div", { class: "message-actions", role: "group", "aria-label": "Actions" }, ...buttons);
}

function reasoningView(entry: AnswerEntry): HTMLElement {
  const body = h("div", { class: "markdown" });
  body.append(renderMarkdown(entry.reasoning, entry.streaming));
  const title = entry.streaming && entry.text === "" ? "Thinking…" : "Thought";
  return h("details", { class: "reasoning" }, h("summary", {}, title), body);
}

function receiptView(entry: ReceiptEntry): HTMLElement | undefined {
  const { receipt } = entry;
  if (QUIET_STAGES.has(receipt.stage)) {
    return undefined;
  }
  const planned = receipt.status === "planned";
  return h(
    "div",
    { class: "receipt", "data-edit": receipt.id, "data-undone": receipt.undone },
    h("div", {}, ...revealHidden(receiptText(receipt))),
    h("div", { class: "links" }, ...(planned ? plannedLinks(entry) : receiptLinks(entry))),
  );
}

function receiptLinks({ receipt }: ReceiptEntry): HTMLElement[] {
  if (receipt.status !== "completed") {
    return [];
  }
  const link = (show: string, label: string) =>
    h(
      "button",
      {
        type: "button",
        class: "link",
        "data-action": "receipt",
        "data-edit": receipt.id,
        "data-show": show,
      },
      label,
    );
  const links = [link("receipt", "Details"), link("diff", "Before / after")];
  return receipt.undone ? links : [...links, link("undo", "Undo")];
}

/** What can be answered to a planned compaction; one that was put off can still be done now. */
function plannedLinks({ until }: ReceiptEntry): HTMLElement[] {
  const now = commandButton("compact", "Compact now");
  const later = (when: string, label: string) =>
    h(
      "button",
      { type: "button", class: "link", "data-action": "postpone", "data-until": when },
      label,
    );
  const never = later("session", "Not in this session");
  switch (until) {
    case undefined:
      return [now, later("later", "Later"), never];
    case "later":
      return [h("span", {}, "Put off for a few turns."), now, never];
    case "session":
      return [h("span", {}, "Not by itself in this session."), now];
  }
}

function undoLink({ undo }: NoticeEntry): HTMLElement[] {
  const does = { "data-action": "receipt", "data-edit": undo, "data-show": "undo" };
  return undo === undefined
    ? []
    : [h("button", { type: "button", class: "link", ...does }, "Undo")];
}

/** What can be done with the memory that a notice tells of. */
function memoryLinks({ memory }: NoticeEntry): HTMLElement[] {
  if (memory === undefined) {
    return [];
  }
  const link = (answer: MemoryAnswer, label: string) => {
    const does = { "data-action": "memory", "data-memory": memory.id, "data-answer": answer };
    return h("button", { type: "button", class: "link", ...does }, label);
  };
  return memory.waits ? [link("accept", "Save"), link("reject", "No")] : [link("forget", "Undo")];
}

function noticeView(entry: NoticeEntry): HTMLElement {
  const body = h("div", { class: "markdown" });
  body.append(renderMarkdown(entry.markdown));
  const settings = (entry.settings ?? []).map(settingButton);
  const links = [...settings, ...undoLink(entry), ...memoryLinks(entry)];
  return h(
    "div",
    { class: "notice", "data-level": entry.level },
    body,
    links.length > 0 && h("div", { class: "links" }, ...links),
    entry.retry && h("div", { class: "choices" }, ...againButtons(entry.id)),
  );
}

/** What can be done at once about an error of a kind, as the server names it. */
export const REMEDIES: Readonly<Record<string, readonly [PageCommand, string]>> = lookup({
  busy: ["forkSession", "Fork this session"],
  providerAuth: ["setApiKey", "Set API key…"],
  providerModel: ["selectModel", "Select model…"],
  untrustedWorkspace: ["manageTrust", "Manage trust"],
  infeasible: ["showContextReport", "Show report"],
  spendLimit: ["raiseSpendLimit", "Raise spend limit…"],
  addressChanged: ["selectModel", "Select model…"],
  providerOverflow: ["compact", "Compact"],
  storeDamaged: ["salvageStore", "Salvage…"],
  storeUnavailable: ["showLogs", "Show logs"],
});

function errorView(entry: ErrorEntry): HTMLElement {
  const buttons = [...retryButtons(entry), ...fixButtons(entry)];
  return h(
    "div",
    { class: "error", "data-error": entry.errorKind },
    h("div", {}, h("b", {}, "Error: "), ...revealHidden(entry.message)),
    entry.remedy !== undefined && h("div", { class: "remedy" }, ...revealHidden(entry.remedy)),
    buttons.length > 0 && h("div", { class: "choices" }, ...buttons),
  );
}

function retryButtons({ id, retry, interrupted }: ErrorEntry): HTMLElement[] {
  if (!retry) {
    return [];
  }
  const primary = { type: "button", class: "primary", "data-action": "retry" };
  const [again, edit] = againButtons(id);
  return interrupted
    ? [h("button", primary, "Continue"), again, edit]
    : [h("button", primary, "Retry"), edit];
}

/** Says the prompt of a turn that ended badly once more in its place, or takes it back to be changed. */
function againButtons(id: string): readonly [HTMLElement, HTMLElement] {
  const button = (how: MessageAction["how"], label: string, title: string) =>
    h(
      "button",
      {
        type: "button",
        class: "secondary",
        title,
        "data-action": "message",
        "data-message": id,
        "data-how": how,
      },
      label,
    );
  return [
    button("retry", "Retry", "Send the same prompt again in its place, with what went along"),
    button(
      "edit",
      "Edit",
      "Put the prompt back into the message field; it leaves the conversation",
    ),
  ];
}

const CONNECT = ["connectModel", "Connect a model…"] as const;

/** What can be done at once about what is to be put right; else about the kind of the error. */
const FIXES: Readonly<Record<string, readonly (readonly [PageCommand, string])[]>> = {
  key: [["setApiKey", "Set API key…"], CONNECT],
  model: [["selectModel", "Select model…"], CONNECT],
  address: [CONNECT],
  window: [["compact", "Compact"]],
};

function fixButtons({ fix, errorKind, item }: ErrorEntry): HTMLElement[] {
  const byKind = REMEDIES[errorKind];
  const commands = FIXES[fix?.kind ?? ""] ?? (byKind ? [byKind] : []);
  return [
    ...(fix?.address ? [addressButton(fix.address)] : []),
    ...(item === undefined ? [] : [removeButton(item)]),
    ...commands.map(([command, label]) => commandButton(command, label, "secondary")),
    ...(fix?.setting ? [settingButton(fix.setting)] : []),
  ];
}

function addressButton(address: string): HTMLElement {
  const attributes = { "data-action": "useAddress", "data-address": address };
  return h(
    "button",
    { type: "button", class: "secondary", ...attributes },
    ...revealHidden(`Use ${address}`),
  );
}

function removeButton(item: string): HTMLElement {
  const attributes = { "data-action": "removeItem", "data-item": item };
  return h("button", { type: "button", class: "secondary", ...attributes }, "Remove from context");
}

/** Opens a setting, which stands here under the title that the Settings editor gives it. */
function settingButton(setting: string): HTMLElement {
  const attributes = { "data-action": "openSetting", "data-setting": setting };
  return h("button", { type: "button", class: "link", ...attributes }, settingTitle(setting));
}

export function commandButton(command: PageCommand, label: string, look = "link"): HTMLElement {
  return h(
    "button",
    { type: "button", class: look, "data-action": "run", "data-command": command },
    label,
  );
}
