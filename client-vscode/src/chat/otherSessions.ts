import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import type { SessionInfo, SessionUpdateParams, TurnEnded } from "../protocol";

const OPEN = "Open";

/** The sessions that this window has shown or heard of, and what is worth a word of those in the background. */
export class OtherSessions {
  private readonly known = new Map<string, SessionInfo>();

  know(session: SessionInfo): void {
    this.known.set(session.id, session);
  }

  find(sessionId: string): SessionInfo | undefined {
    return this.known.get(sessionId);
  }

  /** A session by the name that people know it by. */
  titleOf(sessionId: string): string {
    return `“${this.known.get(sessionId)?.title || "Untitled session"}”`;
  }

  /** Takes an update; what there is to say of it, if its session is not the one that is shown. */
  hear({ sessionId, update }: SessionUpdateParams, shownId: string | undefined) {
    if (update.kind === "sessionChanged") {
      this.know(update.session);
    }
    // Of a subagent its caller tells; what was cancelled was so by a person.
    const agent = this.known.get(sessionId)?.agent;
    const ended = update.kind === "turnEnded" && update.stopReason !== "cancelled";
    return ended && sessionId !== shownId && agent === undefined
      ? `${this.titleOf(sessionId)} ${endWords(update)}`
      : undefined;
  }
}

/** How a turn ended, behind the name of its session. */
export function endWords({ stopReason, error }: TurnEnded): string {
  if (error !== undefined) {
    return "ended with an error.";
  }
  return stopReason === "endTurn" ? "is done." : "stopped before it was done.";
}

/** Says that a turn has ended in a session that is not on the screen, and offers to open it. */
export function notifyOfOtherSessions(app: App): OtherSessions {
  const others = new OtherSessions();
  app.own(
    app.session.onAction((action) => {
      if (action.type === "loaded" || action.type === "session") {
        others.know(action.session);
      }
    }),
  );
  app.onUpdate((params) => {
    const text = others.hear(params, app.session.sessionId);
    if (text !== undefined) {
      void tell(app, others, params.sessionId, text);
    }
  });
  return others;
}

async function tell(app: App, others: OtherSessions, id: string, text: string): Promise<void> {
  if ((await showInformation(text, OPEN)) === OPEN) {
    await showSession(app, others, id);
    await vscode.commands.executeCommand("plimsoll.focusChat");
  }
}

/** Shows a session of this window, unless it is on the screen. */
export async function showSession(app: App, others: OtherSessions, id: string): Promise<void> {
  const folder = others.find(id)?.workspaceFolder ?? app.folder?.uri.toString();
  if (id !== app.session.sessionId && folder !== undefined) {
    await app.session.load(folder, id);
  }
}
