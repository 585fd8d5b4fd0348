import * as vscode from "vscode";
import type { Attachments } from "../attachments";
import type { ChatView } from "../chat/view";
import type { Ctx } from "../ctx";
import type { VirtualDocuments } from "../documents";
import type { MemoryStore } from "../memory/store";
import { fail } from "../notify";
import type { PinsView } from "../pins/view";
import type { ApiKeys } from "../secrets";
import { failureText } from "../session/failure";
import { addSelectionToChat, focusChat, focusLastMessage } from "./chat";
import {
  chooseReductionToUndo,
  compact,
  previewCompaction,
  showContextReport,
  undoReduction,
} from "./context";
import {
  editMemory,
  forgetMemory,
  remember,
  rememberSelection,
  reviewMemory,
  showMemories,
  showMemoryAudit,
} from "./memory";
import { searchMemories } from "./memorySearch";
import { selectModel, setApiKey } from "./model";
import { pinSelection, pinText, showPins, unpin } from "./pins";
import { cancelTurn, exportSession, forkSession, newSession, setMode } from "./session";
import { resumeSession } from "./sessionPicker";

export interface Parts {
  readonly ctx: Ctx;
  readonly chat: ChatView;
  readonly attachments: Attachments;
  readonly documents: VirtualDocuments;
  readonly keys: ApiKeys;
  readonly memories: MemoryStore;
  readonly pins: PinsView;
}

/** A command of a tree gets the row that it was asked of. */
type Handler = (node?: never) => Promise<unknown> | unknown;

/** Registers every command; what one throws is said in a notification. */
export function registerCommands(parts: Parts): void {
  for (const [name, handler] of Object.entries(handlers(parts))) {
    parts.ctx.own(
      vscode.commands.registerCommand(`plimsoll.${name}`, guarded(name, handler, parts.ctx)),
    );
  }
}

function handlers(parts: Parts): Record<string, Handler> {
  return { ...sessionHandlers(parts), ...memoryHandlers(parts) };
}

function memoryHandlers({ ctx, documents, memories, pins }: Parts): Record<string, Handler> {
  return {
    remember: remember(ctx, memories),
    rememberSelection: rememberSelection(ctx, memories),
    searchMemories: searchMemories(ctx, memories),
    editMemory: editMemory(),
    acceptMemory: reviewMemory(ctx, memories, true),
    rejectMemory: reviewMemory(ctx, memories, false),
    forgetMemory: forgetMemory(ctx, memories),
    showMemories: showMemories(ctx, memories, documents),
    showMemoryAudit: showMemoryAudit(ctx, memories, documents),
    pinText: pinText(ctx, pins),
    pinSelection: pinSelection(ctx, pins),
    showPins: showPins(ctx, pins),
    unpin: unpin(ctx, pins),
  };
}

function sessionHandlers({
  ctx,
  chat,
  attachments,
  documents,
  keys,
}: Parts): Record<string, Handler> {
  return {
    newSession: newSession(ctx),
    resumeSession: resumeSession(ctx),
    forkSession: forkSession(ctx),
    compact: compact(ctx),
    previewCompaction: previewCompaction(ctx, documents),
    undoReduction: undoReduction(ctx),
    chooseReductionToUndo: chooseReductionToUndo(ctx),
    showContextReport: showContextReport(ctx, documents),
    cancelTurn: cancelTurn(ctx),
    setMode: setMode(ctx),
    selectModel: selectModel(ctx),
    setApiKey: setApiKey(ctx, keys),
    exportSession: exportSession(ctx),
    showLogs: () => ctx.log.show(),
    restartServer: () => ctx.restart(),
    addSelectionToChat: addSelectionToChat(chat, attachments),
    focusChat: focusChat(chat),
    focusLastMessage: focusLastMessage(chat),
  };
}

const LOGS = "Show Logs";

function guarded(name: string, handler: Handler, ctx: Ctx): Handler {
  return async (node) => {
    try {
      return await handler(node);
    } catch (error) {
      ctx.log.error(`plimsoll.${name}: ${failureText(error)}`);
      const picked = await fail(`Plimsoll: ${failureText(error)}`, LOGS);
      return picked === LOGS ? ctx.log.show() : undefined;
    }
  };
}
