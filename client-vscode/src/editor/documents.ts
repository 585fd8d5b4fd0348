import * as vscode from "vscode";

export const REPORT_SCHEME = "plimsoll-report";
export const DIFF_SCHEME = "plimsoll-diff";

/** An editor may ask for a text again long after it was opened: so many of the newest are kept. */
const KEPT_TEXTS = 40;

/** A tab of an earlier window comes back without its text, which was never written to disk. */
const TEXT_IS_GONE =
  "This was shown before the window was opened anew. Open it again from the chat.\n";

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

  /** Opens a text under a name. */
  async showText(name: string, text: string): Promise<void> {
    const uri = this.keep(vscode.Uri.from({ scheme: REPORT_SCHEME, path: `/${name}` }), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Opens two texts in the diff editor. */
  async showDiff(title: string, name: string, before: string, after: string): Promise<void> {
    const side = (query: string, text: string) =>
      this.keep(vscode.Uri.from({ scheme: DIFF_SCHEME, path: `/${name}`, query }), text);
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
