import * as vscode from "vscode";
import type { Ctx } from "../ctx";
import { exactTokens } from "../format";
import { PinAddRequest, PinRemoveRequest } from "../methods";
import { tell } from "../notify";
import type { PinNode, PinsView } from "../pins/view";
import type { Pin, PinOwner } from "../protocol";

export function pinText(ctx: Ctx, view: PinsView) {
  return async () => {
    const sessionId = ctx.session.required();
    const text = await vscode.window.showInputBox({
      title: "Pin text",
      prompt: "This text stands in every request, whatever else leaves.",
      placeHolder: "Every new function carries #qa.",
    });
    if (text !== undefined && text.trim() !== "") {
      await pin(ctx, view, sessionId, text);
    }
  };
}

export function pinSelection(ctx: Ctx, view: PinsView) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const text = editor?.document.getText(editor.selection) ?? "";
    if (text.trim() === "") {
      void tell("Select the text to pin first.");
      return;
    }
    await pin(ctx, view, ctx.session.required(), text);
  };
}

async function pin(ctx: Ctx, view: PinsView, sessionId: string, text: string): Promise<void> {
  const owner = await ownerOf(ctx, view, sessionId);
  if (owner !== undefined) {
    const added = await ctx.request(PinAddRequest, { ...owner, text });
    ctx.session.weighSoon();
    void tell(pinnedText(added.pin));
    await view.refresh();
  }
}

/** Where a pin shall hold; asked only where the server knows more than one place. */
async function ownerOf(ctx: Ctx, view: PinsView, sessionId: string): Promise<PinOwner | undefined> {
  const workspaceFolder = ctx.folder?.uri.toString();
  if (!view.forFolders || workspaceFolder === undefined) {
    return { sessionId };
  }
  const scopes = [
    { label: "This session", owner: { sessionId } },
    { label: "Every session of this folder", owner: { workspaceFolder } },
  ];
  return (await vscode.window.showQuickPick(scopes, { title: "Pin for" }))?.owner;
}

async function removePin(ctx: Ctx, view: PinsView, { id, scope }: Pin): Promise<void> {
  const workspaceFolder = ctx.folder?.uri.toString();
  const owner =
    scope === "workspace" && workspaceFolder !== undefined
      ? { workspaceFolder }
      : { sessionId: ctx.session.required() };
  await ctx.request(PinRemoveRequest, { pinId: id, ...owner });
  ctx.session.weighSoon();
  await view.refresh();
}

/** Lets the pin of a row go. */
export function unpin(ctx: Ctx, view: PinsView) {
  return async (node?: PinNode) => {
    if (node?.kind === "pin") {
      await removePin(ctx, view, node.pin);
    }
  };
}

/** What was pinned, in one sentence. */
export function pinnedText({ number, tokens }: Pin): string {
  return `Pinned as number ${number} (${exactTokens(tokens)} tokens).`;
}

const UNPIN: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("pinned-dirty"),
  tooltip: "Unpin",
};

const HOLDS: Readonly<Record<string, string>> = {
  session: "this session",
  workspace: "every session of this folder",
};

type PinItem = vscode.QuickPickItem & { pin: Pin };

/** A list in which Enter or the button unpins. */
export function showPins(ctx: Ctx, view: PinsView) {
  return async () => {
    const pick = vscode.window.createQuickPick<PinItem>();
    const fill = async () => {
      await view.refresh();
      const { pins } = view;
      pick.items = pins.toSorted((a, b) => a.number - b.number).map(pinItem);
      pick.placeholder = pins.length === 0 ? "Nothing is pinned" : "Enter removes the pin";
    };
    const remove = async (item: PinItem) => {
      await removePin(ctx, view, item.pin);
      await fill();
    };
    const guard = (work: Promise<void>) =>
      work.catch((error: unknown) => ctx.log.error(`Unpin failed: ${String(error)}`));
    pick.title = "Pins";
    pick.onDidTriggerItemButton(({ item }) => guard(remove(item)));
    pick.onDidAccept(() => pick.selectedItems.map((item) => guard(remove(item))));
    pick.onDidHide(() => pick.dispose());
    await fill();
    pick.show();
  };
}

function pinItem(pin: Pin): PinItem {
  return {
    label: `${pin.number} · ${pin.text.replaceAll(/\s+/g, " ")}`,
    description: `${exactTokens(pin.tokens)} tokens · ${HOLDS[pin.scope] ?? pin.scope}`,
    buttons: [UNPIN],
    pin,
  };
}
