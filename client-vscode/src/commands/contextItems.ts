import * as vscode from "vscode";
import type { App } from "../app";
import { buildHold } from "../context/hold/hold";
import type { HoldRow, ItemAction } from "../context/hold/rows";
import { offerUndo } from "../context/receipts";
import { showInformation } from "../editor/notifications";
import { ContextEvictRequest, ContextReportRequest, ContextRestoreRequest } from "../methods";
import { exactTokens } from "../text/format";
import { KIND_GROUPS } from "../text/kinds";

type Moved = Extract<ItemAction, "evict" | "restore">;

const REQUESTS = { evict: ContextEvictRequest, restore: ContextRestoreRequest };
const TITLES: Readonly<Record<Moved, readonly [string, string]>> = {
  evict: ["Remove from the context", "Nothing in the context can be removed."],
  restore: ["Bring back into the context", "Nothing has left the context."],
};

/** Asks which items shall leave, or come back, and does it in one step, which can be undone. */
export function moveItems(app: App, action: Moved) {
  return async () => {
    const sessionId = app.session.requiredId();
    const [title, nothing] = TITLES[action];
    const found = (await rowsOf(app, sessionId)).filter((row) => row.actions.includes(action));
    if (found.length === 0) {
      void showInformation(nothing);
      return;
    }
    const options = { title, canPickMany: true, matchOnDescription: true } as const;
    const picked = await vscode.window.showQuickPick(found.map(itemOf), options);
    if (picked !== undefined && picked.length > 0) {
      const itemIds = picked.map(({ id }) => id);
      await move(app, action, itemIds);
    }
  };
}

/** Takes one item out of the context, which can be undone. */
export function removeItem(app: App, item: string): Promise<void> {
  return move(app, "evict", [item]);
}

async function move(app: App, action: Moved, itemIds: string[]): Promise<void> {
  const sessionId = app.session.requiredId();
  const { receipt } = await app.request(REQUESTS[action], { sessionId, itemIds });
  app.session.requestReportSoon();
  await offerUndo(app, receipt);
}

/** Every item with what can be done about it, the largest first. */
async function rowsOf(app: App, sessionId: string): Promise<HoldRow[]> {
  const report = await app.request(ContextReportRequest, { sessionId, detail: "detail" });
  const folder = app.session.state.session?.workspaceFolder ?? "";
  const { rows } = buildHold(report, { served: app.serverCapabilities?.methods ?? [], folder });
  const all = rows.flatMap((row) => [row, ...(row.folded ?? [])]);
  return all.toSorted((a, b) => b.tokens - a.tokens);
}

function itemOf({ id, title, state, tokens, group }: HoldRow) {
  const { label } = KIND_GROUPS[group];
  return { id, label: title, description: `${exactTokens(tokens)} tokens · ${label} · ${state}` };
}
