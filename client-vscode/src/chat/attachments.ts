import * as vscode from "vscode";
import type { App } from "../app";
import { ActiveEditor, selectedLines, selectionPart } from "../mentions/activeEditor";
import type { ContentPart, ImagePart, SelectionPart } from "../protocol";
import { imageLabel, imagePart, type PastedImage } from "../session/images";
import type { ActiveChip, Attachment } from "./messages";

interface AttachedPart extends Attachment {
  readonly part: SelectionPart | ImagePart;
}

/** What the composer shows above its field. */
export interface ShownAttachments {
  readonly attachments: readonly Attachment[];
  readonly active?: ActiveChip;
}

/** Selections and images that go along with the next message, and what the active editor shows. */
export class Attachments implements vscode.Disposable {
  private attached: readonly AttachedPart[] = [];
  private count = 0;
  private readonly active: ActiveEditor;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(app: App) {
    this.active = new ActiveEditor(app);
    app.own(
      this,
      this.active.onDidChange(() => this.changed.fire()),
    );
  }

  get shown(): ShownAttachments {
    const attachments = this.attached.map(({ id, label }) => ({ id, label }));
    const { chip } = this.active;
    return { attachments, ...(chip ? { active: chip } : {}) };
  }

  get parts(): readonly ContentPart[] {
    return [...this.attached.map(({ part }) => part), ...this.active.parts];
  }

  add(editor: vscode.TextEditor): void {
    const [first, last] = selectedLines(editor.selection);
    const path = vscode.workspace.asRelativePath(editor.document.uri, false);
    this.append(`${path}:${first}–${last}`, selectionPart(editor));
    // It does not go along twice.
    this.active.said();
  }

  /** Raises: an error for a kind or a size that the server does not take. */
  addImage(image: PastedImage): void {
    this.append(imageLabel(image), imagePart(image));
  }

  /** Adds what the active editor shows, or leaves it out. */
  toggleActive(): void {
    this.active.toggle();
  }

  remove(id: string): void {
    this.replace(this.attached.filter((one) => one.id !== id));
  }

  /** They were said. */
  clear(): void {
    this.active.saidIfAlong();
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
