import * as vscode from "vscode";
import type { App } from "../app";
import { removeItem } from "../commands/contextItems";
import { answerMemory } from "../commands/memory";
import { showReceipt } from "../context/receipts";
import type { VirtualDocuments } from "../editor/documents";
import { showInformation } from "../editor/notifications";
import { PageView } from "../editor/pageView";
import type { McpServers } from "../mcp/store";
import { calledCommand, customCommands, expandedCommand } from "../mentions/customCommands";
import { droppedMentions } from "../mentions/dropped";
import { filePlace } from "../mentions/filePlace";
import { mentionedKinds } from "../mentions/mentioned";
import { promptCommands, resourceOffers } from "../mentions/serverOffers";
import { findSymbols } from "../mentions/symbols";
import { Terminals } from "../mentions/terminals";
import { ContextPostponeRequest, SessionSetModeRequest } from "../methods";
import {
  type McpServer,
  type Mode,
  SLASH_COMMANDS,
  type SlashCommand,
  type When,
} from "../protocol";
import { isCommand, promptContent, queuedText, returnedPrompts } from "../session/content";
import { failedPrompt, findTool } from "../session/entries/entries";
import { failureOf, failureText } from "../session/failure";
import { settingId } from "../session/settingNames";
import { type Draft, queuedDraft } from "../text/pasted";
import type { Attachments } from "./attachments";
import { insertCode, openNewFile } from "./code";
import { fileType, findFiles, findFolders, inside, mentionedFiles, staysInside } from "./files";
import { actOnMessage } from "./messageActions";
import { type FromChatPage, PAGE_COMMANDS, type ToChatPage } from "./messages";
import { openToolDiff } from "./toolDiff";
import { showOutput } from "./toolOutput";
import { settleChanges } from "./undoChanges";

export type ChatView = PageView<ToChatPage, FromChatPage>;

export interface ChatParts {
  readonly app: App;
  readonly attachments: Attachments;
  readonly documents: VirtualDocuments;
  readonly servers: McpServers;
}

/** Shows the conversation that the extension host keeps. */
export function chatView(parts: ChatParts): ChatView {
  const { app, attachments } = parts;
  const hydrate = (): ToChatPage => ({
    type: "state",
    state: app.session.state,
    ...attachments.shown,
    commands: slashCommands(app),
  });
  const terminals = new Terminals(app);
  const handle = chatHandler({ ...parts, terminals, post: (message) => view.post(message) });
  const setup = { id: "plimsoll.chat", title: "Plimsoll chat", script: "chat", hydrate, handle };
  const view: ChatView = new PageView(app.extension.extensionUri, setup);
  app.own(
    view.register(),
    app.session.onAction((action, before) => {
      for (const prompt of returnedPrompts(action, before)) {
        attachments.giveBack(queuedText([prompt]), prompt.content);
      }
      view.post({ type: "action", action });
      view.describe(app.session.state.session?.title ?? "");
    }),
    attachments.onDidChange(() => view.post({ type: "attachments", ...attachments.shown })),
  );
  // What is served is known only now: a page that was there before offers it too.
  app.onReady(async () => view.post(hydrate()));
  return view;
}

/** Only what this server answers, but for what the chat has a button for beside each prompt. */
function slashCommands(app: App): SlashCommand[] {
  const served = app.serverCapabilities?.commands;
  return SLASH_COMMANDS.filter(
    ({ name, command }) =>
      name !== "rewind" &&
      (command === undefined || served === undefined || served.includes(command)),
  );
}

type ChatMessageOf<T extends FromChatPage["type"]> = Extract<FromChatPage, { type: T }>;
type ChatHandlers = {
  [T in Exclude<FromChatPage["type"], "ready">]: (
    message: ChatMessageOf<T>,
  ) => Promise<unknown> | unknown;
};

interface HandlerParts extends ChatParts {
  readonly terminals: Terminals;
  post(message: ToChatPage): void;
}

