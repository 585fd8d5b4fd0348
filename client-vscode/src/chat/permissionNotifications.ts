import type { App } from "../app";
import { showWarning } from "../editor/notifications";
import type { Action } from "../session/reduce";
import { withoutLinks } from "../text/format";
import type { ChatView } from "./view";

const SHOW = "Show";
/** A toast has room for about this much; what is longer is read in the chat before it is allowed. */
const READABLE_CHARACTERS = 160;

type PermissionRequested = Extract<Action, { type: "permissionRequested" }>;

/** Asks in a notification when the chat, where the question stands, is not in sight. */
export function notifyPermissionRequests(app: App, chat: ChatView): void {
  app.own(
    app.session.onAction((action) => {
      const elsewhere =
        action.type === "permissionRequested" && action.sessionId !== app.session.sessionId;
      if (action.type === "permissionRequested" && (elsewhere || !chat.visible)) {
        void ask(app, action, chat);
      }
    }),
  );
}

async function ask(app: App, asked: PermissionRequested, chat: ChatView): Promise<void> {
  const answers = answersThatFit(asked);
  const { title, detail } = asked.toolCall;
  const message =
    answers.length > 0 ? `Plimsoll asks to run: ${detail?.command}` : `Plimsoll asks: ${title}`;
  const picked = await showWarning(message, ...answers.map(({ name }) => name), SHOW);
  const option = answers.find(({ name }) => name === picked);
  if (option !== undefined) {
    app.permissions.answer(asked.requestId, option.optionId);
  } else if (picked === SHOW) {
    await show(app, asked);
    await chat.reveal({ type: "focus", target: "lastMessage" });
  }
}

/** The question of another session is read in its own conversation. */
async function show(app: App, { sessionId }: PermissionRequested): Promise<void> {
  const folder = app.folder?.uri.toString();
  if (sessionId !== app.session.sessionId && folder !== undefined) {
    await app.session.load(folder, sessionId);
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
