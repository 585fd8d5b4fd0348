import type * as vscode from "vscode";
import { ApiKeys } from "./apiKeys";
import { App } from "./app";
import { Attachments } from "./chat/attachments";
import { offerConfinedCommands } from "./chat/confinedOffer";
import { notifyOfOtherSessions } from "./chat/otherSessions";
import { notifyPermissionRequests } from "./chat/permissionNotifications";
import { Proposals } from "./chat/proposals";
import { notifyOfLongTurns } from "./chat/turnEndNotification";
import { chatView } from "./chat/view";
import { keepContextKeys } from "./commands/contextKeys";
import { registerCommands } from "./commands/register";
import { HoldView } from "./context/holdView";
import { registerLenses } from "./context/lenses";
import { ReportView } from "./context/reportView";
import { StatusBar } from "./context/statusBar";
import { SummaryDrafts } from "./context/summaryDrafts";
import { registerCodeActions } from "./editor/codeActions";
import { VirtualDocuments } from "./editor/documents";
import { answerAboutCode } from "./editor/knowledge";
import { Hunks } from "./hunks/store";
import { HunkView } from "./hunks/view";
import { McpServers } from "./mcp/store";
import { registerMemories } from "./memory/view";
import { PinsView } from "./pins/view";
import { TeamPasswords } from "./team/passwords";
import { TeamStore } from "./team/store";

let running: App | undefined;

export function activate(extension: vscode.ExtensionContext): void {
  const app = new App(extension);
  running = app;
  extension.subscriptions.push(app);
  const attachments = new Attachments(app);
  const documents = new VirtualDocuments(app);
  const servers = new McpServers(app);
  const chat = chatView({ app, attachments, documents, servers });
  new HoldView({ app, documents, chat, servers });
  new StatusBar(app);
  registerLenses(app, documents);
  answerAboutCode(app);
  registerCodeActions({ app, chat, attachments });
  const team = new TeamStore(app);
  const passwords = new TeamPasswords(app, team);
  const memories = registerMemories(app, team);
  const pins = new PinsView(app);
  const drafts = new SummaryDrafts(app, documents);
  const keys = new ApiKeys(app);
  const proposals = new Proposals(app);
  const hunks = new Hunks(app);
  new HunkView(app, hunks);
  const report = new ReportView(app);
  keepContextKeys(app);
  registerCommands({
    app,
    chat,
    attachments,
    documents,
    drafts,
    hunks,
    keys,
    mcp: { app, servers },
    memories,
    pins,
    proposals,
    report,
    team: { app, team, passwords },
  });
  const others = notifyOfOtherSessions(app);
  notifyPermissionRequests({ app, chat, others });
  notifyOfLongTurns(app, chat, others);
  offerConfinedCommands(app);
  // Not awaited: the commands are there while the server starts, and a failure shows in the chat.
  void app.restart();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
