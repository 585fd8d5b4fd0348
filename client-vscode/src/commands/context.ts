import * as vscode from "vscode";
import type { App } from "../app";
import type { ChatView } from "../chat/view";
import { offerUndo, undo, undoable } from "../context/receipts";
import { showInformation, showWarning } from "../editor/notifications";
import { ContextCompactRequest, ContextPostponeRequest } from "../methods";
import type { Receipt } from "../protocol";
import { failureOf } from "../session/failure";
import { receiptText } from "../session/labels/receipts";
import { waitingText } from "../session/labels/waits";
import { formatTime } from "../text/format";

const ANYWAY = "Compact Anyway";

/** Compacts; the chat tells what it did, and a notification only where the chat is out of sight. */
export function compact(app: App, chat: ChatView) {
  return async () => {
    const receipt = await worthCompacting(app);
    if (receipt === undefined) {
      return;
    }
    app.session.dispatch({ type: "receipts", receipts: [receipt] });
    await warnOnce(app);
    if (!chat.visible) {
      await offerUndo(app, receipt);
    }
  };
}

/** Compacts where it frees anything to speak of; else asks first whether it is wanted all the same. */
async function worthCompacting(app: App): Promise<Receipt | undefined> {
  try {
    return await compacted(app, false);
  } catch (error) {
    const { message, data } = failureOf(error);
    if (data?.couldFree === undefined) {
      throw error;
    }
    return (await showWarning(message, ANYWAY)) === ANYWAY ? await compacted(app, true) : undefined;
  }
}

async function compacted(app: App, anyway: boolean): Promise<Receipt> {
  const sessionId = app.session.requiredId();
  const { receipt } = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: "Plimsoll: compacting",
      cancellable: true,
    },
    async (progress, token) => {
      const heard = app.session.onAction((action) => {
        if (action.type === "update" && action.update.kind === "waiting") {
          progress.report({ message: waitingText(action.update, undefined) });
        }
      });
      try {
        const params = { sessionId, anyway };
        const client = await app.started();
        return await client.sendRequest(ContextCompactRequest, params, token);
      } finally {
        heard.dispose();
      }
    },
  );
  return receipt;
}

const WARNED = "warnedOfSummaries";

/** Once for each person: a summary is not what was said. */
async function warnOnce(app: App): Promise<void> {
  const { globalState } = app.extension;
  if (!globalState.get(WARNED, false)) {
    await globalState.update(WARNED, true);
    void showInformation(
      "Summaries lose details, more with each one. What must hold is better pinned. The whole conversation is kept, and Undo brings it back.",
    );
  }
}

/** Puts the compaction that was announced off: for a few turns, or in this session for good. */
export function postponeCompaction(app: App) {
  return async () => {
    const sessionId = app.session.requiredId();
    const choices = [
      { label: "For a few turns", until: "later" },
      { label: "In this session, until you ask for it", until: "session" },
    ] as const;
    const picked = await vscode.window.showQuickPick(choices, { title: "Put off the compaction" });
    if (picked !== undefined) {
      await app.request(ContextPostponeRequest, { sessionId, until: picked.until });
      app.session.dispatch({ type: "postponed", until: picked.until });
    }
  };
}

export function undoReduction(app: App) {
  return async () => {
    const [latest] = await undoable(app);
    if (latest === undefined) {
      void showInformation("There is no reduction to undo.");
      return;
    }
    const receipt = await undo(app, latest.id);
    if (receipt !== undefined) {
      void showInformation(receiptText(receipt));
    }
  };
}

export function chooseReductionToUndo(app: App) {
  return async () => {
    const found = await undoable(app);
    const items = found.map((receipt) => ({
      label: receiptText(receipt),
      description: formatTime(receipt.at),
      detail: receipt.why,
      receipt,
    }));
    const picked = await vscode.window.showQuickPick(items, { title: "Undo which reduction?" });
    if (picked !== undefined) {
      await undo(app, picked.receipt.id);
    }
  };
}
