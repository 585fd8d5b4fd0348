import type { App } from "../app";
import type { VirtualDocuments } from "../editor/documents";
import { showInformation } from "../editor/notifications";
import { ContextDiffRequest, ContextReportRequest, ContextUndoRequest } from "../methods";
import type { Receipt } from "../protocol";
import { receiptText } from "../session/labels/receipts";
import { showBroughtBack } from "./goingBack";
import { receiptMarkdown } from "./receiptMarkdown";

/** Answers the links of a receipt: the receipt itself, before and after, undo. */
export async function showReceipt(
  app: App,
  documents: VirtualDocuments,
  editId: string,
  show: "receipt" | "diff" | "undo",
): Promise<void> {
  const params = { sessionId: app.session.requiredId(), editId };
  if (show === "undo") {
    await undo(app, editId);
  } else if (show === "diff") {
    const { before, after } = await app.request(ContextDiffRequest, params);
    await documents.showDiff("Before / after the reduction", `reduction-${editId}.md`, {
      before,
      after,
    });
  } else {
    const receipt = (await receipts(app)).find(({ id }) => id === editId);
    if (receipt === undefined) {
      throw new Error("This reduction is no longer in the session.");
    }
    await documents.showMarkdown("Details.md", receiptMarkdown(receipt));
  }
}

/** Takes a reduction or a rewind back and shows it; of a rewind there is no receipt. */
export async function undo(app: App, editId: string): Promise<Receipt | undefined> {
  const params = { sessionId: app.session.requiredId(), editId };
  const { receipt, session, files } = await app.request(ContextUndoRequest, params);
  if (session !== undefined) {
    await showBroughtBack(app, session, files ?? []);
  }
  if (receipt !== undefined) {
    app.session.dispatch({ type: "receipts", receipts: [receipt] });
  }
  return receipt;
}

/** The receipts of the session, oldest first. */
async function receipts(app: App): Promise<Receipt[]> {
  const params = { sessionId: app.session.requiredId(), detail: "list" as const };
  const report = await app.request(ContextReportRequest, params);
  return report.receipts.toSorted((a, b) => a.at.localeCompare(b.at));
}

/** What can be taken back, newest first. */
export async function undoable(app: App): Promise<Receipt[]> {
  const all = await receipts(app);
  return all.filter(({ undone, status }) => !undone && status === "completed").toReversed();
}

const UNDO = "Undo";

/** Says what a reduction did, with the way back. */
export async function offerUndo(app: App, receipt: Receipt): Promise<void> {
  const actions = receipt.status === "completed" ? [UNDO] : [];
  const picked = await showInformation(receiptText(receipt), ...actions);
  if (picked === UNDO) {
    await undo(app, receipt.id);
  }
}
