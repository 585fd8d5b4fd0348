import * as vscode from "vscode";

/** Reports come in bursts: syntax first, then meaning. After so many milliseconds one is over. */
const QUIET = 300;

/** Knows which files were looked at for problems since they last changed. */
export class DiagnosticsWatch implements vscode.Disposable {
  private readonly reported = new Map<string, number>();
  private readonly changed = new Map<string, number>();
  private readonly heard = new vscode.EventEmitter<readonly vscode.Uri[]>();
  private readonly listening = [
    this.heard,
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        this.reported.set(uri.toString(), Date.now());
      }
      this.heard.fire(uris);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        this.changed.set(document.uri.toString(), Date.now());
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      this.reported.delete(uri.toString());
      this.changed.delete(uri.toString());
    }),
  ];

  /** Somebody reported on the file while it was open here. */
  knows(uri: vscode.Uri): boolean {
    return this.reported.has(uri.toString()) || vscode.languages.getDiagnostics(uri).length > 0;
  }

  /** Waits until all files were reported on since their last change, and then for quiet. */
  settled(uris: readonly vscode.Uri[], milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      let quiet: NodeJS.Timeout | undefined;
      const done = () => {
        clearTimeout(quiet);
        clearTimeout(limit);
        hearing.dispose();
        resolve();
      };
      const look = () => {
        clearTimeout(quiet);
        if (uris.every((uri) => this.isFresh(uri.toString()))) {
          quiet = setTimeout(done, QUIET);
        }
      };
      const limit = setTimeout(done, milliseconds);
      const hearing = this.heard.event(look);
      look();
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.listening).dispose();
  }

  private isFresh(uri: string): boolean {
    return (this.reported.get(uri) ?? -1) >= (this.changed.get(uri) ?? 0);
  }
}
