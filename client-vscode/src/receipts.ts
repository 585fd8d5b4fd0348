import type { Ctx } from "./ctx";
import type { VirtualDocuments } from "./documents";
import { ContextDiffRequest, ContextReportRequest, ContextUndoRequest } from "./methods";
import type { Receipt } from "./protocol";
import { receiptMarkdown } from "./report";

/** Answers the links of a receipt: the receipt itself, before and after, undo. */
export async function showReceipt(
  ctx: Ctx,
  documents: VirtualDocuments,
  editId: string,
  show: "receipt" | "diff" | "undo",
): Promise<void> {
  const params = { sessionId: ctx.session.required(), editId };
  if (show === "undo") {
    await undo(ctx, editId);
  } else if (show === "diff") {
    const { before, after } = await ctx.request(ContextDiffRequest, params);
    await documents.diff("Before / after the reduction", `reduction-${editId}.md`, before, after);
  } else {
    const receipt = (await receipts(ctx)).find(({ id }) => id === editId);
    if (receipt === undefined) {
      throw new Error("The session has no such receipt any more.");
    }
    await documents.read("Receipt.md", receiptMarkdown(receipt));
  }
}

/** Takes a reduction back and shows it. */
export async function undo(ctx: Ctx, editId: string): Promise<Receipt> {
  const params = { sessionId: ctx.session.required(), editId };
  const { receipt } = await ctx.request(ContextUndoRequest, params);
  ctx.session.dispatch({ type: "receipts", receipts: [receipt] });
  return receipt;
}

/** The receipts of the session, oldest first. */
export async function receipts(ctx: Ctx): Promise<Receipt[]> {
  const params = { sessionId: ctx.session.required(), detail: "list" as const };
  const report = await ctx.request(ContextReportRequest, params);
  return report.receipts.toSorted((a, b) => a.at.localeCompare(b.at));
}

/** What can be taken back, newest first. */
export async function undoable(ctx: Ctx): Promise<Receipt[]> {
  const all = await receipts(ctx);
  return all.filter(({ undone, status }) => !undone && status === "completed").toReversed();
}
