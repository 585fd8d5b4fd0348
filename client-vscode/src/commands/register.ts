import * as vscode from "vscode";
import type { ApiKeys } from "../apiKeys";
import type { App } from "../app";
import type { Attachments } from "../chat/attachments";
import type { Proposals } from "../chat/proposals";
import type { ChatView } from "../chat/view";
import { connectModel } from "../connect/connect";
import { switchCustom } from "../context/customFiles";
import type { ReportView } from "../context/reportView";
import { switchSkills } from "../context/skills";
import type { SummaryDrafts } from "../context/summaryDrafts";
import { editSelection, explainSelection, fixProblem } from "../editor/askOfLines";
import type { VirtualDocuments } from "../editor/documents";
import { showInformation } from "../editor/notifications";
import { writeCommitMessage } from "../git/commitMessage";
import { hunkHandlers } from "../hunks/commands";
import type { Hunks } from "../hunks/store";
import { addMcpServer, type McpParts, showMcpServers } from "../mcp/commands";
import type { MemoryStore } from "../memory/store";
import type { PinsView } from "../pins/view";
import { copyDiagnostics } from "../server/diagnostics";
import { installExtra, installLibraries } from "../server/install";
import { leaveTeam, shareWithTeam, type TeamParts } from "../team/commands";
import { chooseReductionToUndo, compact, postponeCompaction, undoReduction } from "./context";
import { moveItems } from "./contextItems";
import { tellFailure } from "./failures";
import {
  editMemory,
  forgetMemory,
  importMemories,
  remember,
  rememberSelection,
  reviewMemory,
  showMemories,
  showMemoryAudit,
} from "./memory";
import { searchMemories } from "./memorySearch";
import { acceptAuthor, compareMemory, shareMemory, unshareMemory } from "./memorySharing";
import { selectModel, setApiKey } from "./model";
import { showPermissions } from "./permissions";
import { pinSelection, pinText, showPins, unpin } from "./pins";
import { previewCompaction } from "./preview";
import {
  cancelTurn,
  exportSession,
  forkSession,
  newSession,
  renameSession,
  setMode,
  takeOverSession,
} from "./session";
import { resumeSession } from "./sessionPicker";
import { raiseSpendLimit } from "./spendLimit";
import { forgetEverything, salvageStore, tellUnusableStore, useMemory } from "./store";

export interface CommandParts {
  readonly app: App;
  readonly chat: ChatView;
  readonly attachments: Attachments;
  readonly documents: VirtualDocuments;
  readonly drafts: SummaryDrafts;
  readonly hunks: Hunks;
  readonly keys: ApiKeys;
  readonly mcp: McpParts;
  readonly memories: MemoryStore;
  readonly pins: PinsView;
  readonly proposals: Proposals;
  readonly report: ReportView;
  readonly team: TeamParts;
}

/** A command of a tree gets the row that it was asked of. */
type Handler = (node?: never) => Promise<unknown> | unknown;

/** Registers every command; what one throws is said in a notification. */
export function registerCommands(parts: CommandParts): void {
  parts.app.onOpenFailed(tellUnusableStore(parts.chat));
  for (const [name, handler] of Object.entries(handlers(parts))) {
    parts.app.own(
      vscode.commands.registerCommand(`plimsoll.${name}`, guarded(name, handler, parts.app)),
    );
  }
}

function handlers(parts: CommandParts): Record<string, Handler> {
  return {
    ...sessionHandlers(parts),
    ...memoryHandlers(parts),
    ...teamHandlers(parts),
    ...storeHandlers(parts),
    ...mcpHandlers(parts),
    ...hunkHandlers(parts.hunks),
  };
}

function memoryHandlers({ app, documents, memories, pins }: CommandParts): Record<string, Handler> {
  return {
    remember: remember(app, memories),
    rememberSelection: rememberSelection(app, memories),
    searchMemories: searchMemories(app, memories),
    editMemory: editMemory(memories),
    acceptMemory: reviewMemory(app, memories, true),
    rejectMemory: reviewMemory(app, memories, false),
    forgetMemory: forgetMemory(app, memories),
    showMemories: showMemories(app, memories, documents),
    importMemories: importMemories(app, memories),
    showMemoryAudit: showMemoryAudit(app, memories, documents),
    pinText: pinText(app, pins),
    pinSelection: pinSelection(app, pins),
    showPins: showPins(app, pins),
    unpin: unpin(app, pins),
  };
}

