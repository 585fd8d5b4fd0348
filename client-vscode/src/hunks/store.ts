import * as vscode from "vscode";
import type { App } from "../app";
import { HunkKeepRequest, HunkListRequest, HunkUndoRequest } from "../methods";
import type { HunksResult, SessionUpdate, ToolCall } from "../protocol";
import { failureText } from "../session/failure";
import type { Action } from "../session/reduce";
import { type FileHunk, madeHunks, proposedHunks } from "./model";

/** A burst of keystrokes, or of updates, is one question to the server. */
const SETTLE_MS = 200;

type WaitingChange = Extract<Action, { type: "permissionRequested" }>;

/** The hunks of the session that is shown: those that are proposed, and those that were made. */
export class Hunks implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly waiting = new Map<string, WaitingChange>();
  /** The text of an open file as it was asked about. */
  private readonly askedAbout = new Map<string, string>();
  private made: readonly FileHunk[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Answers that were asked for before this one are too old to be shown. */
  private asked = 0;
  readonly onDidChange = this.changed.event;

  constructor(private readonly app: App) {
    app.own(
      this,
      this.changed,
      app.session.onAction((action) => this.onAction(action)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.onTyped(document)),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  /** Tells what is new; keys and commands hold while there is anything to choose from. */
  private tell(): void {
    void vscode.commands.executeCommand("setContext", "plimsoll.changed", this.all.length > 0);
    this.changed.fire();
  }

  /** All of them, file by file: what is proposed of a file stands before what was made. */
  get all(): readonly FileHunk[] {
    const hunks = [...this.waiting.values()].flatMap((asked) => this.proposed(asked));
    return [...hunks, ...this.made].map((hunk) => ({ ...hunk, uri: sameUri(hunk.uri) }));
  }

  /** Those of a document that stand in it as it is now. */
  of(document: vscode.TextDocument): FileHunk[] {
    const uri = document.uri.toString();
    return this.all.filter((hunk) => hunk.uri === uri);
  }

  async keep(hunks: readonly FileHunk[]): Promise<void> {
    await this.choose(hunks, true);
  }

  async undo(hunks: readonly FileHunk[]): Promise<void> {
    await this.choose(hunks, false);
  }

  /** Asks the server again, once what happens now has settled. */
  refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // What is marked stays as it is until the server can be asked again.
      this.refresh().catch((error) =>
        this.app.log.warn(`The changes could not be listed: ${failureText(error)}`),
      );
    }, SETTLE_MS);
  }

  private async choose(hunks: readonly FileHunk[], keep: boolean): Promise<void> {
    for (const { proposal } of hunks) {
      if (proposal !== undefined) {
        this.app.permissions.chooseHunk(proposal.requestId, proposal.number, keep);
      }
    }
    const made = hunks.filter(({ proposal }) => proposal === undefined);
    for (const uri of new Set(made.map((hunk) => hunk.uri))) {
      const ids = made.filter((hunk) => hunk.uri === uri).map(({ id }) => id);
      await (keep ? this.request(uri, ids, HunkKeepRequest) : this.undoMade(uri, ids));
    }
  }

  /** The file is saved again where it was: only unsaved work of a person stays unsaved. */
  private async undoMade(uri: string, ids: string[]): Promise<void> {
    const open = openDocument(uri);
    const saved = open !== undefined && !open.isDirty;
    const { left } = await this.request(uri, ids, HunkUndoRequest);
    if (saved && open.isDirty) {
      await open.save();
    }
    const [file] = left ?? [];
    if (file !== undefined) {
      throw new Error(`Not undone in ${vscode.workspace.asRelativePath(uri)}: ${file.why}`);
    }
  }

  private async request(
    uri: string,
    hunkIds: string[],
    request: typeof HunkKeepRequest | typeof HunkUndoRequest,
  ): Promise<HunksResult> {
    const sessionId = this.app.session.sessionId ?? "";
    this.asked += 1;
    const all = this.made.filter((hunk) => sameUri(hunk.uri) === uri).length;
    const result = await this.app.request(request, { sessionId, uri, hunkIds });
    this.show(result);
    if (!this.made.some((hunk) => sameUri(hunk.uri) === uri)) {
      const undone = request === HunkUndoRequest && hunkIds.length === all;
      this.settle(uri, undone ? "undone" : "kept");
    }
    return result;
  }

  /** In the chat too a file needs no more to be said of once all of its hunks are chosen. */
  private settle(uri: string, settled: "kept" | "undone"): void {
    for (const entry of this.app.session.state.entries) {
      const files = entry.kind === "changes" ? entry.files : [];
      const open = files.filter((file) => file.settled === undefined && sameUri(file.uri) === uri);
      if (open.length > 0) {
        const uris = open.map((file) => file.uri);
        this.app.session.dispatch({ type: "changeSettled", entryId: entry.id, uris, settled });
      }
    }
  }

  private async refresh(): Promise<void> {
    const { sessionId } = this.app.session;
    if (sessionId === undefined || this.app.session.state.connection !== "ready") {
      return;
    }
    this.asked += 1;
    const number = this.asked;
    const result = await this.app.request(HunkListRequest, { sessionId });
    if (number === this.asked) {
      this.show(result);
    }
  }

  private show(result: HunksResult): void {
    const made = madeHunks(result);
    if (JSON.stringify(made) !== JSON.stringify(this.made)) {
      this.made = made;
      this.tell();
    }
  }

  private proposed({ requestId, toolCall, sessionId }: WaitingChange): FileHunk[] {
    const fits = sessionId === this.app.session.sessionId && this.stillFits(requestId, toolCall);
    const chosen = this.app.permissions.chosenHunks(requestId);
    return fits ? proposedHunks(requestId, toolCall, chosen) : [];
  }

  /** Where a person has typed since, the server makes none of it: then nothing is shown either. */
  private stillFits(requestId: string, { locations }: ToolCall): boolean {
    const text = openDocument(sameUri(locations[0]?.uri ?? ""))?.getText();
    const known = this.askedAbout.get(requestId) ?? text;
    if (known !== undefined) {
      this.askedAbout.set(requestId, known);
    }
    return text === undefined || text === known;
  }

  private onTyped(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    const proposed = [...this.waiting.values()].some(
      ({ toolCall }) => sameUri(toolCall.locations[0]?.uri ?? "") === uri,
    );
    if (proposed) {
      this.tell();
    }
    if (this.made.some((hunk) => sameUri(hunk.uri) === uri)) {
      this.refreshSoon();
    }
  }

  private onAction(action: Action): void {
    switch (action.type) {
      case "permissionRequested":
        this.waiting.set(action.requestId, action);
        this.tell();
        break;
      case "permissionAnswered":
        this.waiting.delete(action.requestId);
        this.askedAbout.delete(action.requestId);
        this.tell();
        break;
      case "hunksChosen":
        this.tell();
        break;
      case "loaded":
      case "changeSettled":
        this.refreshSoon();
        break;
      case "update":
        if (mayChangeFiles(action.update)) {
          this.refreshSoon();
        }
        break;
      default:
    }
  }
}

/** After these a file can be another: a call has ended, files were put back, a turn is over. */
function mayChangeFiles(update: SessionUpdate): boolean {
  const { kind } = update;
  return kind === "toolUpdate"
    ? update.status === "completed"
    : kind === "notice" || kind === "turnEnded" || kind === "sessionChanged";
}

function openDocument(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
}

function sameUri(uri: string): string {
  return vscode.Uri.parse(uri).toString();
}
