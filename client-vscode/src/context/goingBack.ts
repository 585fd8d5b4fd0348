import * as vscode from "vscode";
import type { App } from "../app";
import type { FileResult, SessionInfo } from "../protocol";

/** Saves what was put back in the editor's buffers, which need not stand in any tab. */
export async function saveRestored(files: readonly FileResult[]): Promise<void> {
  const uris = new Set(
    files
      .filter(({ action }) => action === "restored")
      .map(({ uri }) => vscode.Uri.parse(uri).fsPath),
  );
  const dirty = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && uris.has(uri.fsPath),
  );
  await Promise.all(dirty.map((document) => document.save()));
}

/** Shows what an undone rewind brought back: the conversation, and the files that it had put back. */
export async function showBroughtBack(
  app: App,
  session: SessionInfo,
  files: readonly FileResult[],
): Promise<void> {
  await saveRestored(files);
  await app.session.load(session.workspaceFolder, session.id);
}