/** Answers what the chat page asks; a failure is shown where it was asked. */
function chatHandler(parts: HandlerParts): (message: FromChatPage) => Promise<void> {
  const handlers = makeHandlers(parts);
  return async (message) => {
    const handle = handlers[message.type as keyof ChatHandlers] as
      | ((message: FromChatPage) => Promise<unknown> | unknown)
      | undefined;
    try {
      await handle?.(message);
    } catch (error) {
      if (ASKED_WHILE_TYPING.has(message.type)) {
        parts.app.log.warn(`${message.type}: ${failureText(error)}`);
      } else {
        parts.app.session.showFailure(failureOf(error));
      }
    }
  };
}

/** What the page asks by itself while somebody types: its failure interrupts nobody. */
const ASKED_WHILE_TYPING: ReadonlySet<FromChatPage["type"]> = new Set([
  "draft",
  "findCommands",
  "findFiles",
]);

function makeHandlers(parts: HandlerParts): ChatHandlers {
  const { app, attachments, documents, servers, post } = parts;
  return {
    send: ({ text, pasted, when }) => send(parts, { text, pasted }, when),
    unqueue: async ({ queuedId, edit }) => {
      const prompt = await app.session.unqueue(queuedId);
      if (edit && prompt) {
        const draft = queuedDraft([prompt]);
        post({ type: "giveBack", ...draft });
        attachments.giveBack(draft.text, prompt.content);
      }
    },
    draft: async ({ text }) => {
      const tokens = text.trim() === "" ? 0 : await app.session.draftTokens(text);
      post({ type: "draftTokens", text, tokens });
    },
    findCommands: async () => {
      const custom = await customCommands(app);
      const prompts = promptCommands(servers.list);
      post({ type: "commands", commands: [...slashCommands(app), ...custom, ...prompts] });
    },
    findFiles: async ({ query }) => {
      if (app.folder) {
        post(await completions(app.folder, servers.list, query));
      }
    },
    dropFiles: async ({ uris }) => {
      if (app.folder) {
        post({ type: "insert", text: await droppedMentions(app.folder, uris) });
      }
    },
    detach: ({ id }) => attachments.remove(id),
    toggleActive: () => attachments.toggleActive(),
    attachImage: (image) => attachments.addImage(image),
    setMode: async ({ mode }) => {
      const params = { sessionId: app.session.requiredId(), mode: mode as Mode };
      const { session } = await app.request(SessionSetModeRequest, params);
      app.session.dispatch({ type: "session", session });
    },
    answer: ({ requestId, optionId, reason, editedPlan }) =>
      app.permissions.answer(requestId, optionId, reason, editedPlan),
    chooseFiles: ({ requestId, keptFiles }) => app.permissions.chooseFiles(requestId, keptFiles),
    openSession: ({ sessionId }) => app.session.show(sessionId),
    openDiff: ({ toolCallId, uri }) => {
      const tool = findTool(app.session.state.entries, toolCallId);
      return tool && openToolDiff(documents, tool, uri);
    },
    showOutput: ({ toolCallId }) => {
      const tool = findTool(app.session.state.entries, toolCallId);
      return tool && showOutput(app, documents, tool);
    },
    receipt: ({ editId, show }) => showReceipt(app, documents, editId, show),
    memory: async ({ id, answer }) => {
      await answerMemory(app, id, answer);
      app.session.dispatch({ type: "memoryAnswered", id, answer });
    },
    postpone: async ({ until }) => {
      await app.request(ContextPostponeRequest, { sessionId: app.session.requiredId(), until });
      app.session.dispatch({ type: "postponed", until });
    },
    openLink: ({ href }) => openLink(app, href),
    openFile: ({ path, line }) => openFile(app, path, line),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    insertCode: ({ text }) => insertCode(text),
    newFile: ({ text, language }) => openNewFile(text, language),
    settleChange: ({ entryId, how, uri }) => settleChanges(app, entryId, how, uri),
    retry: async () => {
      const failed = failedPrompt(app.session.state.entries);
      await app.session.retry();
      if (failed) {
        attachments.takeAway(failed.id);
      }
    },
    takeParts: async ({ promptId, text }) =>
      attachments.giveBack(text, await app.session.promptContent(promptId), promptId),
    message: (message) => actOnMessage(parts, message, post),
    openSetting: ({ setting }) =>
      vscode.commands.executeCommand("workbench.action.openSettings", `@id:${settingId(setting)}`),
    useAddress: ({ address }) =>
      vscode.workspace
        .getConfiguration()
        .update(settingId("model.base_url"), address, vscode.ConfigurationTarget.Global),
    removeItem: ({ item }) => removeItem(app, item),
    run: ({ command }) =>
      PAGE_COMMANDS.includes(command) &&
      vscode.commands.executeCommand(EDITOR_COMMANDS[command] ?? `plimsoll.${command}`),
  };
}

