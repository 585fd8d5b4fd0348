import * as vscode from "vscode";
import type { App } from "../app";
import { memoryUri } from "../memory/files";
import type { MemoryStore } from "../memory/store";
import { MemorySearchRequest } from "../methods";
import type { Memory } from "../protocol";
import { failureText } from "../session/failure";
import { foundItem, type MemoryItem } from "./memory";

/** Keystrokes closer together than this, in milliseconds, are one search. */
const SETTLE = 150;
const LIMIT = 30;

/** Searches as one types; Enter opens a memory. */
export function searchMemories(app: App, store: MemoryStore) {
  return () => {
    const pick = vscode.window.createQuickPick<MemoryItem>();
    let waiting: NodeJS.Timeout | undefined;
    pick.title = "Search memories";
    pick.placeholder = "Words of the memory, or of what it is about";
    pick.items = store.list.memories.map(foundItem);
    pick.onDidChangeValue((query) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void fill(app, store, pick, query), SETTLE);
    });
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      pick.hide();
      return chosen && vscode.window.showTextDocument(memoryUri(chosen.memory), { preview: true });
    });
    pick.onDidHide(() => {
      clearTimeout(waiting);
      pick.dispose();
    });
    pick.show();
  };
}

async function fill(
  app: App,
  store: MemoryStore,
  pick: vscode.QuickPick<MemoryItem>,
  query: string,
): Promise<void> {
  pick.busy = true;
  try {
    const found = await search(app, store, query);
    if (pick.value === query) {
      pick.items = found.map(foundItem);
    }
  } catch (error) {
    app.log.error(`Memory search: ${failureText(error)}`);
    pick.items = [];
    pick.placeholder = failureText(error);
  } finally {
    pick.busy = false;
  }
}

async function search(app: App, store: MemoryStore, query: string): Promise<readonly Memory[]> {
  if (query.trim() === "") {
    return store.list.memories;
  }
  const params = { workspaceFolder: store.requiredFolder(), query, limit: LIMIT };
  return (await app.request(MemorySearchRequest, params)).memories;
}
