import * as vscode from "vscode";
import type { Attachments } from "../attachments";
import type { ChatView } from "../chat/view";
import { tell } from "../notify";

export function addSelectionToChat(chat: ChatView, attachments: Attachments) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || editor.selection.isEmpty) {
      void tell("Select the lines to add first.");
      return;
    }
    attachments.add(editor);
    await chat.reveal({ type: "focus", target: "composer" });
  };
}

export function focusChat(chat: ChatView) {
  return () => chat.reveal({ type: "focus", target: "composer" });
}

export function focusLastMessage(chat: ChatView) {
  return () => chat.reveal({ type: "focus", target: "lastMessage" });
}
