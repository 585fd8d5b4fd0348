import * as vscode from "vscode";
import type { App } from "../app";
import { ContextReportRequest } from "../methods";
import type { ContextReport } from "../protocol";
import { reportHtml } from "./reportPage";
import { RAISE_LIMIT } from "./spending";

/** The report in a tab of its own: a page without scripts that may run one command. */
export class ReportView {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly app: App) {
    app.own(
      { dispose: () => this.panel?.dispose() },
      app.session.onReport((report) => this.panel && this.draw(this.panel, report)),
      app.session.onAction(({ type }) => {
        if (type === "meter" && this.panel?.visible) {
          app.session.requestReportSoon();
        }
      }),
    );
  }

  /** Opens the report of the open session, which follows the context from then on. */
  async show(): Promise<void> {
    const { app } = this;
    const params = { sessionId: app.session.requiredId(), detail: "detail" as const };
    const report = await app.request(ContextReportRequest, params);
    const panel = this.panel ?? this.open();
    this.draw(panel, report);
    panel.reveal(undefined, false);
  }

  private get dist(): vscode.Uri {
    return vscode.Uri.joinPath(this.app.extension.extensionUri, "dist", "webview");
  }

  /** The editor keeps where a page was scrolled to as it is drawn anew; one with the same figures stays. */
  private draw({ webview }: vscode.WebviewPanel, report: ContextReport): void {
    const style = webview.asWebviewUri(vscode.Uri.joinPath(this.dist, "style.css"));
    const folder = this.app.session.state.session?.workspaceFolder ?? "";
    const html = reportDocument(reportHtml(report, folder), webview.cspSource, style.toString());
    if (webview.html !== html) {
      webview.html = html;
    }
  }

  private open(): vscode.WebviewPanel {
    const { dist } = this;
    const panel = vscode.window.createWebviewPanel(
      "plimsoll.report",
      "Context report",
      vscode.ViewColumn.Active,
      { enableScripts: false, enableCommandUris: [RAISE_LIMIT], localResourceRoots: [dist] },
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
