import * as vscode from "vscode";
import type { Attachments } from "../attachments";
import type { ChatView } from "../chat/view";
import type { Ctx } from "../ctx";
import type { VirtualDocuments } from "../documents";
import { fail } from "../notify";
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
import { selectModel, setApiKey } from "./model";
import { pinSelection, pinText, showPins } from "./pins";
import {
  cancelTurn,
  exportSession,
  forkSession,
  newSession,
  resumeSession,
  setMode,
} from "./session";

export interface Parts {
  readonly ctx: Ctx;
  readonly chat: ChatView;
  readonly attachments: Attachments;
  readonly documents: VirtualDocuments;
  readonly keys: ApiKeys;
}

type Handler = () => Promise<unknown> | unknown;

/** Registers every command; what one throws is said in a notification. */
export function registerCommands(parts: Parts): void {
  for (const [name, handler] of Object.entries(handlers(parts))) {
    parts.ctx.own(
      vscode.commands.registerCommand(`plimsoll.${name}`, guarded(name, handler, parts.ctx)),
    );
  }
}

function handlers({ ctx, chat, attachments, documents, keys }: Parts): Record<string, Handler> {
  return {
    newSession: newSession(ctx),
    resumeSession: resumeSession(ctx),
    forkSession: forkSession(ctx),
    compact: compact(ctx),
    previewCompaction: previewCompaction(ctx, documents),
    undoReduction: undoReduction(ctx),
    chooseReductionToUndo: chooseReductionToUndo(ctx),
    showContextReport: showContextReport(ctx, documents),
    pinText: pinText(ctx),
    pinSelection: pinSelection(ctx),
    showPins: showPins(ctx),
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
  return async () => {
    try {
      return await handler();
    } catch (error) {
      ctx.log.error(`plimsoll.${name}: ${failureText(error)}`);
      const picked = await fail(`Plimsoll: ${failureText(error)}`, LOGS);
      return picked === LOGS ? ctx.log.show() : undefined;
    }
  };
}
