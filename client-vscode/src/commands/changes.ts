import * as vscode from "vscode";
import type { App } from "../app";
import { changePlaces, nextPlace } from "../session/changePlaces";

/**
 * Goes from one change of the agent to the next one, or back.
 * Raises: an error where no turn has changed a file.
 */
export function showChange(app: App, step: 1 | -1) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const here = editor && {
      uri: editor.document.uri.toString(),
      line: editor.selection.active.line,
    };
    const place = nextPlace(changePlaces(app.session.state.entries), here, step);
    if (place === undefined) {
      throw new Error("No file was changed in this session, or all changes were undone.");
    }
    const at = new vscode.Position(place.line, 0);
    const uri = vscode.Uri.parse(place.uri);
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
  };
}
