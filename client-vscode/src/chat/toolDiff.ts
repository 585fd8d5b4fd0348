import * as vscode from "vscode";
import type { VirtualDocuments } from "../editor/documents";
import { fileChanges } from "../session/entries/changes";
import type { ToolEntry } from "../session/state";
import { applyUnifiedDiff, revertUnifiedDiff } from "../text/unifiedDiff";

/**
 * Opens what an edit would do, or has done, in the diff editor; where the file has moved on, the diff
 * as text. Of an edit of several files, the change of one; where none is named, all of it as text.
 */
export async function openToolDiff(
  documents: VirtualDocuments,
  tool: ToolEntry,
  file?: string,
): Promise<void> {
  const { call, permission } = tool;
  const changes = fileChanges(call);
  const change = changes.find(({ uri }) => uri === file) ?? changes[0];
  if (change === undefined) {
    return;
  }
  const proposal = permission ? call.id : undefined;
  if (file === undefined && changes.length > 1) {
    await documents.showText(`${call.title}.diff`, call.detail?.diff ?? "", proposal);
    return;
  }
  const { diff } = change;
  const uri = vscode.Uri.parse(change.uri);
  const name = vscode.workspace.asRelativePath(uri, false);
  const sides = sidesOf(await currentText(uri), diff, tool.status === "completed");
  if (sides === undefined) {
    await documents.showText(`${name}.diff`, diff, proposal);
  } else {
    await documents.showDiff(call.title, name, { ...sides, ...(proposal && { proposal }) });
  }
}

function sidesOf(current: string, diff: string, done: boolean) {
  if (done) {
    const before = revertUnifiedDiff(current, diff);
    return before === undefined ? undefined : { before, after: current };
  }
  const after = applyUnifiedDiff(current, diff);
  return after === undefined ? undefined : { before: current, after };
}

/** The text of a file with plain line ends; empty where there is no file. */
export async function currentText(uri: vscode.Uri): Promise<string> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText().replaceAll("\r\n", "\n");
  } catch (error) {
    // A new file: there is nothing before.
    if (error instanceof Error && !(await exists(uri))) {
      return "";
    }
    throw error;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) {
      return false;
    }
    throw error;
  }
}
