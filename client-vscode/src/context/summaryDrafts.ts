import * as vscode from "vscode";
import type { App } from "../app";
import type { VirtualDocuments } from "../editor/documents";
import { showInformation } from "../editor/notifications";
import { ContextCompactRequest } from "../methods";
import type { SummaryDraft } from "../protocol";
import { exactTokens } from "../text/format";

export const SUMMARY_SCHEME = "plimsoll-summary";

interface OpenDraft {
  readonly sessionId: string;
  readonly draft: SummaryDraft;
  bytes: Uint8Array;
  mtime: number;
}

const APPLY = "Apply";
const BESIDE = "What Else Stays";

/** Summaries before they take effect: documents to edit, which the check in the title bar applies. */
export class SummaryDrafts implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly open = new Map<string, OpenDraft>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly registration: vscode.Disposable;
  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly app: App,
    private readonly documents: VirtualDocuments,
  ) {
    this.registration = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerFileSystemProvider(SUMMARY_SCHEME, this, { isCaseSensitive: true }),
    );
    app.own(this);
  }

  /** Shows a draft to be edited, and says what it takes the place of. */
  async show(sessionId: string, draft: SummaryDraft): Promise<void> {
    const query = draft.untilMessageId;
    const uri = vscode.Uri.from({ scheme: SUMMARY_SCHEME, path: "/Summary.md", query });
    const mtime = (this.open.get(uri.toString())?.mtime ?? 0) + 1;
    const bytes = new TextEncoder().encode(draft.text);
    this.open.set(uri.toString(), { sessionId, draft, bytes, mtime });
    this.changed.fire([{ uri, type: vscode.FileChangeType.Changed }]);
    await vscode.window.showTextDocument(uri, { preview: false });
    const picked = await showInformation(draftText(draft), APPLY, BESIDE);
    if (picked === APPLY) {
      await this.apply(uri);
    } else if (picked === BESIDE) {
      await this.documents.showText("Beside the summary.md", draft.kept);
    }
  }

  /** Puts the summary of a document in the place of what it covers. */
  async apply(uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
    const known = uri && this.open.get(uri.toString());
    if (uri === undefined || known === undefined) {
      void showInformation("Run “Preview Compaction” first: it drafts the summary to apply.");
      return;
    }
    const { sessionId, draft } = known;
    const document = await vscode.workspace.openTextDocument(uri);
    const { receipt, missed = [] } = await this.app.request(ContextCompactRequest, {
      sessionId,
      summary: document.getText(),
      untilMessageId: draft.untilMessageId,
    });
    this.app.session.dispatch({ type: "receipts", receipts: [receipt] });
    await document.save();
    await closeTabs(uri);
    if (missed.length > 0) {
      void showInformation(`Applied as you wrote it. Note: ${missed.join("; ")}.`);
    }
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, mtime } = this.found(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.byteLength };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.found(uri).bytes;
  }

  /** Saving keeps the text for the time being; only applying changes the context. */
  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    const known = this.found(uri);
    known.bytes = bytes;
    known.mtime += 1;
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions("Summaries are in no folders.");
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions("Close the summary: it has changed nothing.");
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions("A summary keeps its name.");
  }

  dispose(): void {
    this.registration.dispose();
  }

  private found(uri: vscode.Uri): OpenDraft {
    const known = this.open.get(uri.toString());
    if (known === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return known;
  }
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
  await vscode.window.tabGroups.close(shown);
}

/** What a draft takes the place of, and what a reader should look at. */
export function draftText({ tokens, mostTokens, missed }: SummaryDraft): string {
  const looks = missed.length > 0 ? ` Check it: ${missed.join("; ")}.` : "";
  return (
    `This summary of ${exactTokens(tokens)} tokens takes the place of ${exactTokens(mostTokens)}. ` +
    `Nothing is changed yet: edit it, then apply it.${looks} Summaries lose details; what must hold is better pinned.`
  );
}
