import * as vscode from "vscode";
import type { App } from "../app";
import { confirm, showError, showInformation, showWarning } from "../editor/notifications";
import { StoreForgetRequest, StoreSalvageRequest, StoreUseMemoryRequest } from "../methods";
import { failureOf, failureText } from "../session/failure";
import { keptText, salvagedText } from "../session/stores";

const SALVAGE = "Salvage…";
const MEMORY = "Work in Memory";
const FORGET = "Forget Everything";

/** No session opened: where the store is why, offers what can be done about it. */
export async function offerRescue(error: unknown): Promise<void> {
  const { kind } = failureOf(error);
  if (kind !== "storeDamaged" && kind !== "storeUnavailable" && kind !== "storeNewer") {
    return;
  }
  const actions = kind === "storeDamaged" ? [SALVAGE, MEMORY] : [MEMORY];
  const picked = await showError(`Plimsoll: ${failureText(error)}`, ...actions);
  if (picked === SALVAGE) {
    await vscode.commands.executeCommand("plimsoll.salvageStore");
  }
  if (picked === MEMORY) {
    await vscode.commands.executeCommand("plimsoll.useMemory");
  }
}

/** Saves what can be read of a damaged store into a new one. */
export function salvageStore(app: App) {
  return async () => {
    const workspaceFolder = requiredFolder(app);
    const question = "Save what can be read of the damaged store into a new one?";
    const detail = "Sessions, memories and pins. The damaged file is kept as it is beside the new.";
    if (await confirm(question, detail, "Salvage")) {
      const saved = await app.request(StoreSalvageRequest, { workspaceFolder });
      void showInformation(salvagedText(saved));
      await app.openFolder();
    }
  };
}

/** Keeps sessions in memory until the server ends, where the store cannot be used. */
export function useMemory(app: App) {
  return async () => {
    await app.request(StoreUseMemoryRequest, { workspaceFolder: requiredFolder(app) });
    void showWarning("Sessions of this folder are now in memory: they end with the server.");
    await app.openFolder();
  };
}

/** Deletes all that is kept of a folder, or of all, after showing what it is. */
export function forgetEverything(app: App) {
  return async () => {
    const folder = requiredFolder(app);
    const ofThis = { label: "This folder", params: { workspaceFolder: folder } };
    const ofAll = { label: "All folders", params: {} };
    const picked = await vscode.window.showQuickPick([ofThis, ofAll], { title: "Forget what?" });
    if (picked === undefined) {
      return;
    }
    const { kept } = await app.request(StoreForgetRequest, picked.params);
    const question = "Delete all of this for good? It cannot be undone.";
    if (!(await confirm(question, keptText(kept), FORGET))) {
      return;
    }
    await app.request(StoreForgetRequest, { ...picked.params, confirmed: true });
    void showInformation("Everything that was kept has been deleted. Keys and settings stay.");
    await app.session.create(folder);
  };
}

function requiredFolder(app: App): string {
  const folder = app.folder?.uri.toString();
  if (folder === undefined) {
    throw new Error("No folder is open: open the one whose store is meant.");
  }
  return folder;
}
