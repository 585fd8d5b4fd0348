import * as vscode from "vscode";
import type { App } from "../app";
import type { VirtualDocuments } from "../editor/documents";
import { confirm, showInformation } from "../editor/notifications";
import { memoryUri } from "../memory/files";
import {
  auditMarkdown,
  importedText,
  memoryNote,
  proposedTitle,
  suggestionText,
  TYPES,
} from "../memory/model";
import type { MemoryAnswer } from "../memory/notices";
import type { MemoryStore } from "../memory/store";
import type { MemoryNode } from "../memory/view";
import {
  MemoryAddRequest,
  MemoryAuditRequest,
  MemoryExportRequest,
  MemoryForgetRequest,
  MemoryImportRequest,
  MemoryRestoreRequest,
  MemoryReviewRequest,
} from "../methods";
import type { Memory, MemoryFile } from "../protocol";
import { isOwn, isShared } from "../team/model";

const UNDO = "Undo";

/** Asks for a text and keeps it. */
export function remember(app: App, store: MemoryStore) {
  return async () => {
    const text = await vscode.window.showInputBox({
      title: "Remember",
      prompt: "This is kept for later sessions of this folder.",
      placeHolder: "We deploy from the branch release, never from main.",
    });
    await keep(app, store, text ?? "");
  };
}

export function rememberSelection(app: App, store: MemoryStore) {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const text = editor?.document.getText(editor.selection) ?? "";
    if (text.trim() === "") {
      void showInformation("Select the text to remember first.");
      return;
    }
    const { uri } = editor?.document ?? {};
    // A buffer without a file has nothing that could change behind the memory.
    const source = uri?.scheme === "file" ? { uri: uri.toString() } : undefined;
    await keep(app, store, text, source);
  };
}

async function keep(
  app: App,
  store: MemoryStore,
  content: string,
  source?: MemoryFile,
): Promise<void> {
  const workspaceFolder = store.requiredFolder();
  const kind = content.trim() === "" ? undefined : await pickType();
  if (kind === undefined) {
    return;
  }
  const title = await vscode.window.showInputBox({
    title: "Remember: title",
    prompt: "What is it about?",
    value: proposedTitle(content),
  });
  if (title !== undefined && title.trim() !== "") {
    const memory = { type: kind.type, title, content, source };
    await app.request(MemoryAddRequest, { workspaceFolder, ...memory });
    await store.refresh();
    void showInformation(`Remembered “${title}”.`);
  }
}

function pickType() {
  const items = TYPES.map(({ type, label, help }) => ({ label, description: help, type }));
  return vscode.window.showQuickPick(items, { title: "Remember: what kind of memory is it?" });
}

export type MemoryCommand = (node?: MemoryNode) => Promise<void>;

/** Acts on the memory of a row, or, from the palette, on one that is picked. */
export function onMemory(
  store: MemoryStore,
  title: string,
  can: (memory: Memory) => boolean,
  perform: (memory: Memory) => Promise<unknown>,
): MemoryCommand {
  return async (node) => {
    const memory = node?.kind === "memory" ? node.memory : await pickMemory(store, title, can);
    if (memory !== undefined) {
      await perform(memory);
    }
  };
}

async function pickMemory(
  store: MemoryStore,
  title: string,
  can: (memory: Memory) => boolean,
): Promise<Memory | undefined> {
  await store.refresh();
  const found = store.list.memories.filter(can).map(foundItem);
  if (found.length === 0) {
    void showInformation(`${title}: there is no such memory in this folder.`);
    return undefined;
  }
  return (await vscode.window.showQuickPick(found, { title, matchOnDetail: true }))?.memory;
}

const waits = ({ state }: Memory) => state === "inbox";
const holds = (memory: Memory) => !waits(memory);

export function editMemory(store: MemoryStore): MemoryCommand {
  return onMemory(store, "Edit a memory", () => true, openMemory);
}

async function openMemory(memory: Memory): Promise<void> {
  await vscode.window.showTextDocument(memoryUri(memory), { preview: true });
}

