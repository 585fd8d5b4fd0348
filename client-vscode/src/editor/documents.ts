import * as vscode from "vscode";

export const REPORT_SCHEME = "plimsoll-report";
export const DIFF_SCHEME = "plimsoll-diff";
/** What a call that waits for a person would do: the editor's title bar has the answers. */
export const PROPOSAL_SCHEME = "plimsoll-proposal";

/** An editor may ask for a text again long after it was opened: so many of the newest are kept. */
const KEPT_TEXTS = 40;

/** A tab of an earlier window comes back without its text, which was never written to disk. */
const TEXT_IS_GONE = "Closed with the last window. Open it again from the chat.\n";

/** Read-only documents that the server or the client made: reports, receipts, sides of a diff. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(owner: { own(documents: vscode.Disposable): void }) {
    owner.own(this);
    this.registrations = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(REPORT_SCHEME, this),
      vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this),
      vscode.workspace.registerTextDocumentContentProvider(PROPOSAL_SCHEME, this),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? TEXT_IS_GONE;
  }

  /** Opens Markdown, rendered, under a name; the same name again shows the new text. */
  async showMarkdown(name: string, markdown: string): Promise<void> {
    const uri = this.keep(vscode.Uri.from({ scheme: REPORT_SCHEME, path: `/${name}` }), markdown);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  /** Opens a text under a name; a proposal names the call that waits. */
  async showText(name: string, text: string, proposal?: string): Promise<void> {
    const scheme = proposal === undefined ? REPORT_SCHEME : PROPOSAL_SCHEME;
    const fragment = proposal ?? "";
    const uri = this.keep(vscode.Uri.from({ scheme, path: `/${name}`, fragment }), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Opens two texts in the diff editor; a proposal names the call that waits. */
  async showDiff(
    title: string,
    name: string,
    { before, after, proposal }: { before: string; after: string; proposal?: string },
  ): Promise<void> {
    const scheme = proposal === undefined ? DIFF_SCHEME : PROPOSAL_SCHEME;
    const fragment = proposal ?? "";
    const side = (query: string, text: string) =>
      this.keep(vscode.Uri.from({ scheme, path: `/${name}`, query, fragment }), text);
    const [left, right] = [side("before", before), side("after", after)];
    await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: true });
  }

  dispose(): void {
    this.registrations.dispose();
  }

  private keep(uri: vscode.Uri, text: string): vscode.Uri {
    const key = uri.toString();
    this.texts.delete(key);
    this.texts.set(key, text);
    for (const old of [...this.texts.keys()].slice(0, -KEPT_TEXTS)) {
      this.texts.delete(old);
    }
    this.changed.fire(uri);
    return uri;
  }
}
