import type * as vscode from "vscode";
import { Attachments } from "./attachments";
import { chatHandler } from "./chat/handlers";
import { type ChatView, chatView } from "./chat/view";
import { registerCommands } from "./commands/register";
import { Ctx } from "./ctx";
import { VirtualDocuments } from "./documents";
import { HoldView } from "./hold/view";
import { presentLenses } from "./lens";
import { MemoryFiles } from "./memory/files";
import { MemoryStore } from "./memory/store";
import { MemoryView } from "./memory/view";
import { PinsView } from "./pins/view";
import { ApiKeys } from "./secrets";
import { Status } from "./status";
import { askOutOfSight } from "./toasts";

let running: Ctx | undefined;

export function activate(extension: vscode.ExtensionContext): void {
  const ctx = new Ctx(extension);
  running = ctx;
  extension.subscriptions.push(ctx);
  const attachments = new Attachments();
  const documents = new VirtualDocuments();
  ctx.own(attachments, documents);
  const post: ChatView["post"] = (message) => chat.post(message);
  const chat = chatView(ctx, attachments, chatHandler({ ctx, attachments, documents, post }));
  const compose = (text: string) => chat.reveal({ type: "compose", text });
  new HoldView({ ctx, documents, compose });
  new Status(ctx);
  presentLenses(ctx, documents);
  const memories = new MemoryStore(ctx);
  new MemoryFiles(ctx, memories);
  new MemoryView(ctx, memories);
  const pins = new PinsView(ctx);
  const keys = new ApiKeys(ctx);
  registerCommands({ ctx, chat, attachments, documents, keys, memories, pins });
  askOutOfSight(
    ctx,
    () => chat.visible,
    () => chat.reveal({ type: "focus", target: "lastMessage" }),
  );
  // Not awaited: the commands are there while the server starts, and a failure shows in the chat.
  void ctx.restart();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
