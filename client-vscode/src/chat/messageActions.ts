import * as vscode from "vscode";
import type { App } from "../app";
import { undo } from "../context/receipts";
import { showInformation } from "../editor/notifications";
import { findAnswer, promptOf } from "../session/entries/entries";
import { failureOf } from "../session/failure";
import { returnedDraft } from "../text/pasted";
import type { Attachments } from "./attachments";
import { goBackTo } from "./goingBack";
import type { MessageAction, ToChatPage } from "./messages";

/** Does what a person asks of a prompt or an answer that stands in the chat. */
export async function actOnMessage(
  { app, attachments }: { readonly app: App; readonly attachments: Attachments },
  { id, how }: MessageAction,
  post: (message: ToChatPage) => void,
): Promise<void> {
  const { entries } = app.session.state;
  if (how === "copy") {
    await vscode.env.clipboard.writeText(findAnswer(entries, id)?.text ?? "");
    return;
  }
  const prompt = promptOf(entries, id);
  if (prompt === undefined) {
    return;
  }
  if (how === "retry") {
    await app.session.sayAgain(prompt);
    return;
  }
  const content = await app.session.promptContent(prompt.id);
  if (await LEAVING[how](app, prompt.id)) {
    post({ type: "giveBack", ...returnedDraft(prompt.text, content) });
    // Of one that failed it has come back already.
    attachments.takeAway(prompt.id);
    attachments.giveBack(prompt.text, content);
  }
}

/** What takes a prompt out of the view; false: it stayed. */
const LEAVING = {
  edit,
  fork: async (app: App, promptId: string): Promise<boolean> => {
    await app.session.forkBefore(promptId);
    return true;
  },
  goBack: goBackTo,
} as const;

/** Goes back to before a prompt; what leaves the conversation can be brought back at once. */
async function edit(app: App, promptId: string): Promise<boolean> {
  const { editId } = await app.session.goBackBefore(promptId);
  void offerWayBack(app, editId);
  return true;
}

async function offerWayBack(app: App, editId: string): Promise<void> {
  const { session } = app.session.state;
  const told = "The prompt and what came after it left the conversation. Files stay as they are.";
  const picked = await showInformation(told, "Undo");
  if (picked === "Undo" && session !== undefined) {
    try {
      await undo(app, editId);
    } catch (error) {
      app.session.showFailure(failureOf(error));
    }
  }
}