const EDITOR_COMMANDS: Readonly<Record<string, string>> = {
  openFolder: "workbench.action.files.openFolder",
  manageTrust: "workbench.trust.manage",
};

/** What completes a mention, by what was typed of it. */
async function completions(
  folder: vscode.WorkspaceFolder,
  servers: readonly McpServer[],
  query: string,
): Promise<ToChatPage> {
  const [, kind, rest = ""] = /^(symbol|folder):(.*)$/.exec(query) ?? [];
  if (kind === "symbol") {
    return { type: "symbols", query, symbols: await findSymbols(folder, rest) };
  }
  if (kind === "folder") {
    return { type: "files", query, paths: await findFolders(folder, rest) };
  }
  const resources = resourceOffers(servers, query);
  return { type: "files", query, paths: await findFiles(folder, query), resources };
}

async function send(parts: HandlerParts, draft: Draft, when?: When): Promise<void> {
  const { app, attachments, terminals, post } = parts;
  const { text } = draft;
  try {
    if (await showsPrompt(parts, draft)) {
      return;
    }
    const folder = isCommand(text) ? undefined : app.folder;
    const files = folder ? await mentionedFiles(folder, text) : [];
    const named = folder ? await mentionedKinds(folder, terminals, text, attachments.mentions) : [];
    const attached = isCommand(text) ? [] : [...named, ...attachments.parts];
    await app.session.prompt(promptContent(draft, files, attached), text, when);
    if (!isCommand(text)) {
      attachments.clear();
    }
    post({ type: "sent", ok: true });
  } catch (error) {
    post({ type: "sent", ok: false });
    throw error;
  }
}

/** Puts the prompt of a custom command or an MCP server into the field, for the person to send; true if it is one. */
async function showsPrompt({ app, servers, post }: HandlerParts, draft: Draft): Promise<boolean> {
  const called = calledCommand(draft);
  if (called === undefined) {
    return false;
  }
  // A server that is silent is given ten seconds.
  const title = `Plimsoll: making the prompt of /${called.name}`;
  const found = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title },
    () => expandedCommand(app, servers.list, called),
  );
  if (found === undefined) {
    return false;
  }
  post({ type: "sent", ok: true });
  post({ type: "giveBack", ...found.draft });
  if (found.remarks.length > 0) {
    void showInformation(found.remarks.join(" "));
  }
  return true;
}

/**
 * A link of an answer: a file of the folder, or a web address through the editor, which asks about
 * hosts that it does not know.
 */
async function openLink(app: App, href: string): Promise<void> {
  const place = filePlace(href);
  if (place !== undefined) {
    await openFile(app, place.path, place.line);
    return;
  }
  const uri = vscode.Uri.parse(href, true);
  if (uri.scheme !== "https" && uri.scheme !== "http") {
    throw new Error(
      `Plimsoll opens files of the folder and web addresses, and this is none: ${href}`,
    );
  }
  await vscode.env.openExternal(uri);
}

async function openFile(app: App, path: string, line: number | undefined): Promise<void> {
  const root = `${app.folder?.uri.path}/`;
  const below = path.startsWith(root) ? path.slice(root.length) : path;
  const uri = app.folder && inside(app.folder, below);
  const type = uri && (await fileType(uri));
  if (uri === undefined || type === undefined) {
    throw new Error(`${path} is not in the open folder.`);
  }
  if (app.folder && !(await staysInside(app.folder.uri.fsPath, uri.fsPath))) {
    throw new Error(`${path} is a link that leads out of the open folder.`);
  }
  if (type & vscode.FileType.Directory) {
    await vscode.commands.executeCommand("revealInExplorer", uri);
    return;
  }
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), preview: true });
}