function teamHandlers({ app, documents, memories, team }: CommandParts): Record<string, Handler> {
  return {
    shareWithTeam: shareWithTeam(team),
    leaveTeam: leaveTeam(team),
    shareMemory: shareMemory(app, memories, team.team),
    unshareMemory: unshareMemory(app, memories),
    acceptAuthor: acceptAuthor(app, memories),
    compareMemory: compareMemory(memories, documents),
  };
}

function mcpHandlers({ mcp }: CommandParts): Record<string, Handler> {
  return {
    addMcpServer: addMcpServer(mcp),
    showMcpServers: showMcpServers(mcp),
  };
}

function storeHandlers({ app }: CommandParts): Record<string, Handler> {
  return {
    salvageStore: salvageStore(app),
    useMemory: useMemory(app),
    forgetEverything: forgetEverything(app),
  };
}

function sessionHandlers({
  app,
  chat,
  attachments,
  documents,
  drafts,
  keys,
  proposals,
  report,
}: CommandParts): Record<string, Handler> {
  return {
    newSession: newSession(app),
    resumeSession: resumeSession(app),
    forkSession: forkSession(app),
    takeOverSession: takeOverSession(app),
    renameSession: renameSession(app),
    compact: compact(app, chat),
    previewCompaction: previewCompaction(app, documents, drafts),
    applySummary: () => drafts.apply(),
    undoReduction: undoReduction(app),
    chooseReductionToUndo: chooseReductionToUndo(app),
    showContextReport: () => report.show(),
    raiseSpendLimit: raiseSpendLimit(app),
    switchSkills: switchSkills(app),
    switchCustom: switchCustom(app),
    showPermissions: showPermissions(app),
    showContext: () => vscode.commands.executeCommand("plimsoll.hold.focus"),
    removeItems: moveItems(app, "evict"),
    restoreItems: moveItems(app, "restore"),
    postponeCompaction: postponeCompaction(app),
    cancelTurn: cancelTurn(app),
    writeCommitMessage: writeCommitMessage(app),
    setMode: setMode(app),
    selectModel: selectModel(app, keys),
    connectModel: connectModel(app, keys),
    takeTour: () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        `${app.extension.extension.id}#plimsoll.tour`,
        false,
      ),
    setApiKey: setApiKey(keys),
    exportSession: exportSession(app),
    showLogs: () => app.log.show(),
    copyDiagnostics: copyDiagnostics(app, app.extension.extension),
    restartServer: () => app.restart(),
    installLibraries: installLibraries(app),
    installExtra: installExtra(app),
    explainSelection: explainSelection({ app, chat, attachments }),
    editSelection: editSelection({ app, chat, attachments }),
    fixProblem: fixProblem({ app, chat, attachments }),
    addSelectionToChat: addSelectionToChat(chat, attachments),
    focusChat: focusChat(chat),
    focusLastMessage: focusLastMessage(chat),
    allowCall: () => proposals.allow(),
    rejectCall: () => proposals.reject(),
  };
}

function guarded(name: string, handler: Handler, app: App): Handler {
  return async (node) => {
    try {
      return await handler(node);
    } catch (error) {
      return tellFailure(app, `plimsoll.${name}`, error);
    }
  };
}

function addSelectionToChat(chat: ChatView, attachments: Attachments) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || editor.selection.isEmpty) {
      void showInformation("Select the lines to add first.");
      return;
    }
    attachments.add(editor);
    await chat.reveal({ type: "focus", target: "composer" });
  };
}

function focusChat(chat: ChatView) {
  return () => chat.reveal({ type: "focus", target: "composer" });
}

function focusLastMessage(chat: ChatView) {
  return () => chat.reveal({ type: "focus", target: "lastMessage" });
}
