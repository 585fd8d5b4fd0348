import * as vscode from "vscode";
import type { App } from "../app";
import { PinListRequest } from "../methods";
import type { Pin } from "../protocol";
import { failureOf, failureText } from "../session/failure";
import { mergedPins, type PinGroup, pinGroups, pinKey, pinLabel, pinNote } from "./model";

export type PinNode =
  | { readonly kind: "group"; readonly group: PinGroup }
  | { readonly kind: "pin"; readonly pin: Pin };

/** How a server says that pins of a folder are none of its business. */
const SESSIONS_ALONE: ReadonlySet<string> = new Set(["invalid", "invalidParams"]);

/** What a person asked to keep in every request, of this session and of the folder. */
export class PinsView implements vscode.TreeDataProvider<PinNode> {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly view: vscode.TreeView<PinNode>;
  pins: readonly Pin[] = [];
  private key = "";
  /** The server keeps pins of a folder too. */
  forFolders = false;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly app: App) {
    this.view = vscode.window.createTreeView("plimsoll.pins", { treeDataProvider: this });
    app.own(
      this.changed,
      this.view,
      app.session.onAction(({ type }) => type === "loaded" && this.refreshSoon()),
      app.session.onReport(({ items }) => {
        const key = pinKey(items ?? []);
        if (key !== this.key) {
          this.key = key;
          this.refreshSoon();
        }
      }),
    );
  }

  getChildren(node?: PinNode): PinNode[] {
    const groups = pinGroups(this.pins);
    if (node === undefined && this.forFolders) {
      return groups.map((group) => ({ kind: "group", group }));
    }
    const shown = node?.kind === "group" ? node.group.pins : groups.flatMap(({ pins }) => pins);
    return shown.map((pin) => ({ kind: "pin", pin }));
  }

  getTreeItem(node: PinNode): vscode.TreeItem {
    return node.kind === "group" ? groupItem(node.group) : pinItem(node.pin);
  }

  async refresh(): Promise<void> {
    const sessionId = this.app.session.requiredId();
    const own = await this.app.request(PinListRequest, { sessionId });
    const shared = await this.folderPins();
    this.forFolders = shared !== undefined;
    this.pins = mergedPins(shared ?? [], own.pins);
    this.view.description = this.pins.length > 0 ? String(this.pins.length) : "";
    this.changed.fire();
  }

  private refreshSoon(): void {
    this.refresh().catch((error: unknown) =>
      this.app.log.warn(`Could not list the pins: ${failureText(error)}`),
    );
  }

  /** Undefined when this server has pins of sessions alone. */
  private async folderPins(): Promise<readonly Pin[] | undefined> {
    const workspaceFolder = this.app.folder?.uri.toString();
    try {
      return workspaceFolder === undefined
        ? undefined
        : (await this.app.request(PinListRequest, { workspaceFolder })).pins;
    } catch (error) {
      if (SESSIONS_ALONE.has(failureOf(error).kind)) {
        return undefined;
      }
      throw error;
    }
  }
}

function groupItem({ id, label, pins }: PinGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `scope.${id}`;
  item.description = String(pins.length);
  return item;
}

function pinItem(pin: Pin): vscode.TreeItem {
  const item = new vscode.TreeItem(pinLabel(pin));
  item.id = `pin.${pin.id}`;
  item.description = pinNote(pin);
  // Plain text, as it stands in the request.
  item.tooltip = pin.text;
  item.contextValue = "pin";
  item.iconPath = new vscode.ThemeIcon("pinned");
  return item;
}
