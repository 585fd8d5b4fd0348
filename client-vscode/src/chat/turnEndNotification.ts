import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import { endWords, type OtherSessions } from "./otherSessions";
import { isTold, TurnEnds } from "./turnEnds";
import type { ChatView } from "./view";

const SHOW = "Show";

/** Seconds of a turn whose end is told where the window is not in front; 0: none is. */
export function longTurnSeconds(): number {
  return vscode.workspace.getConfiguration("plimsoll.notifications").get("longTurnSeconds", 30);
}

/** Says that a long turn of the session on the screen has ended, where the window is not in front. */
export function notifyOfLongTurns(app: App, chat: ChatView, others: OtherSessions): void {
  const ends = new TurnEnds();
  app.onUpdate(({ sessionId, update }) => {
    const { session } = app.session.state;
    if (session === undefined || sessionId !== session.id) {
      return;
    }
    const took = ends.hear(update, Date.now());
    const { focused } = vscode.window.state;
    if (update.kind === "turnEnded" && isTold(took, longTurnSeconds(), session, focused)) {
      void tell(chat, `${others.titleOf(sessionId)} ${endWords(update)}`);
    }
  });
}

/** The words are the session's title alone: what was said in it is for the chat. */
async function tell(chat: ChatView, text: string): Promise<void> {
  if ((await showInformation(text, SHOW)) === SHOW) {
    await chat.reveal({ type: "focus", target: "lastMessage" });
  }
}
