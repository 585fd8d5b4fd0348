import * as vscode from "vscode";
import type { App } from "../app";
import { confirm } from "../editor/notifications";
import { SessionDeleteRequest, SessionListRequest } from "../methods";
import type { SessionInfo } from "../protocol";
import { sessionLine } from "../session/labels";
import { telling } from "./failures";
import { exportTo, pickFolder } from "./session";

type SessionItem = vscode.QuickPickItem & { readonly session: SessionInfo };
type Pick = vscode.QuickPick<SessionItem>;

interface Button extends vscode.QuickInputButton {
  readonly act: (picker: Picker, session: SessionInfo) => Promise<void>;
}

interface Picker {
  readonly app: App;
  readonly folder: string;
  readonly pick: Pick;
}

/** Lists the sessions of a folder; each can be opened, forked, exported or deleted. */
export function resumeSession(app: App) {
  return async () => {
    const folder = await pickFolder(app);
    if (folder === undefined) {
      return;
    }
    const pick = vscode.window.createQuickPick<SessionItem>();
    const picker = { app, folder, pick };
    pick.title = "Resume session";
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.onDidAccept(() =>
      pick.selectedItems.map((item) => telling(app, "sessions", open(picker, item.session))),
    );
    pick.onDidTriggerItemButton(({ button, item }) =>
      telling(app, "sessions", (button as Button).act(picker, item.session)),
    );
    pick.onDidHide(() => pick.dispose());
    await fill(picker);
    pick.show();
  };
}

async function fill({ app, folder, pick }: Picker): Promise<void> {
  const listed = await app.request(SessionListRequest, { workspaceFolder: folder });
  const sessions = listed.sessions.filter(({ turns }) => turns > 0);
  pick.items = sessions.map((session) => ({
    ...sessionLine(session, app.session.sessionId),
    buttons: BUTTONS,
    session,
  }));
  pick.placeholder =
    sessions.length === 0
      ? "No sessions in this folder yet"
      : "Date, model, turns or words of the session";
}

async function open({ app, folder, pick }: Picker, session: SessionInfo): Promise<void> {
  pick.hide();
  await app.session.load(folder, session.id);
  await vscode.commands.executeCommand("plimsoll.focusChat");
}

const BUTTONS: readonly Button[] = [
  {
    iconPath: new vscode.ThemeIcon("repo-forked"),
    tooltip: "Fork: carry on in a copy",
    act: async ({ app, pick }, { id }) => {
      pick.hide();
      await app.session.fork(id);
      await vscode.commands.executeCommand("plimsoll.focusChat");
    },
  },
  {
    iconPath: new vscode.ThemeIcon("export"),
    tooltip: "Export…",
    act: async ({ app, pick }, { id }) => {
      pick.hide();
      await exportTo(app, id);
    },
  },
  {
    iconPath: new vscode.ThemeIcon("trash"),
    tooltip: "Delete…",
    act: remove,
  },
];

async function remove(picker: Picker, session: SessionInfo): Promise<void> {
  const { app, folder, pick } = picker;
  // The question takes the focus, and the list is still there when it is answered.
  pick.ignoreFocusOut = true;
  const detail = "Its messages, kept outputs and receipts go for good. Forks keep their copies.";
  const name = sessionLine(session, undefined).label;
  if (await confirm(`Delete the session “${name}”?`, detail, "Delete")) {
    await app.request(SessionDeleteRequest, { sessionId: session.id });
    if (session.id === app.session.sessionId) {
      await app.session.create(folder);
    }
    await fill(picker);
  }
  pick.ignoreFocusOut = false;
}
