import * as vscode from "vscode";
import type { App } from "../app";
import { ActiveEditor, selectedLines, selectionPart } from "../mentions/activeEditor";
import { returnedParts } from "../mentions/returned";
import type { ContentPart } from "../protocol";
import { imageLabel, imagePart, type PastedImage } from "../session/images";
import { rangeText } from "../text/lineRange";
import type { ActiveChip, Attachment } from "./messages";

interface AttachedPart extends Attachment {
  readonly part: ContentPart;
  /** The mention in the text that it stands for. */
  readonly mention?: string;
  /** The prompt with which it came back. */
  readonly promptId?: string;
}

/** What the composer shows above its field. */
export interface ShownAttachments {
  readonly attachments: readonly Attachment[];
  readonly active?: ActiveChip;
}

/** What was added to go along with the next message, and what the active editor shows. */
export class Attachments implements vscode.Disposable {
  private attached: readonly AttachedPart[] = [];
  private count = 0;
  private readonly active: ActiveEditor;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly app: App) {
    this.active = new ActiveEditor(app);
    app.own(
      this,
      this.active.onDidChange(() => this.changed.fire()),
    );
  }

  get shown(): ShownAttachments {
    const attachments = this.attached.map(({ id, label, thumbnail }) =>
      thumbnail === undefined ? { id, label } : { id, label, thumbnail },
    );
    const { chip } = this.active;
    return { attachments, ...(chip ? { active: chip } : {}) };
  }

  get parts(): readonly ContentPart[] {
    return [...this.attached.map(({ part }) => part), ...this.active.parts];
  }

  /** The mentions that need not be looked up, since a chip stands for each. */
  get mentions(): ReadonlySet<string> {
    return new Set(this.attached.map(({ mention }) => mention).filter((one) => one !== undefined));
  }

  /** What went along with a prompt goes along with the next one, since its text returns. */
  giveBack(text: string, content: readonly ContentPart[], promptId?: string): void {
    const folder = this.app.folder?.uri.path ?? "";
    const own = promptId === undefined ? {} : { promptId };
    for (const { label, part, mention } of returnedParts(text, content, folder)) {
      this.append(label, part, { ...own, ...(mention ? { mention } : {}) });
    }
    this.active.saidAmong(content);
  }

  /** Takes away what had come back with a prompt: it is said again by itself. */
  takeAway(promptId: string): void {
    this.replace(this.attached.filter((one) => one.promptId !== promptId));
  }

  add(editor: vscode.TextEditor): void {
    const [first, last] = selectedLines(editor.selection);
    const path = vscode.workspace.asRelativePath(editor.document.uri, false);
    this.append(`${path}:${rangeText(first, last)}`, selectionPart(editor));
    // It does not go along twice.
    this.active.said();
  }

  /** Raises: an error for a kind or a size that the server does not take. */
  addImage({ thumbnail, ...image }: PastedImage & { thumbnail?: string }): void {
    this.append(imageLabel(image), imagePart(image), thumbnail ? { thumbnail } : {});
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

  private append(label: string, part: ContentPart, more: Partial<AttachedPart> = {}): void {
    this.count += 1;
    const id = `attachment${this.count}`;
    this.replace([...this.attached, { ...more, id, label, part }]);
  }

  private replace(attached: readonly AttachedPart[]): void {
    this.attached = attached;
    this.changed.fire();
  }
}
