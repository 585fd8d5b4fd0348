import * as vscode from "vscode";
import type { App } from "../app";
import type { SelectionPart } from "../protocol";
import type { Attachment } from "./messages";

interface Kept extends Attachment {
  readonly part: SelectionPart;
}

/** Selections that go along with the next message. */
export class Attachments implements vscode.Disposable {
  private kept: readonly Kept[] = [];
  private count = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(app: App) {
    app.own(this);
  }

  get list(): readonly Attachment[] {
    return this.kept.map(({ id, label }) => ({ id, label }));
  }

  get parts(): readonly SelectionPart[] {
    return this.kept.map(({ part }) => part);
  }

  add(editor: vscode.TextEditor): void {
    const { document, selection } = editor;
    const lines = `${selection.start.line + 1}–${lastLine(selection)}`;
    const label = `${vscode.workspace.asRelativePath(document.uri, false)}:${lines}`;
    this.count += 1;
    this.keep([
      ...this.kept,
      { id: `selection${this.count}`, label, part: selectionPart(document, selection) },
    ]);
  }

  remove(id: string): void {
    this.keep(this.kept.filter((one) => one.id !== id));
  }

  clear(): void {
    this.keep([]);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private keep(kept: readonly Kept[]): void {
    this.kept = kept;
    this.changed.fire();
  }
}

/** From 1; a selection that ends before the first character of a line leaves that line out. */
function lastLine({ start, end }: vscode.Selection): number {
  return end.character === 0 && end.line > start.line ? end.line : end.line + 1;
}

function selectionPart(document: vscode.TextDocument, selection: vscode.Selection): SelectionPart {
  const { start, end } = selection;
  return {
    type: "selection",
    uri: document.uri.toString(),
    range: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    },
    text: document.getText(selection),
  };
}
