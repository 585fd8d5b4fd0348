import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageserver-protocol";

/**
 * The open files of an edit that no tab shows and that have no unsaved changes: they are open only
 * since a language extension was asked about them, and nobody would look for the change there.
 */
export function unshownFiles(edit: WorkspaceEdit): vscode.TextDocument[] {
  const touched = urisOf(edit);
  return vscode.workspace.textDocuments.filter(
    (document) =>
      touched.has(document.uri.toString()) && !document.isDirty && !isShown(document.uri),
  );
}

function urisOf(edit: WorkspaceEdit): Set<string> {
  const changes = edit.documentChanges ?? [];
  const named = changes.flatMap((change) => ("edits" in change ? [change.textDocument.uri] : []));
  const uris = [...named, ...Object.keys(edit.changes ?? {})];
  return new Set(uris.map((uri) => vscode.Uri.parse(uri).toString()));
}

function isShown(uri: vscode.Uri): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => {
    if (input instanceof vscode.TabInputText) {
      return input.uri.toString() === uri.toString();
    }
    return input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
  });
}
