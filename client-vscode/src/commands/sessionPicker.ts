import * as vscode from "vscode";
import type { App } from "../app";
import { confirm } from "../editor/notifications";
import { SessionDeleteRequest, SessionListRequest, SessionSearchRequest } from "../methods";
import type { SessionInfo } from "../protocol";
import { matchLine, sessionLine } from "../session/labels/sessions";
import { telling } from "./failures";
import { exportTo, pickFolder, rename } from "./session";

/** What was said is searched when the writer pauses, in milliseconds. */
const SEARCH_AFTER = 200;
/** One letter stands in every session. */
const SEARCH_FROM = 2;

/** A row; what heads the rows of a search has no session. */
type SessionItem = vscode.QuickPickItem & { readonly session?: SessionInfo };
type Pick = vscode.QuickPick<SessionItem>;

interface Button extends vscode.QuickInputButton {
  readonly act: (picker: Picker, session: SessionInfo) => Promise<void>;
}

interface Picker {
  readonly app: App;
  readonly folder: string;
  readonly pick: Pick;
  /** The session whose subagents are listed; otherwise the sessions of the folder are. */
  readonly caller?: SessionInfo;
}

/** Lists the sessions of a folder, and finds them by what was said; each can be opened, renamed, forked, exported or deleted. */
export function resumeSession(app: App) {
  return async () => {
    const folder = await pickFolder(app);
    if (folder !== undefined) {
      await showPicker(app, folder);
    }
  };
}

async function showPicker(app: App, folder: string, caller?: SessionInfo): Promise<void> {
  const pick = vscode.window.createQuickPick<SessionItem>();
  const picker = { app, folder, pick, ...(caller ? { caller } : {}) };
  const tell = (work: Promise<void>) => telling(app, "sessions", work);
  let pause: NodeJS.Timeout | undefined;
  pick.title = caller ? `Subagents of “${nameOf(caller)}”` : "Resume session";
  pick.buttons = caller ? [vscode.QuickInputButtons.Back] : [];
  pick.onDidTriggerButton(() => tell(showPicker(app, folder)));
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.onDidAccept(() =>
    pick.selectedItems.map(({ session }) => session && tell(open(picker, session))),
  );
  pick.onDidTriggerItemButton(
    ({ button, item }) => item.session && tell((button as Button).act(picker, item.session)),
  );
  pick.onDidChangeValue(() => {
    clearTimeout(pause);
    pause = setTimeout(() => tell(fill(picker)), SEARCH_AFTER);
  });
  pick.onDidHide(() => {
    clearTimeout(pause);
    pick.dispose();
  });
  await fill(picker);
  pick.show();
}

async function fill({ app, folder, pick, caller }: Picker): Promise<void> {
  const query = pick.value;
  const parent = caller ? { parentId: caller.id } : {};
  const [listed, found] = await Promise.all([
    app.request(SessionListRequest, { workspaceFolder: folder, ...parent }),
    caller ? [] : search(app, folder, query),
  ]);
  if (pick.value !== query) {
    return;
  }
  const known = new Set(found.map(({ session }) => session?.id));
  const sessions = listed.sessions.filter(({ turns }) => turns > 0);
  const rows = sessions
    .filter(({ id }) => !known.has(id))
    .map((session) => row(session, sessionLine(session, app.session.sessionId)));
  pick.items = found.length > 0 ? [...rows, FOUND, ...found] : rows;
  const none = caller ? "It has called no subagents" : "No sessions in this folder yet";
  const words = caller ? "title" : "title or of what was said";
  pick.placeholder = sessions.length === 0 ? none : `Date, model, or words of the ${words}`;
}

function nameOf(session: SessionInfo): string {
  return sessionLine(session, undefined).label;
}

const FOUND: SessionItem = {
  label: "In the conversation",
  kind: vscode.QuickPickItemKind.Separator,
};

/** The sessions in which the words were said, each with the line; they stand whatever the list filters. */
async function search(app: App, workspaceFolder: string, query: string): Promise<SessionItem[]> {
  if (query.trim().length < SEARCH_FROM) {
    return [];
  }
  const { matches } = await app.request(SessionSearchRequest, { workspaceFolder, query });
  return matches
    .filter(({ messageId }) => messageId !== undefined)
    .map((match) => ({
      ...row(match.session, matchLine(match, app.session.sessionId)),
      alwaysShow: true,
    }));
}

function row(session: SessionInfo, line: vscode.QuickPickItem): SessionItem {
  return { ...line, buttons: BUTTONS, session };
}

async function open({ app, folder, pick }: Picker, session: SessionInfo): Promise<void> {
  pick.hide();
  await app.session.load(folder, session.id);
  await vscode.commands.executeCommand("plimsoll.focusChat");
}

const BUTTONS: readonly Button[] = [
  {
    iconPath: new vscode.ThemeIcon("edit"),
    tooltip: "Rename…",
    act: async ({ app, folder, pick, caller }, session) => {
      pick.hide();
      await rename(app, session);
      await showPicker(app, folder, caller);
    },
  },
  {
    iconPath: new vscode.ThemeIcon("type-hierarchy-sub"),
    tooltip: "Subagents: the sessions that it has called",
    act: ({ app, folder }, session) => showPicker(app, folder, session),
  },
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
  const detail = "Its messages and kept outputs are removed for good. Forks keep their copies.";
  if (await confirm(`Delete the session “${nameOf(session)}”?`, detail, "Delete")) {
    await app.request(SessionDeleteRequest, { sessionId: session.id });
    if (session.id === app.session.sessionId) {
      await app.session.create(folder);
    }
    await fill(picker);
  }
  pick.ignoreFocusOut = false;
}
