import * as vscode from "vscode";
import type { App } from "../app";
import { HunkKeepRequest, HunkUndoRequest } from "../methods";
import { diffsOf } from "../session/entries/changes";
import type { ChangedFile } from "../session/state";
import { createsFile, revertUnifiedDiff } from "../text/unifiedDiff";
import { currentText } from "./toolDiff";

/** What an editor shows for bytes that are no character in the encoding in which it has read a file. */
const REPLACEMENT = "\ufffd";

/**
 * Keeps the changes of a turn, or puts files back as they were before it; without a URI, all that are
 * still open. A file that was changed since in the same place is left alone and named.
 */
export async function settleChanges(
  app: App,
  entryId: string,
  how: "keep" | "undo",
  uri: string | undefined,
): Promise<void> {
  const entry = app.session.state.entries.find(
    (one) => one.kind === "changes" && one.id === entryId,
  );
  const files = entry?.kind === "changes" ? entry.files : [];
  const meant = files.filter((file) =>
    uri === undefined ? file.settled === undefined : file.uri === uri,
  );
  const settled = how === "keep" ? "kept" : "undone";
  const left: string[] = [];
  const { sessionId } = app.session;
  for (const file of meant) {
    if (how === "keep" && sessionId !== undefined) {
      await app.request(HunkKeepRequest, { sessionId, uri: file.uri });
    }
    if (how === "keep" || (await undo(app, entryId, file))) {
      app.session.dispatch({ type: "changeSettled", entryId, uris: [file.uri], settled });
    } else {
      left.push(file.name);
    }
  }
  if (left.length > 0) {
    throw new Error(
      `Not undone: ${left.join(", ")} was changed since in the same place. Open its diff to see what the agent did.`,
    );
  }
}

async function undo(app: App, entryId: string, file: ChangedFile): Promise<boolean> {
  const uri = vscode.Uri.parse(file.uri);
  const diffs = diffsOf(app.session.state.entries, file);
  let text: string | undefined = await currentText(uri);
  if (text.includes(REPLACEMENT)) {
    return undoOnDisk(app, entryId, file);
  }
  for (const diff of diffs.toReversed()) {
    text = text === undefined ? undefined : revertUnifiedDiff(text, diff);
  }
  if (text === undefined) {
    return false;
  }
  const edit = new vscode.WorkspaceEdit();
  if (text === "" && createsFile(diffs[0] ?? "")) {
    edit.deleteFile(uri, { ignoreIfNotExists: true });
    return vscode.workspace.applyEdit(edit);
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(uri, document.validateRange(whole), text);
  return (await vscode.workspace.applyEdit(edit)) && (await document.save());
}

/** Saved from the editor, its signs would stand in the place of the file's letters: the server has the bytes. */
async function undoOnDisk(app: App, entryId: string, { uri, name }: ChangedFile): Promise<boolean> {
  const { sessionId, state } = app.session;
  const later = state.entries.some(
    (one) =>
      one.kind === "changes" &&
      one.id !== entryId &&
      one.files.some((file) => file.uri === uri && file.settled === undefined),
  );
  if (later || sessionId === undefined) {
    throw new Error(
      `${name} is open in another encoding than it was written in, and several turns changed it. Undo each change in the file, or go back to a prompt.`,
    );
  }
  const { left } = await app.request(HunkUndoRequest, { sessionId, uri });
  const [file] = left ?? [];
  if (file !== undefined) {
    throw new Error(`Not undone in ${name}: ${file.why}`);
  }
  return true;
}
