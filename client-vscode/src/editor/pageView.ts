import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** What is different from one page to the next. */
export interface PageSetup<To, From> {
  /** The id of the view, as the manifest has it. */
  readonly id: string;
  readonly title: string;
  /** The name of its script in the bundle. */
  readonly script: string;
  /** Everything that the page shows, told when it is ready. */
  hydrate(): To;
  handle(message: From): Promise<void> | void;
  /** Runs when the view appears or comes back into sight. */
  shown?(): void;
}

/** A page in a view: the host keeps what it shows, and the page can be gone at any time. */
export class PageView<To, From extends { type: string }> implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  /** Posts before the page listens would be lost. */
  private ready = false;
  private waiting: To[] = [];
  private description = "";

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly setup: PageSetup<To, From>,
  ) {}

  register(): vscode.Disposable {
    return vscode.window.registerWebviewViewProvider(this.setup.id, this);
  }

  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const folder = vscode.Uri.joinPath(this.extensionUri, "dist", "webview");
    const at = (name: string) =>
      view.webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    this.view = view;
    this.ready = false;
    view.webview.options = { enableScripts: true, localResourceRoots: [folder] };
    view.webview.onDidReceiveMessage((message: From) => this.receive(message));
    view.onDidChangeVisibility(() => view.visible && this.setup.shown?.());
    view.onDidDispose(() => {
      this.view = undefined;
      this.ready = false;
    });
    view.description = this.description;
    view.webview.html = pageHtml({
      title: this.setup.title,
      cspSource: view.webview.cspSource,
      nonce: randomBytes(16).toString("base64url"),
      script: at(`${this.setup.script}.js`),
      style: at("style.css"),
    });
    this.setup.shown?.();
  }

  /** What stands beside the title of the view. */
  describe(description: string): void {
    this.description = description;
    if (this.view) {
      this.view.description = description;
    }
  }

  /** Tells the page something; while there is none, its next state tells it anyway. */
  post(message: To): void {
    if (this.ready) {
      void this.view?.webview.postMessage(message);
    }
  }

  /** Brings the view to the front and tells it something, as soon as it listens. */
  async reveal(message: To): Promise<void> {
    await vscode.commands.executeCommand(`${this.setup.id}.focus`);
    if (this.ready) {
      this.post(message);
    } else {
      this.waiting.push(message);
    }
  }

  private receive(message: From): Promise<void> | void {
    if (message.type === "ready") {
      this.ready = true;
      this.post(this.setup.hydrate());
      for (const one of this.waiting.splice(0)) {
        this.post(one);
      }
      return;
    }
    return this.setup.handle(message);
  }
}

/** What a page of ours may load: its own script by nonce, its own style, and nothing from a network. */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
}

export interface PageDocument {
  readonly title: string;
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
}

/** The document of a webview; everything in it is drawn by its script. */
export function pageHtml(page: PageDocument): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(page.cspSource, page.nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${page.style}">
<title>${page.title}</title>
</head>
<body>
<script nonce="${page.nonce}" src="${page.script}"></script>
</body>
</html>`;
}