/** Accepts or rejects a memory of the inbox. */
export function reviewMemory(app: App, store: MemoryStore, accept: boolean): MemoryCommand {
  const asked = accept ? "Accept a memory" : "Reject a memory";
  return onMemory(store, asked, waits, async (memory) => {
    const { id, title } = memory;
    if (accept && memory.superseded !== undefined && !(await agreed(memory))) {
      return;
    }
    await app.request(MemoryReviewRequest, { memoryId: id, accept });
    await store.refresh();
    void showInformation(accept ? `Accepted “${title}”.` : `Rejected “${title}”.`);
  });
}

/** Does what a person chose under a notice of the chat. */
export async function answerMemory(
  app: App,
  memoryId: string,
  answer: MemoryAnswer,
): Promise<void> {
  await (answer === "forget"
    ? app.request(MemoryForgetRequest, { memoryId })
    : app.request(MemoryReviewRequest, { memoryId, accept: answer === "accept" }));
}

/** Asks before something else stands, or nothing does, with both texts. */
async function agreed(memory: Memory): Promise<boolean> {
  const verb = memory.removal === true ? "Forget It" : "Accept";
  const asked = memory.removal === true ? "Forget this memory?" : "Replace this memory?";
  const options = { modal: true, detail: suggestionText(memory) };
  return (await vscode.window.showInformationMessage(asked, options, verb)) === verb;
}

/** Takes an exported file in: what it holds waits in the inbox. */
export function importMemories(app: App, store: MemoryStore) {
  return async () => {
    const workspaceFolder = store.requiredFolder();
    const filters = { Markdown: ["md"], "All files": ["*"] };
    const [file] =
      (await vscode.window.showOpenDialog({ title: "Import memories", filters })) ?? [];
    if (file === undefined) {
      return;
    }
    const markdown = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    const params = { workspaceFolder, markdown, uri: file.toString() };
    const { waiting, leftOut } = await app.request(MemoryImportRequest, params);
    await store.refresh();
    void showInformation(importedText(waiting, leftOut));
  };
}

/** Forgets at once; the notification takes it back. */
export function forgetMemory(app: App, store: MemoryStore): MemoryCommand {
  return onMemory(store, "Forget a memory", holds, async (memory) => {
    const { id, title } = memory;
    if (isOwn(memory) && isShared(memory)) {
      await forgetForAll(app, store, memory);
      return;
    }
    await app.request(MemoryForgetRequest, { memoryId: id });
    await store.refresh();
    if ((await showInformation(`Forgot “${title}”.`, UNDO)) === UNDO) {
      await app.request(MemoryRestoreRequest, { memoryId: id });
      await store.refresh();
    }
  });
}

/** What others have is gone for good: nobody could bring back what they have removed. */
async function forgetForAll(app: App, store: MemoryStore, memory: Memory): Promise<void> {
  const { id, title } = memory;
  const detail = "Its text leaves the team's server and every machine that has it, for good.";
  if (await confirm(`Forget “${title}” for everyone?`, detail, "Forget")) {
    await app.request(MemoryForgetRequest, { memoryId: id });
    await store.refresh();
    void showInformation(`Forgot “${title}”, for everyone.`);
  }
}

export function showMemoryAudit(app: App, store: MemoryStore, documents: VirtualDocuments) {
  return async (node?: MemoryNode) => {
    const workspaceFolder = store.requiredFolder();
    const only = node?.kind === "memory" ? { memoryId: node.memory.id } : {};
    const { events } = await app.request(MemoryAuditRequest, { workspaceFolder, ...only });
    await documents.showMarkdown("Memory audit.md", auditMarkdown(events, store.list.memories));
  };
}

/** Not rendered: memories quote what tools and files said. */
export function showMemories(app: App, store: MemoryStore, documents: VirtualDocuments) {
  return async () => {
    const params = { workspaceFolder: store.requiredFolder() };
    const { markdown } = await app.request(MemoryExportRequest, params);
    await documents.showText("Memories.md", markdown);
  };
}

export type MemoryItem = vscode.QuickPickItem & { readonly memory: Memory };

export function foundItem(memory: Memory): MemoryItem {
  return {
    label: memory.title,
    description: memoryNote(memory),
    detail: memory.content.replaceAll(/\s+/g, " "),
    // The server has chosen; the list does not filter again.
    alwaysShow: true,
    memory,
  };
}
