/** The chat page in a document of the test, with the host's end of the line in the test's hands. */
import { beforeEach } from "vitest";
import type { FromChatPage, ToChatPage } from "../../../src/chat/messages";
import type { Action } from "../../../src/session/reduce";
import { type ChatState, EMPTY_STATE } from "../../../src/session/state";
import { type ChatHost, ChatPage, type ChatPageState } from "../../../src/webview/chat/page";
import { session } from "../../values";

const COMMANDS = [
  { name: "compact", arguments: "[instructions]", alone: true, help: "Compact now." },
  { name: "cost", arguments: "", alone: true, help: "Show the cost." },
  { name: "pin", arguments: "TEXT", alone: false, help: "Pin a text." },
];
export const READY: ChatState = { ...EMPTY_STATE, connection: "ready", session: session() };

/** What the page has told the host since it was opened. */
export let posts: FromChatPage[];
let saved: ChatPageState | undefined;
/** Tells the page something, as the host does. */
export let send: (message: ToChatPage) => void;

/** Opens the page; its draft and scroll are those of the test's earlier pages. */
export function open(state: ChatState = READY): void {
  posts = [];
  document.body.replaceChildren();
  const host: ChatHost = {
    post: (sent) => posts.push(sent),
    getState: () => saved,
    setState: (next) => {
      saved = next;
    },
    onMessage: (listener) => {
      send = listener;
    },
  };
  // The pages of earlier tests hear nothing of this one.
  const root = document.createElement("main");
  document.body.append(root);
  new ChatPage(host, root);
  send({ type: "state", state, attachments: [], commands: COMMANDS });
}

export function act(action: Action): void {
  send({ type: "action", action });
}

export async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

export function one<T extends Element = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (found === null) {
    throw new Error(`nothing matches ${selector}`);
  }
  return found;
}

export function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll("button")].find(
    (element) => element.textContent?.includes(name) && element.closest("[hidden]") === null,
  );
  if (found === undefined) {
    throw new Error(`no button says ${name}`);
  }
  return found;
}

export function field(): HTMLTextAreaElement {
  return one<HTMLTextAreaElement>("textarea[aria-label=Message]");
}

export function type(text: string): void {
  field().value = text;
  field().setSelectionRange(text.length, text.length);
  field().dispatchEvent(new Event("input", { bubbles: true }));
}

export function key(name: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", {
    key: name,
    bubbles: true,
    cancelable: true,
    ...init,
  });
  field().dispatchEvent(event);
  return event;
}

beforeEach(() => {
  saved = undefined;
});
