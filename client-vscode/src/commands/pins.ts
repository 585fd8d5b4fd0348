import * as vscode from "vscode";
import type { Ctx } from "../ctx";
import { exactTokens } from "../format";
import { PinAddRequest, PinListRequest, PinRemoveRequest } from "../methods";
import { tell } from "../notify";
import type { Pin } from "../protocol";

export function pinText(ctx: Ctx) {
  return async () => {
    const sessionId = ctx.session.required();
    const text = await vscode.window.showInputBox({
      title: "Pin text",
      prompt: "This text stands in every request, whatever else leaves.",
      placeHolder: "Every new function carries #qa.",
    });
    if (text !== undefined && text.trim() !== "") {
      await pin(ctx, sessionId, text);
    }
  };
}

export function pinSelection(ctx: Ctx) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const text = editor?.document.getText(editor.selection) ?? "";
    if (text.trim() === "") {
      void tell("Select the text to pin first.");
      return;
    }
    await pin(ctx, ctx.session.required(), text);
  };
}

async function pin(ctx: Ctx, sessionId: string, text: string): Promise<void> {
  const added = await ctx.request(PinAddRequest, { sessionId, text });
  void tell(pinnedText(added.pin));
}

/** What was pinned, in one sentence. */
export function pinnedText({ number, tokens }: Pin): string {
  return `Pinned as number ${number} (${exactTokens(tokens)} tokens).`;
}

const UNPIN: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("pinned-dirty"),
  tooltip: "Unpin",
};

type PinItem = vscode.QuickPickItem & { pin: Pin };

/** A list in which Enter or the button unpins. */
export function showPins(ctx: Ctx) {
  return async () => {
    const sessionId = ctx.session.required();
    const pick = vscode.window.createQuickPick<PinItem>();
    const fill = async () => {
      const { pins } = await ctx.request(PinListRequest, { sessionId });
      pick.items = pins.map(pinItem);
      pick.placeholder = pins.length === 0 ? "Nothing is pinned" : "Enter removes the pin";
    };
    const remove = async ({ pin: { id } }: PinItem) => {
      await ctx.request(PinRemoveRequest, { pinId: id, sessionId });
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
    description: `${exactTokens(pin.tokens)} tokens · ${pin.scope}`,
    buttons: [UNPIN],
    pin,
  };
}
