import * as vscode from "vscode";
import type { Ctx } from "../ctx";
import { SessionDeleteRequest, SessionListRequest } from "../methods";
import { confirmed, fail } from "../notify";
import type { SessionInfo } from "../protocol";
import { failureText } from "../session/failure";
import { sessionLine } from "../session/picking";
import { exportTo, pickFolder } from "./session";

type SessionItem = vscode.QuickPickItem & { readonly session: SessionInfo };
type Pick = vscode.QuickPick<SessionItem>;

interface Button extends vscode.QuickInputButton {
  readonly act: (picker: Picker, session: SessionInfo) => Promise<void>;
}

interface Picker {
  readonly ctx: Ctx;
  readonly folder: string;
  readonly pick: Pick;
}

/** Lists the sessions of a folder; each can be opened, forked, exported or deleted. */
export function resumeSession(ctx: Ctx) {
  return async () => {
    const folder = await pickFolder(ctx);
    if (folder === undefined) {
      return;
    }
    const pick = vscode.window.createQuickPick<SessionItem>();
    const picker = { ctx, folder, pick };
    pick.title = "Resume session";
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.onDidAccept(() =>
      pick.selectedItems.map((item) => guard(ctx, open(picker, item.session))),
    );
    pick.onDidTriggerItemButton(({ button, item }) =>
      guard(ctx, (button as Button).act(picker, item.session)),
    );
    pick.onDidHide(() => pick.dispose());
    await fill(picker);
    pick.show();
  };
}

async function fill({ ctx, folder, pick }: Picker): Promise<void> {
  const listed = await ctx.request(SessionListRequest, { workspaceFolder: folder });
  const sessions = listed.sessions.filter(({ turns }) => turns > 0);
  pick.items = sessions.map((session) => ({
    ...sessionLine(session, ctx.session.sessionId),
    buttons: BUTTONS,
    session,
  }));
  pick.placeholder =
    sessions.length === 0
      ? "No sessions in this folder yet"
      : "Date, model, turns or words of the session";
}

async function open({ ctx, folder, pick }: Picker, session: SessionInfo): Promise<void> {
  pick.hide();
  await ctx.session.load(folder, session.id);
  await vscode.commands.executeCommand("plimsoll.focusChat");
}

const BUTTONS: readonly Button[] = [
  {
    iconPath: new vscode.ThemeIcon("repo-forked"),
    tooltip: "Fork: carry on in a copy",
    act: async ({ ctx, pick }, { id }) => {
      pick.hide();
      await ctx.session.fork(id);
      await vscode.commands.executeCommand("plimsoll.focusChat");
    },
  },
  {
    iconPath: new vscode.ThemeIcon("export"),
    tooltip: "Export…",
    act: async ({ ctx, pick }, { id }) => {
      pick.hide();
      await exportTo(ctx, id);
    },
  },
  {
    iconPath: new vscode.ThemeIcon("trash"),
    tooltip: "Delete…",
    act: remove,
  },
];

async function remove(picker: Picker, session: SessionInfo): Promise<void> {
  const { ctx, folder, pick } = picker;
  // The question takes the focus, and the list is still there when it is answered.
  pick.ignoreFocusOut = true;
  const detail = "Its messages, kept outputs and receipts go for good. Forks keep their copies.";
  const name = sessionLine(session, undefined).label;
  if (await confirmed(`Delete the session “${name}”?`, detail, "Delete")) {
    await ctx.request(SessionDeleteRequest, { sessionId: session.id });
    if (session.id === ctx.session.sessionId) {
      await ctx.session.create(folder);
    }
    await fill(picker);
  }
  pick.ignoreFocusOut = false;
}

function guard(ctx: Ctx, work: Promise<void>): void {
  work.catch((error: unknown) => {
    ctx.log.error(`Sessions: ${failureText(error)}`);
    return fail(`Plimsoll: ${failureText(error)}`);
  });
}
