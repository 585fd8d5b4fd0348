import * as vscode from "vscode";
import type { App } from "../app";
import { areGone, discardWords, type FileHunk, ghosts, hunkAt, hunkTitle } from "./model";
import type { Hunks } from "./store";

/** Not every VS Code that the extension runs in has it. */
const HIDE_HOVER = "editor.action.hideHover";

/** What a lens or a link in a hover names, as the argument of a command. */
export interface HunkName {
  readonly uri: string;
  readonly id: string;
}

/** Shows hunks in open files: the lines, what came or would come, and above each what can be done. */
export class HunkView implements vscode.CodeLensProvider, vscode.HoverProvider {
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly kinds = decorationKinds();
  private readonly canHide = vscode.commands
    .getCommands(true)
    .then((known) => known.includes(HIDE_HOVER));
  private shown: readonly FileHunk[] = [];
  readonly onDidChangeCodeLenses = this.lensesChanged.event;

  constructor(
    app: App,
    private readonly hunks: Hunks,
  ) {
    const files = { scheme: "file" };
    app.own(
      this.lensesChanged,
      ...Object.values(this.kinds),
      vscode.languages.registerCodeLensProvider(files, this),
      vscode.languages.registerHoverProvider(files, this),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      hunks.onDidChange(() => {
        this.draw();
        this.lensesChanged.fire();
        void this.hideGone();
      }),
    );
    this.draw();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const hunks = this.hunks.of(document);
    const lenses = hunks.flatMap((hunk) => lensesOf(hunk, hunks, document));
    return hunks.length > 1 ? [...lenses, ...fileLenses(hunks, this.hunks.all)] : lenses;
  }

  provideHover(document: vscode.TextDocument, at: vscode.Position): vscode.Hover | undefined {
    const hunks = this.hunks.of(document);
    const hunk = hunkAt(hunks, { uri: document.uri.toString(), line: at.line });
    if (hunk === undefined) {
      return undefined;
    }
    const text = new vscode.MarkdownString();
    text.isTrusted = { enabledCommands: ["plimsoll.keepHunk", "plimsoll.undoHunk"] };
    const { keep, undo } = actionsOf(hunk);
    text.appendMarkdown(`**Plimsoll**: ${hunkTitle(hunk, hunks)}\n\n`);
    text.appendText(`${saysOf(hunk)}\n`);
    if (hunk.text !== "") {
      text.appendCodeblock(hunk.text.replace(/\n$/, ""), document.languageId);
    }
    text.appendMarkdown(`\n\n${link(keep)} · ${link(undo)}`);
    return new vscode.Hover(text);
  }

  /** VS Code keeps a hover as it was, over what has come in the place of the change. */
  private async hideGone(): Promise<void> {
    const { all } = this.hunks;
    const gone = areGone(this.shown, all);
    this.shown = all;
    if (gone && (await this.canHide)) {
      await vscode.commands.executeCommand(HIDE_HOVER);
    }
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme === "file") {
        this.drawIn(editor);
      }
    }
  }

  private drawIn(editor: vscode.TextEditor): void {
    const hunks = this.hunks.of(editor.document);
    const last = editor.document.lineCount - 1;
    const proposed = hunks.filter(({ proposal }) => proposal && proposal.kept !== false);
    const made = hunks.filter(({ proposal }) => proposal === undefined);
    const full = ({ start, end }: FileHunk) => end > start;
    // Not the whole line: what would come stands behind it.
    editor.setDecorations(this.kinds.goes, proposed.filter(full).map(textIn(editor.document)));
    editor.setDecorations(this.kinds.made, made.filter(full).map(linesIn(last)));
    editor.setDecorations(this.kinds.gone, made.filter((hunk) => !full(hunk)).map(linesIn(last)));
    editor.setDecorations(
      this.kinds.comes,
      proposed.flatMap(ghosts).map(({ line, text }) => ({
        range: endOf(editor.document, Math.min(line, last)),
        renderOptions: { after: { contentText: `+ ${text}` } },
      })),
    );
  }
}

