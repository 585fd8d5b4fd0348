import type { FromChatPage, MessageAction } from "../../chat/messages";
import type { MemoryAnswer } from "../../memory/notices";
import { editedPlan } from "./question/plan";

type ClickHandler = (
  target: HTMLElement,
  prompt: (text: string) => void,
) => FromChatPage | undefined;

type Run = Extract<FromChatPage, { type: "run" }>;

type ReceiptLink = Extract<FromChatPage, { type: "receipt" }>;

type Postpone = Extract<FromChatPage, { type: "postpone" }>;

/** What a click on an element with `data-action` means. */
export const CLICK_HANDLERS: Readonly<Record<string, ClickHandler>> = {
  link: ({ dataset }) => ({ type: "openLink", href: dataset.href ?? "" }),
  file: ({ dataset }) => ({
    type: "openFile",
    path: dataset.path ?? "",
    line: Number(dataset.line),
  }),
  copy: (target) => ({ type: "copy", text: codeOf(target) }),
  insertCode: (target) => ({ type: "insertCode", text: codeOf(target) }),
  newFile: (target) => ({
    type: "newFile",
    text: codeOf(target),
    language: target.closest<HTMLElement>(".code")?.dataset.language ?? "",
  }),
  openSession: ({ dataset }) => ({ type: "openSession", sessionId: dataset.session ?? "" }),
  openDiff: ({ dataset }) => ({
    type: "openDiff",
    toolCallId: dataset.id ?? "",
    ...(dataset.uri === undefined ? {} : { uri: dataset.uri }),
  }),
  showOutput: ({ dataset }) => ({ type: "showOutput", toolCallId: dataset.id ?? "" }),
  settleChange: ({ dataset }) => ({
    type: "settleChange",
    entryId: dataset.entry ?? "",
    how: dataset.how === "keep" ? "keep" : "undo",
    ...(dataset.uri ? { uri: dataset.uri } : {}),
  }),
  unqueue: ({ dataset }) => ({
    type: "unqueue",
    queuedId: dataset.queued ?? "",
    edit: dataset.edit === "true",
  }),
  retry: () => ({ type: "retry" }),
  memory: ({ dataset }) => ({
    type: "memory",
    id: dataset.memory ?? "",
    answer: dataset.answer as MemoryAnswer,
  }),
  message: ({ dataset }) => ({
    type: "message",
    id: dataset.message ?? "",
    how: dataset.how as MessageAction["how"],
  }),
  openSetting: ({ dataset }) => ({ type: "openSetting", setting: dataset.setting ?? "" }),
  useAddress: ({ dataset }) => ({ type: "useAddress", address: dataset.address ?? "" }),
  removeItem: ({ dataset }) => ({ type: "removeItem", item: dataset.item ?? "" }),
  detach: ({ dataset }) => ({ type: "detach", id: dataset.id ?? "" }),
  toggleActive: () => ({ type: "toggleActive" }),
  run: ({ dataset }) => ({ type: "run", command: dataset.command as Run["command"] }),
  postpone: ({ dataset }) => ({ type: "postpone", until: dataset.until as Postpone["until"] }),
  receipt: ({ dataset }) => ({
    type: "receipt",
    editId: dataset.edit ?? "",
    show: dataset.show as ReceiptLink["show"],
  }),
  answer: (target) => ({
    type: "answer",
    requestId: target.dataset.request ?? "",
    optionId: target.dataset.option ?? "",
    ...editedPlan(target),
  }),
  askReason: (target) => {
    const form = target.closest(".question")?.querySelector<HTMLFormElement>("form.reason");
    if (form) {
      form.hidden = false;
      form.querySelector("input")?.focus();
    }
    return undefined;
  },
  prompt: (target, prompt) => {
    prompt(target.dataset.prompt ?? "");
    return undefined;
  },
};

/** The text of the block that a button belongs to. */
function codeOf(button: HTMLElement): string {
  return button.closest(".code")?.querySelector("code")?.textContent ?? "";
}
