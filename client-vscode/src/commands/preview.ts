import * as vscode from "vscode";
import type { App } from "../app";
import { receiptMarkdown } from "../context/receiptMarkdown";
import type { SummaryDrafts } from "../context/summaryDrafts";
import type { VirtualDocuments } from "../editor/documents";
import { ContextDraftSummaryRequest, ContextPreviewRequest } from "../methods";
import type { SummaryDraft } from "../protocol";
import type { Entry } from "../session/state";

/** Shows what a compaction would put in the place of what was said, to edit and apply; changes nothing. */
export function previewCompaction(app: App, documents: VirtualDocuments, drafts: SummaryDrafts) {
  return async () => {
    const sessionId = app.session.requiredId();
    if (!app.serverCapabilities?.methods.includes(ContextDraftSummaryRequest.method)) {
      await showDigest(app, documents, sessionId);
      return;
    }
    const cut = await pickCut(app.session.state.entries);
    if (cut === undefined) {
      return;
    }
    const draft = await drafted(app, sessionId, cut.untilMessageId);
    // Without a model that writes, compacting takes the digest: that is what is shown.
    await (draft.model === undefined && cut.untilMessageId === undefined
      ? showDigest(app, documents, sessionId)
      : drafts.show(sessionId, draft));
  };
}

async function showDigest(app: App, documents: VirtualDocuments, sessionId: string) {
  const { receipt } = await app.request(ContextPreviewRequest, { sessionId });
  await documents.showMarkdown("Compaction preview.md", receiptMarkdown(receipt));
}

function drafted(app: App, sessionId: string, until: string | undefined): Thenable<SummaryDraft> {
  const title = "Plimsoll: writing a summary";
  const location = vscode.ProgressLocation.Notification;
  const params = { sessionId, ...(until ? { untilMessageId: until } : {}) };
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) =>
    (await app.started()).sendRequest(ContextDraftSummaryRequest, params, token),
  );
}

/** Where a summary can end. */
export interface Cut extends vscode.QuickPickItem {
  readonly untilMessageId?: string;
}

/** The usual cut, and one before each prompt that something was said before, the newest first. */
export function cutsOf(entries: readonly Entry[]): Cut[] {
  let said: string | undefined;
  const cuts: Cut[] = [];
  for (const entry of entries) {
    if (entry.kind === "answer") {
      said = entry.id;
    } else if (entry.kind === "user" && said !== undefined) {
      const label = entry.text.replaceAll(/\s+/g, " ").slice(0, 80);
      cuts.push({ label: `Everything before “${label}”`, untilMessageId: said });
    }
  }
  return [{ label: "All but the newest part" }, ...cuts.toReversed()];
}

/** Asked only where there is a choice. */
async function pickCut(entries: readonly Entry[]): Promise<Cut | undefined> {
  const cuts = cutsOf(entries);
  return cuts.length === 1
    ? cuts[0]
    : vscode.window.showQuickPick(cuts, { title: "What should be summarised?" });
}
