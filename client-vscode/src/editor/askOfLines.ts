import * as vscode from "vscode";
import type { App } from "../app";
import type { Attachments } from "../chat/attachments";
import type { ChatView } from "../chat/view";
import { promptContent } from "../session/content";
import { showInformation } from "./notifications";

export interface LinesParts {
  readonly app: App;
  readonly chat: ChatView;
  readonly attachments: Attachments;
}

/** Asks at once what the selected lines do. */
export function explainSelection(parts: LinesParts) {
  return () => askOfSelection(parts, async () => "Explain this code.");
}

/** Asks what is to be changed in the selected lines, and has it changed. */
export function editSelection(parts: LinesParts) {
  return () => askOfSelection(parts, whatToChange);
}

async function whatToChange(): Promise<string | undefined> {
  const wish = await vscode.window.showInputBox({
    title: "Edit the selected lines",
    prompt: "What is to be changed? The change is shown before it is made.",
  });
  return wish?.trim() ? `Edit these lines: ${wish.trim()}` : undefined;
}

async function askOfSelection(
  parts: LinesParts,
  words: () => Promise<string | undefined>,
): Promise<void> {
  if (vscode.window.activeTextEditor?.selection.isEmpty !== false) {
    void showInformation("Select the lines first.");
    return;
  }
  const text = await words();
  if (text !== undefined) {
    await askOfLines(parts, text);
  }
}

/** Sends words with the lines of the selection; a draft in the composer stays. */
export async function askOfLines(parts: LinesParts, text: string): Promise<void> {
  const { app, chat, attachments } = parts;
  addLines(parts);
  await chat.reveal({ type: "focus", target: "composer" });
  await app.session.prompt(promptContent({ text, pasted: [] }, [], attachments.parts), text);
  attachments.clear();
}

/** Adds the lines of the selection to the chat, whole. */
export function addLines({ attachments }: LinesParts): void {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    const { start, end } = editor.selection;
    const last = editor.document.lineAt(end.line).range.end;
    editor.selection = new vscode.Selection(new vscode.Position(start.line, 0), last);
    attachments.add(editor);
  }
}
