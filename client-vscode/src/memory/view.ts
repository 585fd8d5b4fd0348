import * as vscode from "vscode";
import type { App } from "../app";
import type { Memory } from "../protocol";
import { memoryContext, teamNote } from "../team/model";
import type { TeamStore } from "../team/store";
import { plural } from "../text/format";
import { MemoryFiles, memoryUri } from "./files";
import { groupsOf, type MemoryGroup, memoryDetails, memoryNote } from "./model";
import { type MemoryList, MemoryStore } from "./store";

export type MemoryNode =
  | { readonly kind: "group"; readonly group: MemoryGroup }
  | { readonly kind: "memory"; readonly memory: Memory };

/** Registers the view of the memories and the documents in which they are edited. */
export function registerMemories(app: App, team: TeamStore): MemoryStore {
  const store = new MemoryStore(app);
  new MemoryFiles(app, store);
  new MemoryView({ app, store, team });
  return store;
}

interface ViewParts {
  readonly app: App;
  readonly store: MemoryStore;
  readonly team: TeamStore;
}

/** The memories of the folder by type, with the inbox on top and counted on the view. */
class MemoryView implements vscode.TreeDataProvider<MemoryNode> {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<MemoryNode>;
  readonly onDidChangeTreeData = this.changed.event;

  private readonly store: MemoryStore;

  constructor({ app, store, team }: ViewParts) {
    this.store = store;
    this.view = vscode.window.createTreeView("plimsoll.memory", { treeDataProvider: this });
    app.own(
      this.changed,
      this.view,
      store.onDidChange((known) => this.show(known)),
      team.onDidChange((status) => {
        this.view.description = teamNote(status);
      }),
    );
  }

  getChildren(node?: MemoryNode): MemoryNode[] {
    if (node === undefined) {
      return groupsOf(this.store.list.memories).map((group) => ({ kind: "group", group }));
    }
    return node.kind === "group"
      ? node.group.memories.map((memory) => ({ kind: "memory", memory }))
      : [];
  }

  getTreeItem(node: MemoryNode): vscode.TreeItem {
    return node.kind === "group" ? groupItem(node.group) : memoryItem(node.memory);
  }

  private show({ served, memories, error }: MemoryList): void {
    const waiting = memories.filter(({ state }) => state === "inbox").length;
    const tooltip = `${plural(waiting, "memory", "memories")} to review`;
    this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
    this.view.message = error === "" ? undefined : error;
    const words = { true: "served", false: "missing", undefined: "unknown" };
    void vscode.commands.executeCommand("setContext", "plimsoll.memory", words[`${served}`]);
    this.changed.fire();
  }
}

function groupItem({ id, label, memories }: MemoryGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `group.${id}`;
  item.description = String(memories.length);
  item.contextValue = "group";
  return item;
}

function memoryItem(memory: Memory): vscode.TreeItem {
  const item = new vscode.TreeItem(memory.title);
  item.id = memory.id;
  item.description = memoryNote(memory);
  // Plain text: in Markdown, what a tool or a file said could load an image or look like a link.
  item.tooltip = memoryDetails(memory);
  item.contextValue = memoryContext(memory);
  item.command = { command: "vscode.open", title: "Open", arguments: [memoryUri(memory)] };
  return item;
}
