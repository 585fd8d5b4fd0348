import * as path from "node:path";
import * as vscode from "vscode";
import type { App } from "../app";
import { isInside } from "../chat/files";
import type { ActiveChip } from "../chat/messages";
import type { ContentPart, SelectionPart } from "../protocol";
import {
  afterSaying,
  type Choices,
  goesAlong,
  isSamePlace,
  type OfferedPlace,
  placeLabel,
  toggled,
} from "./offer";

/** Where the window keeps the sessions in which selections do not go along unasked. */
const LEFT_OUT = "selectionsLeftOut";
const MOST_SESSIONS = 50;

/** Offers what the active editor shows, and knows whether it goes along with the next message. */
export class ActiveEditor implements vscode.Disposable {
  private choices: Choices;
  private sessionId: string | undefined;
  private shown = "";
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly app: App) {
    this.choices = { selections: this.selectionsByDefault };
    app.own(
      this,
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.window.onDidChangeTextEditorSelection(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("plimsoll.chat.attachActiveSelection")) {
          this.begin();
        }
      }),
      app.session.onAction(({ type }) => {
        if (type === "loaded") {
          this.begin();
        }
      }),
    );
  }

  /** What stands above the composer; nothing where no file is open. */
  get chip(): ActiveChip | undefined {
    const place = activePlace(this.app.folder);
    return (
      place && {
        what: place.selection ? "selection" : "file",
        label: placeLabel(place),
        attached: goesAlong(place, this.choices),
      }
    );
  }

  /** What goes along with the next message, beside what was added to it by hand. */
  get parts(): readonly ContentPart[] {
    const place = activePlace(this.app.folder);
    if (place === undefined || !goesAlong(place, this.choices)) {
      return [];
    }
    return [selectedPart() ?? { type: "file", uri: place.uri }];
  }

  toggle(): void {
    const place = activePlace(this.app.folder);
    if (place !== undefined) {
      this.choices = toggled(place, this.choices);
      this.remember();
      this.refresh();
    }
  }

  /** What the editor shows was said, or was added in another way. */
  said(): void {
    const place = activePlace(this.app.folder);
    if (place !== undefined) {
      this.choices = afterSaying(place, this.choices);
      this.refresh();
    }
  }

  /** What the editor shows is among parts that go along anyway: it does not go twice. */
  saidAmong(content: readonly ContentPart[]): void {
    const [offered] = this.parts;
    if (offered !== undefined && content.some((part) => isSamePlace(part, offered))) {
      this.said();
    }
  }

  /** The message was said: what went along with it does not go a second time. */
  saidIfAlong(): void {
    if (this.parts.length > 0) {
      this.said();
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private get selectionsByDefault(): boolean {
    return vscode.workspace.getConfiguration("plimsoll.chat").get("attachActiveSelection", true);
  }

  private get leftOut(): readonly string[] {
    return this.app.extension.workspaceState.get<string[]>(LEFT_OUT, []);
  }

  /** A session begins with what was last chosen in it. */
  private begin(): void {
    const id = this.app.session.sessionId;
    const selections = this.selectionsByDefault && !this.leftOut.includes(id ?? "");
    this.choices = id === this.sessionId ? { ...this.choices, selections } : { selections };
    this.sessionId = id;
    this.refresh();
  }

  private remember(): void {
    const id = this.app.session.sessionId;
    if (id !== undefined) {
      const others = this.leftOut.filter((one) => one !== id);
      const left = this.choices.selections ? others : [id, ...others].slice(0, MOST_SESSIONS);
      void this.app.extension.workspaceState.update(LEFT_OUT, left);
    }
  }

  /** The caret moves all the time; what is shown of it seldom changes. */
  private refresh(): void {
    const now = JSON.stringify(this.chip ?? "");
    if (now !== this.shown) {
      this.shown = now;
      this.changed.fire();
    }
  }
}

/** The selection of the active editor as a part of a message; nothing where none is. */
export function selectedPart(): SelectionPart | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && isFile(editor.document) && !editor.selection.isEmpty
    ? selectionPart(editor)
    : undefined;
}

export function selectionPart({ document, selection }: vscode.TextEditor): SelectionPart {
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

/** From 1; a selection that ends before the first character of a line leaves that line out. */
export function selectedLines({ start, end }: vscode.Selection): [number, number] {
  const whole = end.character === 0 && end.line > start.line;
  return [start.line + 1, whole ? end.line : end.line + 1];
}

function activePlace(folder: vscode.WorkspaceFolder | undefined): OfferedPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || folder === undefined || !isFile(editor.document)) {
    return undefined;
  }
  const { uri } = editor.document;
  const place = { uri: uri.toString(), name: path.posix.basename(uri.path) };
  if (!editor.selection.isEmpty) {
    const text = editor.document.getText(editor.selection);
    return { ...place, selection: { lines: selectedLines(editor.selection), text } };
  }
  // A whole file is read by the server, in the folder alone.
  return isInside(folder, uri) ? place : undefined;
}

function isFile({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === "file";
}
