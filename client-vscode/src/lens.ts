import * as vscode from "vscode";
import { offerUndo } from "./commands/context";
import { pinnedText } from "./commands/pins";
import type { Ctx } from "./ctx";
import type { VirtualDocuments } from "./documents";
import { drawnTitle, lensKey } from "./lensKey";
import { tell } from "./notify";
import { type Pin, type Receipt, SERVER_COMMANDS } from "./protocol";

/** A lens of the server with our own mark in front. */
export function drawnLens(lens: vscode.CodeLens): vscode.CodeLens {
  if (lens.command !== undefined) {
    lens.command = { ...lens.command, title: drawnTitle(lens.command.title) };
  }
  return lens;
}

interface Answer {
  readonly message: string;
  readonly result?: { readonly pin?: Pin; readonly receipt?: Receipt };
}

type Present = (ctx: Ctx, documents: VirtualDocuments, answer: Answer) => unknown;

const PRESENTERS: Readonly<Record<string, Present>> = {
  // Not rendered: it quotes what tools and files said, and a preview would load their images.
  [SERVER_COMMANDS.explain]: (_ctx, documents, { message }) =>
    documents.show("Why it is here.md", message),
  [SERVER_COMMANDS.pin]: (_ctx, _documents, { result }) =>
    result?.pin && tell(pinnedText(result.pin)),
  [SERVER_COMMANDS.evict]: (ctx, _documents, { result }) =>
    result?.receipt && offerUndo(ctx, result.receipt),
};

/** Shows what the commands of a lens answered, and keeps the lenses as new as the context. */
export function presentLenses(ctx: Ctx, documents: VirtualDocuments): void {
  let shown = "";
  ctx.onCommandAnswer(async (command, answer) => {
    ctx.session.weighSoon();
    await PRESENTERS[command]?.(ctx, documents, answer as Answer);
  });
  ctx.own(
    ctx.session.onReport(({ items }) => {
      const key = lensKey(items ?? []);
      if (key !== shown) {
        shown = key;
        refresh(ctx);
      }
    }),
  );
}

function refresh(ctx: Ctx): void {
  const lenses = ctx.running().getFeature("textDocument/codeLens");
  const providers = vscode.workspace.textDocuments.map((document) => lenses.getProvider(document));
  for (const provider of new Set(providers)) {
    provider?.onDidChangeCodeLensEmitter.fire();
  }
}
