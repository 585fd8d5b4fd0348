import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Attachments } from "../attachments";
import type { Ctx } from "../ctx";
import { SLASH_COMMANDS, type SlashCommand } from "../protocol";
import { pageHtml } from "./html";
import type { FromPage, ToPage } from "./posts";

export const CHAT_VIEW = "plimsoll.chat";

/** Shows the conversation that the extension host keeps; the page can be gone at any time. */
export class ChatView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  /** Posts before the page listens would be lost. */
  private ready = false;
  private waiting: ToPage[] = [];

  constructor(
    private readonly ctx: Ctx,
    private readonly attachments: Attachments,
    private readonly handle: (message: FromPage) => Promise<void>,
  ) {
    ctx.own(
      vscode.window.registerWebviewViewProvider(CHAT_VIEW, this),
      ctx.session.onAction((action) => {
        this.post({ type: "action", action });
        this.title();
      }),
      attachments.onDidChange(() =>
        this.post({ type: "attachments", attachments: attachments.list }),
      ),
    );
  }

  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const folder = vscode.Uri.joinPath(this.ctx.extension.extensionUri, "dist", "webview");
    const at = (name: string) =>
      view.webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    this.view = view;
    this.ready = false;
    view.webview.options = { enableScripts: true, localResourceRoots: [folder] };
    view.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    view.onDidDispose(() => {
      this.view = undefined;
      this.ready = false;
    });
    view.webview.html = pageHtml({
      title: "Plimsoll chat",
      cspSource: view.webview.cspSource,
      nonce: randomBytes(16).toString("base64url"),
      script: at("chat.js"),
      style: at("style.css"),
    });
    this.title();
  }

  /** Tells the page something; while there is none, its next state tells it anyway. */
  post(message: ToPage): void {
    if (this.ready) {
      void this.view?.webview.postMessage(message);
    }
  }

  /** Brings the chat to the front and tells it something, as soon as it listens. */
  async reveal(message: ToPage): Promise<void> {
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    if (this.ready) {
      this.post(message);
    } else {
      this.waiting.push(message);
    }
  }

  private receive(message: FromPage): void {
    if (message.type === "ready") {
      this.hydrate();
      return;
    }
    this.handle(message).catch((error: unknown) =>
      this.ctx.log.error(`The chat's ${message.type} failed: ${String(error)}`),
    );
  }

  private hydrate(): void {
    this.ready = true;
    this.post({
      type: "state",
      state: this.ctx.session.state,
      attachments: this.attachments.list,
      commands: this.slashCommands(),
    });
    for (const message of this.waiting.splice(0)) {
      this.post(message);
    }
  }

  /** Only what this server answers. */
  private slashCommands(): SlashCommand[] {
    const served = this.ctx.offered?.commands;
    return SLASH_COMMANDS.filter(
      ({ command }) => command === undefined || served === undefined || served.includes(command),
    );
  }

  private title(): void {
    if (this.view) {
      this.view.description = this.ctx.session.state.session?.title ?? "";
    }
  }
}
