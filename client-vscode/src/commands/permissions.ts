import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import { PermissionListRequest, PermissionRemoveRequest } from "../methods";
import type { LastingPermission } from "../protocol";
import { telling } from "./failures";

const NOTHING =
  "Nothing is always allowed in this folder. Questions of the agent offer it under More.";

const REMOVE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("trash"),
  tooltip: "Ask about it again",
};

type PermissionItem = vscode.QuickPickItem & { number?: number };

/** A list of what is always allowed in the folder, in which Enter or the button takes one back. */
export function showPermissions(app: App) {
  return async () => {
    const workspaceFolder = app.folder?.uri.toString();
    if (workspaceFolder === undefined) {
      void showInformation("Open a folder first: what is always allowed belongs to one.");
      return;
    }
    const pick = vscode.window.createQuickPick<PermissionItem>();
    const fill = async () => {
      const { permissions, note } = await app.request(PermissionListRequest, { workspaceFolder });
      pick.items =
        permissions.length === 0 ? [] : [...permissions.map(permissionItem), noteItem(note)];
      pick.placeholder = permissions.length === 0 ? NOTHING : "Enter takes it back";
    };
    const remove = async ({ number, label }: PermissionItem) => {
      if (number !== undefined) {
        await app.request(PermissionRemoveRequest, { workspaceFolder, number });
        void showInformation(`Asked about again: ${label}`);
        await fill();
      }
    };
    pick.title = "Always allowed in this folder";
    pick.onDidTriggerItemButton(({ item }) => telling(app, "permissions", remove(item)));
    pick.onDidAccept(() =>
      pick.selectedItems.map((item) => telling(app, "permissions", remove(item))),
    );
    pick.onDidHide(() => pick.dispose());
    await fill();
    pick.show();
  };
}

/** What the list says of a permission: its name, how far it reaches, since when. */
export function permissionItem({ number, what, covers, at }: LastingPermission) {
  return {
    number,
    label: what.replaceAll("`", ""),
    description: `since ${at.slice(0, 10)}`,
    detail: covers.replaceAll("`", ""),
    buttons: [REMOVE],
  };
}

function noteItem(note: string): PermissionItem {
  return { label: "$(info)", detail: note.replaceAll("`", ""), alwaysShow: true };
}
