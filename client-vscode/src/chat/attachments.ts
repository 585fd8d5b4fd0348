import * as vscode from "vscode";
import type { App } from "../app";
import type { ImagePart, SelectionPart } from "../protocol";
import { imageLabel, imagePart, type PastedImage } from "../session/images";
import type { Attachment } from "./messages";

interface AttachedPart extends Attachment {
  readonly part: SelectionPart | ImagePart;
}

/** Selections and images that go along with the next message. */
export class Attachments implements vscode.Disposable {
  private attached: readonly AttachedPart[] = [];
  private count = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(app: App) {
    app.own(this);
  }

  get list(): readonly Attachment[] {
    return this.attached.map(({ id, label }) => ({ id, label }));
  }

  get parts(): readonly AttachedPart["part"][] {
    return this.attached.map(({ part }) => part);
  }

  add(editor: vscode.TextEditor): void {
    const { document, selection } = editor;
    const lines = `${selection.start.line + 1}–${lastLine(selection)}`;
    const label = `${vscode.workspace.asRelativePath(document.uri, false)}:${lines}`;
    this.append(label, selectionPart(document, selection));
  }

  /** Raises: an error for a kind or a size that the server does not take. */
  addImage(image: PastedImage): void {
    this.append(imageLabel(image), imagePart(image));
  }

  remove(id: string): void {
    this.replace(this.attached.filter((one) => one.id !== id));
  }

  clear(): void {
    this.replace([]);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private append(label: string, part: AttachedPart["part"]): void {
    this.count += 1;
    this.replace([...this.attached, { id: `attachment${this.count}`, label, part }]);
  }

  private replace(attached: readonly AttachedPart[]): void {
    this.attached = attached;
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
