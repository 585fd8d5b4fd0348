import * as vscode from "vscode";
import type { App } from "../app";
import type { ChatState } from "../session/state";

/** What the manifest asks before it offers a command: whether it can act now. */
export function contextKeys({ connection, session, turnId, entries }: ChatState) {
  const receipts = entries.filter((entry) => entry.kind === "receipt");
  return {
    "plimsoll.session": connection === "ready" && session !== undefined,
    "plimsoll.followed": session?.heldBy !== undefined,
    "plimsoll.running": turnId !== undefined,
    "plimsoll.reduced": receipts.some(
      ({ receipt }) => receipt.status === "completed" && !receipt.undone,
    ),
    "plimsoll.planned": receipts.some(({ receipt }) => receipt.status === "planned"),
  };
}

/** Keeps what the manifest asks of files: those of which the editor reports problems. */
function keepFilesWithProblems(app: App): void {
  const tell = () => {
    const files = vscode.languages
      .getDiagnostics()
      .filter(([{ scheme }, list]) => scheme === "file" && list.length > 0)
      .map(([uri]) => uri.fsPath);
    void vscode.commands.executeCommand("setContext", "plimsoll.filesWithProblems", files);
  };
  app.own(vscode.languages.onDidChangeDiagnostics(tell));
  tell();
}

/** Keeps the keys as the session is; only what changes is told. */
export function keepContextKeys(app: App): void {
  const told = new Map<string, boolean>();
  const tell = () => {
    for (const [key, value] of Object.entries(contextKeys(app.session.state))) {
      if (told.get(key) !== value) {
        told.set(key, value);
        void vscode.commands.executeCommand("setContext", key, value);
      }
    }
  };
  app.own(app.session.onAction(tell));
  tell();
  keepFilesWithProblems(app);
}
