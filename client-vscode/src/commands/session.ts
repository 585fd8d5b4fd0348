import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import {
  ContextExportRequest,
  SessionRenameRequest,
  SessionSetModeRequest,
  SessionTakeOverRequest,
} from "../methods";
import type { Mode, SessionInfo } from "../protocol";

export function newSession(app: App) {
  return async () => {
    const folder = await pickFolder(app);
    if (folder !== undefined) {
      if (!isUnused(app, folder)) {
        await app.session.create(folder);
      }
      await vscode.commands.executeCommand("plimsoll.focusChat");
    }
  };
}

/** A session in which nothing was said yet is as good as a new one, if it asks the model that is set. */
function isUnused({ session: { state } }: App, folder: string): boolean {
  const { session, entries } = state;
  const model = modelSet() ?? session?.model;
  return session?.workspaceFolder === folder && entries.length === 0 && session.model === model;
}

/** The model in the user's own settings, as sessions name it; nothing where they leave it open. */
function modelSet(): string | undefined {
  const settings = vscode.workspace.getConfiguration("plimsoll.model");
  const own = (key: string) => settings.inspect<string>(key)?.globalValue;
  const [provider, name] = [own("provider"), own("name")];
  return provider && name ? `${provider}/${name}` : undefined;
}

export function cancelTurn(app: App) {
  return () => app.session.cancel();
}

export function forkSession(app: App) {
  return () => app.session.fork();
}

/** Writes a session that another window or machine has written so far, which reads along from then on. */
export function takeOverSession(app: App) {
  return async () => {
    const sessionId = app.session.requiredId();
    const { session } = await app.request(SessionTakeOverRequest, { sessionId });
    await app.session.load(session.workspaceFolder, session.id);
    await vscode.commands.executeCommand("plimsoll.focusChat");
  };
}

const MODES: readonly (vscode.QuickPickItem & { mode: Mode })[] = [
  { mode: "edit", label: "Edit", description: "All tools; every write and every command asks" },
  { mode: "plan", label: "Plan", description: "Reading tools only" },
  { mode: "ask", label: "Ask", description: "No tools" },
];

export function setMode(app: App) {
  return async () => {
    const sessionId = app.session.requiredId();
    const picked = await vscode.window.showQuickPick(MODES, { title: "What may the agent do?" });
    if (picked !== undefined) {
      const { session } = await app.request(SessionSetModeRequest, {
        sessionId,
        mode: picked.mode,
      });
      app.session.dispatch({ type: "session", session });
    }
  };
}

/** The wire takes no longer title. */
const LONGEST_TITLE = 200;

export function renameSession(app: App) {
  return async () => {
    const { session } = app.session.state;
    app.session.requiredId();
    await (session && rename(app, session));
  };
}

/** Asks for the title of a session and sets it. */
export async function rename(app: App, { id, title }: SessionInfo): Promise<void> {
  const asked = await vscode.window.showInputBox({
    title: "Rename session",
    prompt: "The title in the list of sessions and above the chat",
    value: title,
    validateInput: titleProblem,
  });
  if (asked === undefined || asked.trim() === title) {
    return;
  }
  const { session } = await app.request(SessionRenameRequest, {
    sessionId: id,
    title: asked.trim(),
  });
  if (id === app.session.sessionId) {
    app.session.dispatch({ type: "session", session });
  }
}

function titleProblem(title: string): string | undefined {
  if (title.trim() === "") {
    return "Give a title.";
  }
  return title.trim().length > LONGEST_TITLE
    ? `A title has at most ${LONGEST_TITLE} characters; this one has ${title.trim().length}.`
    : undefined;
}

export function exportSession(app: App) {
  return () => exportTo(app, app.session.requiredId());
}

/** Writes the log of a session to a file that is asked for. */
export async function exportTo(app: App, sessionId: string): Promise<void> {
  const folder = app.folder?.uri;
  const target = await vscode.window.showSaveDialog({
    title: "Export session",
    filters: { "JSON lines": ["jsonl"] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, "session.jsonl") } : {}),
  });
  if (target !== undefined) {
    const { jsonl } = await app.request(ContextExportRequest, { sessionId });
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(jsonl));
    void showInformation(`The session was exported to ${target.fsPath}.`);
  }
}

/** The folder of the open session, or the one that is picked where there are several. */
export async function pickFolder(app: App): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length <= 1) {
    return app.folder?.uri.toString();
  }
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: "In which folder?" });
  return picked?.uri.toString();
}
