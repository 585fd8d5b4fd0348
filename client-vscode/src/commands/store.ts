import * as vscode from "vscode";
import type { App } from "../app";
import type { ChatView } from "../chat/view";
import { confirm, showError, showInformation } from "../editor/notifications";
import { StoreForgetRequest, StoreSalvageRequest, StoreUseMemoryRequest } from "../methods";
import { failureOf } from "../session/failure";
import { keptText, rescuesOf, salvagedText } from "../session/stores";

const SHOW = "Show What Can Be Done";
const RESTART = "Restart Server";
const FORGET = "Forget Everything";

/** No session opened: where the store is why, leads to the chat, which offers what can be done. */
export function tellUnusableStore(chat: ChatView) {
  return async (error: unknown) => {
    if (rescuesOf(failureOf(error).kind).length === 0 || chat.visible) {
      return;
    }
    const message = "Plimsoll: The store of this folder cannot be used.";
    if ((await showError(message, SHOW)) === SHOW) {
      await chat.reveal({ type: "focus", target: "composer" });
    }
  };
}

/** Saves what can be read of a damaged store into a new one. */
export function salvageStore(app: App) {
  return async () => {
    const workspaceFolder = requiredFolder(app);
    const question = "Save what can be read of the damaged store into a new one?";
    const detail = "Sessions, memories and pins. The damaged file is kept as it is beside the new.";
    if (!(await confirm(question, detail, "Salvage"))) {
      return;
    }
    const saved = await app.request(StoreSalvageRequest, { workspaceFolder });
    await app.openFolder();
    await tellSalvaged(app, salvagedText(saved));
  };
}

/** What is kept in memory stays there until the server ends: only then the new store is used. */
async function tellSalvaged(app: App, text: string): Promise<void> {
  if (!app.session.state.inMemory) {
    void showInformation(text, "OK");
    return;
  }
  const next = "The conversation in memory ends when the server restarts with the new store.";
  if ((await showInformation(`${text} ${next}`, RESTART)) === RESTART) {
    await app.restart();
  }
}

/** Keeps sessions in memory until the server ends, where the store cannot be used. */
export function useMemory(app: App) {
  return async () => {
    await app.request(StoreUseMemoryRequest, { workspaceFolder: requiredFolder(app) });
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
    if (kept.length === 0) {
      void showInformation("Nothing is kept: there is nothing to forget.");
      return;
    }
    const question = "Delete all of this for good? It cannot be undone.";
    if (!(await confirm(question, keptText(kept), FORGET))) {
      return;
    }
    await app.request(StoreForgetRequest, { ...picked.params, confirmed: true });
    void showInformation("Everything was deleted. Keys and settings stay.");
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
