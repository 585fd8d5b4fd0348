import * as vscode from "vscode";
import type { Ctx } from "../ctx";
import { ContextExportRequest, SessionSetModeRequest } from "../methods";
import { tell } from "../notify";
import type { Mode } from "../protocol";

export function newSession(ctx: Ctx) {
  return async () => {
    const folder = await pickFolder(ctx);
    if (folder !== undefined) {
      if (!isUnused(ctx, folder)) {
        await ctx.session.create(folder);
      }
      await vscode.commands.executeCommand("plimsoll.focusChat");
    }
  };
}

/** A session in which nothing was said yet is as good as a new one. */
function isUnused({ session: { state } }: Ctx, folder: string): boolean {
  return state.session?.workspaceFolder === folder && state.entries.length === 0;
}

export function cancelTurn(ctx: Ctx) {
  return () => ctx.session.cancel();
}

export function forkSession(ctx: Ctx) {
  return () => ctx.session.fork();
}

const MODES: readonly (vscode.QuickPickItem & { mode: Mode })[] = [
  { mode: "edit", label: "Edit", description: "All tools; every write and every command asks" },
  { mode: "plan", label: "Plan", description: "Reading tools only" },
  { mode: "ask", label: "Ask", description: "No tools" },
];

export function setMode(ctx: Ctx) {
  return async () => {
    const sessionId = ctx.session.required();
    const picked = await vscode.window.showQuickPick(MODES, { title: "What may the agent do?" });
    if (picked !== undefined) {
      const { session } = await ctx.request(SessionSetModeRequest, {
        sessionId,
        mode: picked.mode,
      });
      ctx.session.dispatch({ type: "session", session });
    }
  };
}

export function exportSession(ctx: Ctx) {
  return () => exportTo(ctx, ctx.session.required());
}

/** Writes the log of a session to a file that is asked for. */
export async function exportTo(ctx: Ctx, sessionId: string): Promise<void> {
  const folder = ctx.folder?.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Export session",
    filters: { "JSON lines": ["jsonl"] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, "session.jsonl") } : {}),
  });
  if (target !== undefined) {
    const { jsonl } = await ctx.request(ContextExportRequest, { sessionId });
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(jsonl));
    void tell(`The session was exported to ${target.fsPath}.`);
  }
}

/** The folder of the open session, or the one that is picked where there are several. */
export async function pickFolder(ctx: Ctx): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length <= 1) {
    return ctx.folder?.uri.toString();
  }
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: "In which folder?" });
  return picked?.uri.toString();
}
