import * as vscode from "vscode";
import type { Ctx } from "../ctx";
import type { VirtualDocuments } from "../documents";
import {
  ContextEvictRequest,
  ContextExplainRequest,
  ContextRestoreRequest,
  PinAddRequest,
  PinListRequest,
  PinRemoveRequest,
} from "../methods";
import { PageView } from "../pages/pageView";
import type { ContextReport } from "../protocol";
import { failed, failureText } from "../session/failure";
import { type Hold, holdOf, type ItemAction, loadText, type Row } from "./model";
import type { FromHold, ToHold } from "./posts";

export interface HoldParts {
  readonly ctx: Ctx;
  readonly documents: VirtualDocuments;
  /** Puts a text into the chat's field. */
  compose(text: string): Promise<void>;
}

/** Shows every item that the model holds, and what can be done with it. */
export class HoldView {
  private hold: Hold | undefined;
  private readonly page: PageView<ToHold, FromHold>;

  constructor(private readonly parts: HoldParts) {
    const { ctx } = parts;
    this.page = new PageView<ToHold, FromHold>(ctx.extension.extensionUri, {
      id: "plimsoll.hold",
      title: "Plimsoll hold",
      script: "hold",
      hydrate: () => ({ type: "hold", hold: this.hold }),
      handle: (message) => this.handle(message),
      shown: () => ctx.session.weighSoon(),
    });
    ctx.own(
      this.page.register(),
      ctx.session.onReport((report) => this.take(report)),
      ctx.session.onAction(({ type }) => {
        if (type === "meter" && this.page.visible) {
          ctx.session.weighSoon();
        } else if (type === "loaded") {
          this.show(undefined);
        }
      }),
    );
  }

  private take(report: ContextReport): void {
    const { ctx } = this.parts;
    const folder = ctx.session.state.session?.workspaceFolder ?? "";
    this.show(holdOf(report, { served: ctx.offered?.methods ?? [], folder }));
  }

  private show(hold: Hold | undefined): void {
    this.hold = hold;
    this.page.describe(hold ? loadText(hold.meter) : "");
    this.page.post({ type: "hold", hold });
  }

  private async handle(message: FromHold): Promise<void> {
    const row = message.type === "ready" ? undefined : this.find(message.id);
    if (row === undefined) {
      return;
    }
    try {
      await (message.type === "act" ? this.act(message.action, row) : this.open(row));
    } catch (error) {
      this.parts.ctx.log.error(`The hold could not ${message.type}: ${failureText(error)}`);
      this.parts.ctx.session.fail(failed(error));
    }
  }

  private find(id: string): Row | undefined {
    const rows = this.hold?.rows ?? [];
    return rows.flatMap((row) => [row, ...(row.folded ?? [])]).find((row) => row.id === id);
  }

  private async act(action: ItemAction, row: Row): Promise<void> {
    const { ctx } = this.parts;
    const sessionId = ctx.session.required();
    await ACTIONS[action](this.parts, sessionId, row);
    ctx.session.weighSoon();
  }

  /** The place that an item came from; without one, why it is here. */
  private async open(row: Row): Promise<void> {
    const { ctx, documents } = this.parts;
    if (row.source !== undefined) {
      await reveal(row.source);
    } else if (ctx.offered?.methods.includes(ContextExplainRequest.method)) {
      const params = { sessionId: ctx.session.required(), itemId: row.id };
      const { markdown } = await ctx.request(ContextExplainRequest, params);
      // Not rendered: it quotes what tools and files said, and a preview would load their images.
      await documents.show("Why it is here.md", markdown);
    }
  }
}

type Act = (parts: HoldParts, sessionId: string, row: Row) => Promise<unknown>;

const ACTIONS: Readonly<Record<ItemAction, Act>> = {
  pin: ({ ctx }, sessionId, { id }) => ctx.request(PinAddRequest, { sessionId, itemId: id }),
  unpin: ({ ctx }, sessionId, row) => unpin(ctx, sessionId, row),
  evict: ({ ctx }, sessionId, { id }) =>
    ctx.request(ContextEvictRequest, { sessionId, itemIds: [id] }),
  restore: ({ ctx }, sessionId, { id }) =>
    ctx.request(ContextRestoreRequest, { sessionId, itemIds: [id] }),
  read: ({ compose }, _sessionId, { source, title }) =>
    compose(
      `Read ${source ? `@${vscode.workspace.asRelativePath(vscode.Uri.parse(source.uri), false)}` : title} again: I have edited it.`,
    ),
};

/** A pin stands in the hold as the item `pin.<id>`. */
async function unpin(ctx: Ctx, sessionId: string, { id }: Row): Promise<void> {
  const { pins } = await ctx.request(PinListRequest, { sessionId });
  const pin = pins.find((one) => `pin.${one.id}` === id || one.id === id);
  if (pin !== undefined) {
    await ctx.request(PinRemoveRequest, { pinId: pin.id, sessionId });
  }
}

async function reveal({ uri, range }: NonNullable<Row["source"]>): Promise<void> {
  const selection = range
    ? new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character)
    : undefined;
  const options = { preview: true, ...(selection ? { selection } : {}) };
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), options);
}
