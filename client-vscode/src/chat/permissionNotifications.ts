import * as vscode from "vscode";
import type { App } from "../app";
import { showWarning } from "../editor/notifications";
import type { Action } from "../session/reduce";
import { withoutLinks } from "../text/format";
import { type OtherSessions, showSession } from "./otherSessions";
import { longTurnSeconds } from "./turnEndNotification";
import type { ChatView } from "./view";

const SHOW = "Show";
/** The question of another session is read in its own conversation. */
const OPEN = "Open";
/** A toast has room for about this much; what is longer is read in the chat before it is allowed. */
const READABLE_CHARACTERS = 160;

type PermissionRequested = Extract<Action, { type: "permissionRequested" }>;

interface NotificationParts {
  readonly app: App;
  readonly chat: ChatView;
  readonly others: OtherSessions;
}

/** Asks in a notification when the chat, where the question stands, or the window is not in sight. */
export function notifyPermissionRequests(parts: NotificationParts): void {
  const { app, chat } = parts;
  app.own(
    app.session.onAction((action) => {
      if (action.type !== "permissionRequested") {
        return;
      }
      if (action.sessionId !== app.session.sessionId) {
        void ask(parts, action, OPEN);
      } else if (!chat.visible || (longTurnSeconds() > 0 && !vscode.window.state.focused)) {
        void ask(parts, action, SHOW);
      }
    }),
  );
}

async function ask(parts: NotificationParts, asked: PermissionRequested, look: string) {
  const { app, chat, others } = parts;
  const answers = answersThatFit(asked);
  const { title, detail } = asked.toolCall;
  const who = look === OPEN ? others.titleOf(asked.sessionId) : "Plimsoll";
  const message =
    answers.length > 0 ? `${who} asks to run: ${detail?.command}` : `${who} asks: ${title}`;
  const picked = await showWarning(message, ...answers.map(({ name }) => name), look);
  const option = answers.find(({ name }) => name === picked);
  if (option !== undefined) {
    app.permissions.answer(asked.requestId, option.optionId);
  } else if (picked === look) {
    await showSession(app, others, asked.sessionId);
    await chat.reveal({ type: "focus", target: "lastMessage" });
  }
}

/** Nothing is allowed unseen: answers are offered only where all that will happen stands in the toast. */
function answersThatFit({
  toolCall,
  options,
}: PermissionRequested): { name: string; optionId: string }[] {
  const command = toolCall.detail?.command ?? "";
  const plain = /^[\x20-\x7E]+$/.test(command) && withoutLinks(command) === command;
  const readable = plain && command.length <= READABLE_CHARACTERS;
  const once = options.filter(({ kind }) => kind === "allowOnce" || kind === "rejectOnce");
  return readable ? [...once] : [];
}
