import * as vscode from "vscode";
import { withoutLinks } from "../text/format";

/** Notifications say what servers, tools and files said: nothing in that may become a link. */
export function showInformation(
  message: string,
  ...actions: string[]
): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(withoutLinks(message), ...actions);
}

export function showWarning(message: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(withoutLinks(message), ...actions);
}

export function showError(message: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(withoutLinks(message), ...actions);
}

/** Asks in the middle of the window which of some actions is meant; undefined: none. */
export function choose(
  message: string,
  detail: string,
  ...actions: string[]
): Thenable<string | undefined> {
  const options = { modal: true, detail };
  return vscode.window.showWarningMessage(withoutLinks(message), options, ...actions);
}

/** Asks before something that cannot be taken back. */
export async function confirm(message: string, detail: string, action: string): Promise<boolean> {
  const options = { modal: true, detail };
  const picked = await vscode.window.showWarningMessage(withoutLinks(message), options, action);
  return picked === action;
}
