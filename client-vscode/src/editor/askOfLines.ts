import * as vscode from "vscode";
import type { App } from "../app";
import type { Attachments } from "../chat/attachments";
import type { ChatView } from "../chat/view";
import { SessionSetModeRequest } from "../methods";
import { promptContent } from "../session/content";
import { showInformation, showWarning } from "./notifications";

export interface LinesParts {
  readonly app: App;
  readonly chat: ChatView;
  readonly attachments: Attachments;
}

/** A problem that the editor shows, where it stands: a light bulb of a hover leaves the cursor elsewhere. */
export interface ProblemPlace {
  readonly message: string;
  readonly range: vscode.Range;
}

/** Asks at once what the selected lines do, or the cursor's. */
export function explainSelection(parts: LinesParts) {
  return async () => {
    if (await hasLines()) {
      await askOfLines(parts, "Explain this code.");
    }
  };
}

/** Asks what is to be changed in the selected lines, or the cursor's, and has it changed. */
export function editSelection(parts: LinesParts) {
  return async () => {
    if (!(await hasLines())) {
      return;
    }
    const wish = await vscode.window.showInputBox({
      title: "Edit here with Plimsoll",
      prompt: "What is to be changed? You see the change before it is made.",
    });
    if (wish?.trim() && (await mayEdit(parts.app))) {
      await askOfLines(parts, `Edit these lines: ${wish.trim()}`);
    }
  };
}

/** Has a problem fixed: the one that is given, else those of the selected lines or the cursor's. */
export function fixProblem(parts: LinesParts) {
  return async (given?: ProblemPlace | vscode.Uri) => {
    // A menu gives the file, a light bulb its problem.
    const [first, ...rest] = given !== undefined && "message" in given ? [given] : problemsHere();
    if (first === undefined) {
      void showInformation("The editor reports no problem on these lines.");
      return;
    }
    if (await mayEdit(parts.app)) {
      goTo([first, ...rest].reduce((all, { range }) => all.union(range), first.range));
      const told = [...new Set([first, ...rest].map(({ message }) => message))];
      await askOfLines(parts, `Fix this: ${told.join("\n")}`);
    }
  };
}

function problemsHere(): ProblemPlace[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return [];
  }
  const { start, end } = editor.selection;
  return vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter(({ range }) => range.start.line <= end.line && range.end.line >= start.line);
}

/** Selects a place, so that its lines go along. */
export function goTo(range: vscode.Range): void {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

async function hasLines(): Promise<boolean> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.getText(wholeLines(editor)).trim() === "") {
    void showInformation("Put the cursor on code first, or select some.");
    return false;
  }
  return true;
}

/** Asks where the session's mode lets nothing be changed. */
async function mayEdit(app: App): Promise<boolean> {
  const { session } = app.session.state;
  if (session === undefined || session.mode === "edit") {
    return true;
  }
  const said = `The session is in ${session.mode} mode, in which no file is changed.`;
  const switched = "Switch to Edit Mode";
  if ((await showWarning(said, switched)) !== switched) {
    return false;
  }
  const params = { sessionId: session.id, mode: "edit" } as const;
  app.session.dispatch({
    type: "session",
    session: (await app.request(SessionSetModeRequest, params)).session,
  });
  return true;
}

/** Sends words with the lines of the selection; a draft in the composer stays. */
async function askOfLines(parts: LinesParts, text: string): Promise<void> {
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
    const { start, end } = wholeLines(editor);
    editor.selection = new vscode.Selection(start, end);
    attachments.add(editor);
  }
}

function wholeLines({ document, selection: { start, end } }: vscode.TextEditor): vscode.Range {
  return new vscode.Range(start.line, 0, end.line, document.lineAt(end.line).range.end.character);
}
