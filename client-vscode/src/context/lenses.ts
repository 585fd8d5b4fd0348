import * as vscode from "vscode";
import type { App } from "../app";
import type { VirtualDocuments } from "../editor/documents";
import { showInformation } from "../editor/notifications";
import { pinnedText } from "../pins/model";
import { type ContextItem, type Pin, type Receipt, SERVER_COMMANDS } from "../protocol";
import { offerUndo } from "./receipts";

interface LensResult {
  readonly message: string;
  readonly result?: { readonly pin?: Pin; readonly receipt?: Receipt };
}

type ShowResult = (app: App, documents: VirtualDocuments, answer: LensResult) => unknown;

const SHOW_RESULT: Readonly<Record<string, ShowResult>> = {
  // Not rendered: it quotes what tools and files said, and a preview would load their images.
  [SERVER_COMMANDS.explain]: (_ctx, documents, { message }) =>
    documents.showText("Why it is here.md", message),
  [SERVER_COMMANDS.pin]: (_ctx, _documents, { result }) =>
    result?.pin && showInformation(pinnedText(result.pin)),
  [SERVER_COMMANDS.evict]: (app, _documents, { result }) =>
    result?.receipt && offerUndo(app, result.receipt),
};

/** Shows what the commands of a lens answered, and keeps the lenses as new as the context. */
export function registerLenses(app: App, documents: VirtualDocuments): void {
  let shown = "";
  app.onCommandAnswer(async (command, answer) => {
    app.session.requestReportSoon();
    await SHOW_RESULT[command]?.(app, documents, answer as LensResult);
  });
  app.own(
    app.session.onReport(({ items }) => {
      const key = lensKey(items ?? []);
      if (key !== shown) {
        shown = key;
        refresh(app);
      }
    }),
  );
}

function refresh(app: App): void {
  const lenses = app.running().getFeature("textDocument/codeLens");
  const providers = vscode.workspace.textDocuments.map((document) => lenses.getProvider(document));
  for (const provider of new Set(providers)) {
    provider?.onDidChangeCodeLensEmitter.fire();
  }
}

/** What the lenses of a report show, to tell whether an editor has to ask for them again. */
export function lensKey(items: readonly ContextItem[]): string {
  return items
    .filter(({ source }) => source !== undefined)
    .map(({ id, tokens, state, source }) => `${id} ${tokens} ${state} ${source?.stale}`)
    .join("\n");
}
