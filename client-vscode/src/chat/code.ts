import * as vscode from "vscode";
import { editorLanguage } from "../text/languages";

/**
 * Puts the code of a block in the place of the selection of the editor that was used last.
 * Raises: an error where no editor is open or its document cannot be changed.
 */
export async function insertCode(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    throw new Error("Nothing was inserted: no editor is open. Open a file, put the cursor there.");
  }
  const code = text.replace(/\n$/, "");
  const { document, viewColumn } = editor;
  const changed = await editor.edit((edit) => edit.replace(editor.selection, code));
  if (!changed) {
    const path = vscode.workspace.asRelativePath(document.uri, false);
    throw new Error(`Nothing was inserted: ${path} cannot be changed. Choose another editor.`);
  }
  await vscode.window.showTextDocument(document, viewColumn);
}

/** Opens the code of a block as a new file that nobody has saved. */
export async function openNewFile(text: string, fence: string): Promise<void> {
  const language = editorLanguage(fence, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ content: text, language });
  await vscode.window.showTextDocument(document, { preview: false });
}
