import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import { type Extra, extraRows } from "./extras";
import { installedNames, installLocked } from "./launch";

/** Installs the server's libraries for a Python that the carried ones do not fit: the button says so. */
export function installLibraries(app: App) {
  return () => install(app, [], "Plimsoll's libraries");
}

/** Installs the extra that was named by whoever asked, else the one that is picked here. */
export function installExtra(app: App) {
  return async (named?: string) => {
    const rows = extraRows(process.platform, await installedNames(app.serverPlace()));
    const wanted = rows.find(({ extra }) => extra === named);
    const picked =
      wanted ??
      (await vscode.window.showQuickPick(rows, {
        title: "Install an extra",
        placeHolder: "pip fetches it now, checked against the hashes that Plimsoll carries",
      }));
    if (picked !== undefined) {
      await install(app, [picked.extra], `Plimsoll's extra “${picked.label}”`);
    }
  };
}

async function install(app: App, extras: readonly Extra[], what: string): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: what,
    cancellable: true,
  };
  const done = await vscode.window.withProgress(options, async (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    const place = app.serverPlace((message) => progress.report({ message }));
    try {
      await installLocked(place, extras, cancelled.signal);
      return true;
    } catch (error) {
      if (cancelled.signal.aborted) {
        return false;
      }
      throw error;
    }
  });
  if (done) {
    await app.restart();
    void showInformation(`${what}: installed. The server has started with it.`);
  }
}