function decorationKinds() {
  const wholeLine = { isWholeLine: true, overviewRulerLane: vscode.OverviewRulerLane.Left };
  const color = (id: string) => new vscode.ThemeColor(id);
  return {
    goes: vscode.window.createTextEditorDecorationType({
      backgroundColor: color("diffEditor.removedTextBackground"),
      // In a contrast theme there is no ground; elsewhere this colour is none.
      border: "1px dashed",
      borderColor: color("diffEditor.removedTextBorder"),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      overviewRulerColor: color("editorOverviewRuler.deletedForeground"),
    }),
    comes: vscode.window.createTextEditorDecorationType({
      after: {
        margin: "0 0 0 2em",
        color: color("editor.foreground"),
        backgroundColor: color("diffEditor.insertedTextBackground"),
        border: "1px dotted",
        borderColor: color("diffEditor.insertedTextBorder"),
      },
    }),
    made: vscode.window.createTextEditorDecorationType({
      ...wholeLine,
      backgroundColor: color("diffEditor.insertedLineBackground"),
      borderWidth: "0 0 0 3px",
      borderStyle: "solid",
      borderColor: color("editorGutter.addedBackground"),
      overviewRulerColor: color("editorOverviewRuler.addedForeground"),
    }),
    gone: vscode.window.createTextEditorDecorationType({
      ...wholeLine,
      borderWidth: "2px 0 0 0",
      borderStyle: "dashed",
      borderColor: color("editorGutter.deletedBackground"),
      overviewRulerColor: color("editorOverviewRuler.deletedForeground"),
    }),
  };
}

function linesIn(last: number) {
  return ({ start, end }: FileHunk): vscode.Range => {
    const first = Math.min(start, last);
    return new vscode.Range(first, 0, Math.min(Math.max(end - 1, first), last), 0);
  };
}

function textIn(document: vscode.TextDocument) {
  const lines = linesIn(document.lineCount - 1);
  return (hunk: FileHunk): vscode.Range => {
    const { start, end } = lines(hunk);
    return new vscode.Range(start, document.lineAt(end.line).range.end);
  };
}

function endOf(document: vscode.TextDocument, line: number): vscode.Range {
  const { end } = document.lineAt(line).range;
  return new vscode.Range(end, end);
}

/** The words for what can be done: nothing of a proposed change is there to be undone. */
function actionsOf({ uri, id, proposal }: FileHunk): {
  keep: vscode.Command;
  undo: vscode.Command;
} {
  const name: HunkName = { uri, id };
  return {
    keep: { title: "Keep", command: "plimsoll.keepHunk", arguments: [name] },
    undo: {
      title: proposal ? "Reject" : "Undo",
      command: "plimsoll.undoHunk",
      arguments: [name],
    },
  };
}

function lensesOf(
  hunk: FileHunk,
  hunks: readonly FileHunk[],
  document: vscode.TextDocument,
): vscode.CodeLens[] {
  const line = Math.min(hunk.start, document.lineCount - 1);
  const at = new vscode.Range(line, 0, line, 0);
  const { keep, undo } = actionsOf(hunk);
  const show = {
    title: hunkTitle(hunk, hunks),
    command: "plimsoll.showHunk",
    arguments: [{ uri: hunk.uri, id: hunk.id } satisfies HunkName],
  };
  return [keep, undo, show].map((command) => new vscode.CodeLens(at, command));
}

function fileLenses(hunks: readonly FileHunk[], all: readonly FileHunk[]): vscode.CodeLens[] {
  const at = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string) => new vscode.CodeLens(at, { title, command });
  const elsewhere = all.length > hunks.length;
  return [
    lens(`Keep all ${hunks.length} here`, "plimsoll.keepFileHunks"),
    lens(`${discardWords(hunks).verb} all here`, "plimsoll.undoFileHunks"),
    ...(elsewhere ? [lens(`Keep all ${all.length} in all files`, "plimsoll.keepAllHunks")] : []),
    ...(elsewhere ? [lens(`${discardWords(all).verb} all files…`, "plimsoll.undoAllHunks")] : []),
  ];
}

function saysOf({ text, start, end, proposal }: FileHunk): string {
  if (proposal) {
    return text === ""
      ? "These lines would go."
      : end > start
        ? "Would become:"
        : "Would be added:";
  }
  return text === "" ? "Added." : end > start ? "Stood there before:" : "Was taken out:";
}

function link({ title, command, arguments: given = [] }: vscode.Command): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(given))})`;
}
