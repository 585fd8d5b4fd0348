import * as vscode from "vscode";
import type { App } from "../app";
import { ContextReportRequest } from "../methods";
import { reportHtml } from "./reportPage";
import { RAISE_LIMIT } from "./spending";

/** The report in a tab of its own: a page without scripts that may run one command. */
export class ReportView {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly app: App) {
    app.own({ dispose: () => this.panel?.dispose() });
  }

  /** Opens the report of the open session, or shows it anew. */
  async show(): Promise<void> {
    const { app } = this;
    const params = { sessionId: app.session.requiredId(), detail: "detail" as const };
    const body = reportHtml(await app.request(ContextReportRequest, params));
    const panel = this.panel ?? this.open();
    const folder = vscode.Uri.joinPath(app.extension.extensionUri, "dist", "webview");
    const style = panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, "style.css"));
    panel.webview.html = reportDocument(body, panel.webview.cspSource, style.toString());
    panel.reveal(undefined, false);
  }

  /** Shows the figures anew where the report is open. */
  async refresh(): Promise<void> {
    if (this.panel !== undefined) {
      await this.show();
    }
  }

  private open(): vscode.WebviewPanel {
    const folder = vscode.Uri.joinPath(this.app.extension.extensionUri, "dist", "webview");
    const panel = vscode.window.createWebviewPanel(
      "plimsoll.report",
      "Context report",
      vscode.ViewColumn.Active,
      { enableScripts: false, enableCommandUris: [RAISE_LIMIT], localResourceRoots: [folder] },
    );
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    this.panel = panel;
    return panel;
  }
}

/** A page that loads its style sheet and nothing else. */
export function reportDocument(body: string, cspSource: string, style: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${cspSource}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${style}">
<title>Context report</title>
</head>
<body class="page">
${body}
</body>
</html>`;
}
