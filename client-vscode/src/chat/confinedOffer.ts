import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";

const DECLINED = "confinedCommandsDeclined";
const RUN_UNASKED = "Run sandboxed commands without asking";
const KEEP_ASKING = "Keep asking";

/** Offers once to run confined commands unasked; sets the person's own setting, on their word alone. */
export function offerConfinedCommands(app: App): void {
  app.own(
    app.session.onAction((action) => {
      if (
        action.type === "update" &&
        action.update.kind === "notice" &&
        isOffer(action.update.data)
      ) {
        void offer(app.extension.globalState);
      }
    }),
  );
}

export function isOffer(data: unknown): boolean {
  return (data as { offer?: unknown } | undefined)?.offer === "confinedCommands";
}

async function offer(kept: vscode.Memento): Promise<void> {
  if (kept.get(DECLINED, false)) {
    return;
  }
  const picked = await showInformation(
    "The agent's commands run in a sandbox here: they write only in this folder and in those that your settings name, and have no network. They can read what you can read. Run such commands without asking?",
    RUN_UNASKED,
    KEEP_ASKING,
  );
  if (picked === RUN_UNASKED) {
    const settings = vscode.workspace.getConfiguration("plimsoll.permission");
    await settings.update("confinedCommands", true, vscode.ConfigurationTarget.Global);
  } else if (picked === KEEP_ASKING) {
    await kept.update(DECLINED, true);
  }
}
