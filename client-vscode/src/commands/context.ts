import * as vscode from "vscode";
import type { Ctx } from "../ctx";
import type { VirtualDocuments } from "../documents";
import { formatTime } from "../format";
import { ContextCompactRequest, ContextPreviewRequest, ContextReportRequest } from "../methods";
import { tell } from "../notify";
import type { Receipt } from "../protocol";
import { undo, undoable } from "../receipts";
import { receiptLabel, receiptMarkdown, reportMarkdown } from "../report";
import { receiptText } from "../session/words";

const UNDO = "Undo";

export function compact(ctx: Ctx) {
  return async () => {
    const sessionId = ctx.session.required();
    const { receipt } = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: "Plimsoll: compacting",
        cancellable: true,
      },
      (_progress, token) => ctx.running().sendRequest(ContextCompactRequest, { sessionId }, token),
    );
    ctx.session.dispatch({ type: "receipts", receipts: [receipt] });
    await offerUndo(ctx, receipt);
  };
}

/** Says what a reduction did, with the way back. */
export async function offerUndo(ctx: Ctx, receipt: Receipt): Promise<void> {
  const actions = receipt.status === "completed" ? [UNDO] : [];
  const picked = await tell(receiptText(receipt), ...actions);
  if (picked === UNDO) {
    await undo(ctx, receipt.id);
  }
}

/** What a compaction would do now; changes nothing. */
export function previewCompaction(ctx: Ctx, documents: VirtualDocuments) {
  return async () => {
    const sessionId = ctx.session.required();
    const { receipt } = await ctx.request(ContextPreviewRequest, { sessionId });
    await documents.read("Compaction preview.md", receiptMarkdown(receipt));
  };
}

export function undoReduction(ctx: Ctx) {
  return async () => {
    const [latest] = await undoable(ctx);
    if (latest === undefined) {
      void tell("There is no reduction to undo.");
      return;
    }
    const receipt = await undo(ctx, latest.id);
    void tell(receiptText(receipt));
  };
}

export function chooseReductionToUndo(ctx: Ctx) {
  return async () => {
    const found = await undoable(ctx);
    const items = found.map((receipt) => ({
      label: receiptLabel(receipt),
      description: formatTime(receipt.at),
      detail: receipt.why,
      receipt,
    }));
    const picked = await vscode.window.showQuickPick(items, { title: "Undo which reduction?" });
    if (picked !== undefined) {
      await undo(ctx, picked.receipt.id);
    }
  };
}

export function showContextReport(ctx: Ctx, documents: VirtualDocuments) {
  return async () => {
    const sessionId = ctx.session.required();
    const report = await ctx.request(ContextReportRequest, { sessionId, detail: "detail" });
    await documents.read("Context report.md", reportMarkdown(report));
  };
}
