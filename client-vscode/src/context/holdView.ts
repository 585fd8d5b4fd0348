import * as vscode from "vscode";
import type { App } from "../app";
import type { ChatView } from "../chat/view";
import type { VirtualDocuments } from "../editor/documents";
import { PageView } from "../editor/pageView";
import { serverRow } from "../mcp/model";
import type { McpServers } from "../mcp/store";
import {
  ContextEvictRequest,
  ContextExplainRequest,
  ContextRestoreRequest,
  PinAddRequest,
  PinListRequest,
  PinRemoveRequest,
} from "../methods";
import type { ContextReport } from "../protocol";
import { failureOf, failureText } from "../session/failure";
import { buildHold, COMPACT_ADVICE, type Hold, loadText } from "./hold/hold";
import type { FromHoldPage, ToHoldPage } from "./hold/messages";
import type { HoldRow, ItemAction } from "./hold/rows";

export interface HoldParts {
  readonly app: App;
  readonly documents: VirtualDocuments;
  /** Where `read` puts the text that asks for a fresh reading. */
  readonly chat: ChatView;
  readonly servers: McpServers;
}

/** Shows every item that the model holds, and what can be done with it. */
export class HoldView {
  private hold: Hold | undefined;
  private sessionId: string | undefined;
  private readonly page: PageView<ToHoldPage, FromHoldPage>;

  constructor(private readonly parts: HoldParts) {
    const { app } = parts;
    this.page = new PageView<ToHoldPage, FromHoldPage>(app.extension.extensionUri, {
      id: "plimsoll.hold",
      title: "Plimsoll context",
      script: "hold",
      hydrate: () => this.shown(),
      handle: (message) => this.handle(message),
      shown: () => app.session.requestReportSoon(),
    });
    app.own(
      this.page.register(),
      parts.servers.onDidChange(() => this.page.post(this.shown())),
      app.session.onReport((report) => this.showReport(report)),
      app.session.onAction((action) => {
        if (action.type === "meter" && this.page.visible) {
          app.session.requestReportSoon();
        } else if (action.type === "loaded") {
          this.clear(action.session.id);
        }
      }),
    );
  }

  /** Shows nothing of another session. One that is loaded once more, as after a gap, keeps what a reader has open. */
  private clear(sessionId: string): void {
    if (sessionId !== this.sessionId) {
      this.sessionId = sessionId;
      this.show(undefined);
    }
  }

  private showReport(report: ContextReport): void {
    const { app } = this.parts;
    const folder = app.session.state.session?.workspaceFolder ?? "";
    this.show(buildHold(report, { served: app.serverCapabilities?.methods ?? [], folder }));
  }

  private show(hold: Hold | undefined): void {
    this.hold = hold;
    this.page.describe(hold ? loadText(hold.meter) : "");
    this.page.post(this.shown());
  }

  private shown(): ToHoldPage {
    return { type: "hold", hold: this.hold, servers: this.parts.servers.list.map(serverRow) };
  }

  private async handle(message: FromHoldPage): Promise<void> {
    try {
      await this.perform(message);
    } catch (error) {
      this.parts.app.log.error(`The context view could not ${message.type}: ${failureText(error)}`);
      this.parts.app.session.showFailure(failureOf(error));
    }
  }

  private async perform(message: FromHoldPage): Promise<void> {
    if (message.type === "advice") {
      await this.take(message.code);
      return;
    }
    if (message.type === "server") {
      const server = this.parts.servers.list.find(({ name }) => name === message.name);
      await (server && this.parts.servers.act(message.action, server));
      return;
    }
    const row = message.type === "ready" ? undefined : this.find(message.id);
    if (row !== undefined) {
      await (message.type === "act" ? this.act(message.action, row) : this.open(row));
    }
  }

  /** Does what an advice says: the one that frees the most of its kind. */
  private async take(code: string): Promise<void> {
    const { app } = this.parts;
    const of = (this.hold?.advice ?? []).filter((one) => one.code === code && one.can);
    const [best] = of.toSorted((a, b) => b.saves - a.saves);
    if (best?.code === COMPACT_ADVICE) {
      await vscode.commands.executeCommand("plimsoll.compact");
    } else if (best !== undefined) {
      const params = { sessionId: app.session.requiredId(), itemIds: [...best.itemIds] };
      await app.request(ContextEvictRequest, params);
      app.session.requestReportSoon();
    }
  }

  private find(id: string): HoldRow | undefined {
    const rows = this.hold?.rows ?? [];
    return rows.flatMap((row) => [row, ...(row.folded ?? [])]).find((row) => row.id === id);
  }

  private async act(action: ItemAction, row: HoldRow): Promise<void> {
    const { app } = this.parts;
    const sessionId = app.session.requiredId();
    await ACTIONS[action](this.parts, sessionId, row);
    app.session.requestReportSoon();
  }

  /** The place that an item came from; without one, why it is here. */
  private async open(row: HoldRow): Promise<void> {
    const { app, documents } = this.parts;
    if (row.source !== undefined) {
      await reveal(row.source);
    } else if (app.serverCapabilities?.methods.includes(ContextExplainRequest.method)) {
      const params = { sessionId: app.session.requiredId(), itemId: row.id };
      const { markdown } = await app.request(ContextExplainRequest, params);
      // Not rendered: it quotes what tools and files said, and a preview would load their images.
      await documents.showText("Why it is here.md", markdown);
    }
  }
}

type PerformAction = (parts: HoldParts, sessionId: string, row: HoldRow) => Promise<unknown>;

const ACTIONS: Readonly<Record<ItemAction, PerformAction>> = {
  pin: ({ app }, sessionId, { id }) => app.request(PinAddRequest, { sessionId, itemId: id }),
  unpin: ({ app }, sessionId, row) => unpinItem(app, sessionId, row),
  evict: ({ app }, sessionId, { id }) =>
    app.request(ContextEvictRequest, { sessionId, itemIds: [id] }),
  restore: ({ app }, sessionId, { id }) =>
    app.request(ContextRestoreRequest, { sessionId, itemIds: [id] }),
  read: ({ chat }, _sessionId, { source, title }) =>
    chat.reveal({
      type: "compose",
      text: `Read ${source ? `@${vscode.workspace.asRelativePath(vscode.Uri.parse(source.uri), false)}` : title} again: I have edited it.`,
    }),
};

/** A pin stands in the context view as the item `pin.<id>`. */
async function unpinItem(app: App, sessionId: string, { id }: HoldRow): Promise<void> {
  const { pins } = await app.request(PinListRequest, { sessionId });
  const pin = pins.find((one) => `pin.${one.id}` === id || one.id === id);
  if (pin !== undefined) {
    await app.request(PinRemoveRequest, { pinId: pin.id, sessionId });
  }
}

async function reveal({ uri, range }: NonNullable<HoldRow["source"]>): Promise<void> {
  const selection = range
    ? new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character)
    : undefined;
  const options = { preview: true, ...(selection ? { selection } : {}) };
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), options);
}
