import * as vscode from "vscode";
import type { App } from "../app";
import type { VirtualDocuments } from "../editor/documents";
import { confirm, showInformation } from "../editor/notifications";
import type { MemoryStore } from "../memory/store";
import { MemoryShareRequest, TeamAcceptRequest } from "../methods";
import type { Memory } from "../protocol";
import { isOwn, isShared, sharingsOf } from "../team/model";
import type { TeamStore } from "../team/store";
import { type MemoryCommand, onMemory } from "./memory";

/** Asks with whom a memory is to be shared, and shares it. */
export function shareMemory(app: App, store: MemoryStore, team: TeamStore): MemoryCommand {
  return async (node) => {
    const project = team.status?.project;
    if (project === undefined) {
      await vscode.commands.executeCommand("plimsoll.shareWithTeam");
      return;
    }
    const can = (memory: Memory) => sharingsOf(memory, project).length > 0;
    await onMemory(store, "Share a memory", can, async (memory) => {
      const { id, title } = memory;
      const picked = await vscode.window.showQuickPick(sharingsOf(memory, project), {
        title: `Share “${title}” with`,
      });
      if (picked !== undefined) {
        await app.request(MemoryShareRequest, { memoryId: id, scope: picked.scope });
        await store.refresh();
        void showInformation(`Shared “${title}”.`);
      }
    })(node);
  };
}

const KEEP = "Keep It to Myself";

/** Takes a memory back from all who have it; here it stays. */
export function unshareMemory(app: App, store: MemoryStore): MemoryCommand {
  const can = (memory: Memory) => isOwn(memory) && isShared(memory);
  return onMemory(store, "Keep a memory to yourself", can, async ({ id, title }) => {
    const detail = "It leaves the team's server, and every machine that has it. Here it stays.";
    if (await confirm(`Keep “${title}” to yourself?`, detail, KEEP)) {
      await app.request(MemoryShareRequest, { memoryId: id, scope: "private" });
      await store.refresh();
      void showInformation(`“${title}” is yours alone.`);
    }
  });
}

/** Lets what a colleague shares take effect without waiting, from now on. */
export function acceptAuthor(app: App, store: MemoryStore): MemoryCommand {
  const can = (memory: Memory) => !isOwn(memory) && memory.state === "inbox";
  return onMemory(store, "Accept all of a colleague", can, async ({ authorName = "" }) => {
    const detail =
      "What they have shared takes effect now, and what they will share at once. A memory permits nothing, whoever wrote it.";
    const accept = `Accept All of ${authorName}`;
    if (await confirm(`Accept all that ${authorName} shares?`, detail, accept)) {
      const workspaceFolder = store.requiredFolder();
      await app.request(TeamAcceptRequest, { workspaceFolder, author: authorName });
      await store.refresh();
      void showInformation(`What ${authorName} shares takes effect.`);
    }
  });
}

/** Shows what stands now beside what a suggestion would put in its place. */
export function compareMemory(store: MemoryStore, documents: VirtualDocuments): MemoryCommand {
  const can = ({ superseded, removal }: Memory) => superseded !== undefined && removal !== true;
  return onMemory(store, "Compare a suggestion", can, async (memory) => {
    const now = memory.superseded ?? { title: "", content: "" };
    await documents.showDiff(`${now.title}: now and as suggested`, "Memory.md", {
      before: sideOf(now),
      after: sideOf(memory),
    });
  });
}

function sideOf({ title, content }: { title: string; content: string }): string {
  return `# ${title}\n\n${content.trimEnd()}\n`;
}
