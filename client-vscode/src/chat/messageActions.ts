import * as vscode from "vscode";
import type { App } from "../app";
import { undo } from "../context/receipts";
import { showInformation } from "../editor/notifications";
import { findAnswer, promptOf } from "../session/entries";
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
  if (how === "goBack") {
    await goBackTo(app, prompt.id);
    return;
  }
  const content = await app.session.promptContent(prompt.id);
  await (how === "edit" ? edit(app, prompt.id) : app.session.forkBefore(prompt.id));
  post({ type: "giveBack", ...returnedDraft(prompt.text, content) });
  attachments.giveBack(prompt.text, content);
}

/** Goes back to before a prompt; what leaves the conversation can be brought back at once. */
async function edit(app: App, promptId: string): Promise<void> {
  const editId = await app.session.goBackBefore(promptId);
  if (editId !== undefined) {
    void offerWayBack(app, editId);
  }
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
