import * as vscode from "vscode";
import { isInside } from "../chat/files";
import { mentionText } from "../session/content";

/**
 * What stands in the field for files and folders that were dropped on it.
 * Raises: an error for one outside the folder.
 */
export async function droppedMentions(
  folder: vscode.WorkspaceFolder,
  uris: readonly string[],
): Promise<string> {
  const mentions = await Promise.all(uris.map((uri) => droppedMention(folder, uri)));
  return mentions.map((mention) => `${mention} `).join("");
}

async function droppedMention(folder: vscode.WorkspaceFolder, dropped: string): Promise<string> {
  const uri = vscode.Uri.parse(dropped, true);
  if (uri.scheme === folder.uri.scheme && isInside(folder, uri)) {
    const { type } = await vscode.workspace.fs.stat(uri);
    const path = uri.path.slice(folder.uri.path.length + 1);
    return mentionText(type & vscode.FileType.Directory ? `${path.replace(/\/$/, "")}/` : path);
  }
  throw new Error(
    `${vscode.workspace.asRelativePath(uri)} was not added: it is outside the folder. ` +
      "Send a selection of it instead (“Plimsoll: Add Selection to Chat”).",
  );
}
