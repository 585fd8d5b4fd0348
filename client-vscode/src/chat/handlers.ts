import * as vscode from "vscode";
import type { Attachments } from "../attachments";
import type { Ctx } from "../ctx";
import type { VirtualDocuments } from "../documents";
import { findFiles, inside, mentionedFiles } from "../files";
import { ContextPostponeRequest, SessionSetModeRequest } from "../methods";
import type { Mode } from "../protocol";
import { showReceipt } from "../receipts";
import { isCommand, promptContent } from "../session/content";
import { findTool } from "../session/entries";
import { failed, failureText } from "../session/failure";
import { openToolDiff } from "../toolDiff";
import { type FromPage, PAGE_COMMANDS, type ToPage } from "./posts";

type Of<T extends FromPage["type"]> = Extract<FromPage, { type: T }>;
type Handlers = {
  [T in Exclude<FromPage["type"], "ready">]: (message: Of<T>) => Promise<unknown> | unknown;
};

export interface Surroundings {
  readonly ctx: Ctx;
  readonly attachments: Attachments;
  readonly documents: VirtualDocuments;
  post(message: ToPage): void;
}

/** Answers what the chat page asks; a failure is shown where it was asked. */
export function chatHandler(around: Surroundings): (message: FromPage) => Promise<void> {
  const handlers = makeHandlers(around);
  return async (message) => {
    const handle = handlers[message.type as keyof Handlers] as
      | ((message: FromPage) => Promise<unknown> | unknown)
      | undefined;
    try {
      await handle?.(message);
    } catch (error) {
      if (UNASKED.has(message.type)) {
        around.ctx.log.warn(`${message.type}: ${failureText(error)}`);
      } else {
        around.ctx.session.fail(failed(error));
      }
    }
  };
}

/** What the page asks by itself while somebody types: its failure interrupts nobody. */
const UNASKED: ReadonlySet<FromPage["type"]> = new Set(["draft", "findFiles"]);

function makeHandlers(around: Surroundings): Handlers {
  const { ctx, attachments, documents, post } = around;
  return {
    send: ({ text }) => send(around, text),
    draft: async ({ text }) => {
      const tokens = text.trim() === "" ? 0 : await ctx.session.draftTokens(text);
      post({ type: "draftTokens", text, tokens });
    },
    findFiles: async ({ query }) => {
      const paths = ctx.folder ? await findFiles(ctx.folder, query) : [];
      post({ type: "files", query, paths });
    },
    detach: ({ id }) => attachments.remove(id),
    setMode: async ({ mode }) => {
      const params = { sessionId: ctx.session.required(), mode: mode as Mode };
      const { session } = await ctx.request(SessionSetModeRequest, params);
      ctx.session.dispatch({ type: "session", session });
    },
    answer: ({ requestId, optionId, reason }) => ctx.questions.answer(requestId, optionId, reason),
    openDiff: ({ toolCallId }) => {
      const tool = findTool(ctx.session.state.entries, toolCallId);
      return tool && openToolDiff(documents, tool.call);
    },
    receipt: ({ editId, show }) => showReceipt(ctx, documents, editId, show),
    postpone: async ({ until }) => {
      await ctx.request(ContextPostponeRequest, { sessionId: ctx.session.required(), until });
      ctx.session.dispatch({ type: "postponed", until });
    },
    openLink: ({ href }) => openLink(href),
    openFile: ({ path, line }) => openFile(ctx, path, line),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    run: ({ command }) =>
      PAGE_COMMANDS.includes(command) &&
      vscode.commands.executeCommand(EDITOR_COMMANDS[command] ?? `plimsoll.${command}`),
  };
}

const EDITOR_COMMANDS: Readonly<Record<string, string>> = {
  openFolder: "workbench.action.files.openFolder",
  manageTrust: "workbench.trust.manage",
};

async function send({ ctx, attachments, post }: Surroundings, text: string): Promise<void> {
  try {
    const files = ctx.folder && !isCommand(text) ? await mentionedFiles(ctx.folder, text) : [];
    const selections = isCommand(text) ? [] : attachments.parts;
    await ctx.session.prompt(promptContent(text, files, selections), text);
    if (!isCommand(text)) {
      attachments.clear();
    }
    post({ type: "sent", ok: true });
  } catch (error) {
    post({ type: "sent", ok: false });
    throw error;
  }
}

/** Only web addresses, and only through the editor, which asks about hosts that it does not know. */
async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (uri.scheme !== "https" && uri.scheme !== "http") {
    throw new Error(`Plimsoll opens web addresses only, and this is none: ${href}`);
  }
  await vscode.env.openExternal(uri);
}

async function openFile(ctx: Ctx, path: string, line: number | undefined): Promise<void> {
  const uri = ctx.folder && inside(ctx.folder, path);
  if (uri === undefined) {
    throw new Error(`${path} is not in the open folder.`);
  }
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), preview: true });
}
