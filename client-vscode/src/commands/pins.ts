import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import { PinAddRequest, PinRemoveRequest } from "../methods";
import { isOfFolder, pinLabel, pinnedText } from "../pins/model";
import type { PinNode, PinsView } from "../pins/view";
import type { Pin, PinOwner } from "../protocol";
import { exactTokens } from "../text/format";
import { lookup } from "../text/lookup";
import { telling } from "./failures";

export function pinText(app: App, view: PinsView) {
  return async () => {
    const sessionId = app.session.requiredId();
    const text = await vscode.window.showInputBox({
      title: "Pin text",
      prompt: "This text is always sent, whatever else leaves.",
      placeHolder: "Every new function carries #qa.",
    });
    if (text !== undefined && text.trim() !== "") {
      await addPin(app, view, sessionId, text);
    }
  };
}

export function pinSelection(app: App, view: PinsView) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const text = editor?.document.getText(editor.selection) ?? "";
    if (text.trim() === "") {
      void showInformation("Select the text to pin first.");
      return;
    }
    await addPin(app, view, app.session.requiredId(), text);
  };
}

async function addPin(app: App, view: PinsView, sessionId: string, text: string): Promise<void> {
  const owner = await ownerOf(app, view, sessionId);
  if (owner !== undefined) {
    const added = await app.request(PinAddRequest, { ...owner, text });
    app.session.requestReportSoon();
    void showInformation(pinnedText(added.pin));
    await view.refresh();
  }
}

/** Where a pin shall hold, and who else has it. */
type Target = PinOwner & { readonly scope?: "mine" | "team" };

type TargetItem = vscode.QuickPickItem & { readonly owner: Target };

/** Where a pin shall hold; asked only where the server knows more than one place. */
async function ownerOf(app: App, view: PinsView, sessionId: string): Promise<Target | undefined> {
  const workspaceFolder = app.folder?.uri.toString();
  if (!view.forFolders || workspaceFolder === undefined) {
    return { sessionId };
  }
  const scopes: TargetItem[] = [
    { label: "This session", owner: { sessionId } },
    { label: "Every session of this folder", owner: { workspaceFolder } },
  ];
  const project = app.session.state.team?.project;
  if (project !== undefined) {
    const mine: Target = { workspaceFolder, scope: "mine" };
    scopes.push(
      { label: "This folder on my other machines too", owner: mine },
      { label: `For the team: everyone in “${project}”`, owner: { ...mine, scope: "team" } },
    );
  }
  return (await vscode.window.showQuickPick(scopes, { title: "Pin for" }))?.owner;
}

async function removePin(app: App, view: PinsView, pin: Pin): Promise<void> {
  const workspaceFolder = app.folder?.uri.toString();
  const owner =
    isOfFolder(pin) && workspaceFolder !== undefined
      ? { workspaceFolder }
      : { sessionId: app.session.requiredId() };
  await app.request(PinRemoveRequest, { pinId: pin.id, ...owner });
  app.session.requestReportSoon();
  await view.refresh();
}

/** Lets the pin of a row go; from the palette, one of a list. */
export function unpin(app: App, view: PinsView) {
  return async (node?: PinNode) => {
    await (node?.kind === "pin" ? removePin(app, view, node.pin) : showPins(app, view)());
  };
}

const UNPIN: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("pinned-dirty"),
  tooltip: "Unpin",
};

const HOLDS: Readonly<Record<string, string>> = lookup({
  session: "this session",
  workspace: "every session of this folder",
  mine: "this folder on my machines",
  team: "for the team",
});

type PinItem = vscode.QuickPickItem & { pin: Pin };

/** A list in which Enter or the button unpins. */
export function showPins(app: App, view: PinsView) {
  return async () => {
    const pick = vscode.window.createQuickPick<PinItem>();
    const fill = async () => {
      await view.refresh();
      const { pins } = view;
      pick.items = pins.toSorted((a, b) => a.number - b.number).map(pinItem);
      pick.placeholder = pins.length === 0 ? "Nothing is pinned" : "Enter removes the pin";
    };
    const remove = async (item: PinItem) => {
      await removePin(app, view, item.pin);
      await fill();
    };
    pick.title = "Pins";
    pick.onDidTriggerItemButton(({ item }) => telling(app, "pins", remove(item)));
    pick.onDidAccept(() => pick.selectedItems.map((item) => telling(app, "pins", remove(item))));
    pick.onDidHide(() => pick.dispose());
    await fill();
    pick.show();
  };
}

function pinItem(pin: Pin): PinItem {
  return {
    label: pinLabel(pin),
    description: `${exactTokens(pin.tokens)} tokens · ${HOLDS[pin.scope] ?? pin.scope}`,
    buttons: [UNPIN],
    pin,
  };
}
