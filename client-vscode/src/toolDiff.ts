import * as vscode from "vscode";
import type { VirtualDocuments } from "./documents";
import type { ToolCall } from "./protocol";
import { applyUnifiedDiff } from "./unifiedDiff";

/** Opens what an edit would do in the diff editor; where the file has moved on, the diff as text. */
export async function openToolDiff(documents: VirtualDocuments, call: ToolCall): Promise<void> {
  const diff = call.detail?.diff;
  const location = call.locations[0];
  if (!diff || location === undefined) {
    return;
  }
  const uri = vscode.Uri.parse(location.uri);
  const name = vscode.workspace.asRelativePath(uri, false);
  const before = await currentText(uri);
  const after = applyUnifiedDiff(before, diff);
  if (after === undefined) {
    await documents.show(`${name}.diff`, diff);
  } else {
    await documents.diff(call.title, name, before, after);
  }
}

async function currentText(uri: vscode.Uri): Promise<string> {
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
