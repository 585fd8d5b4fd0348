import * as vscode from "vscode";
import type { App } from "../app";
import { PROPOSAL_SCHEME } from "../editor/documents";
import type { Action } from "../session/reduce";

type WaitingCall = Extract<Action, { type: "permissionRequested" }>;

/** The calls that wait for a person: their answers in the editor's title bar and by key. */
export class Proposals {
  private readonly waiting = new Map<string, WaitingCall>();

  constructor(private readonly app: App) {
    app.own(app.session.onAction((action) => this.onAction(action)));
  }

  /** Allows the call whose diff is open, or the only one that waits. */
  allow(): void {
    this.answer(this.current(), "allowOnce");
  }

  /** Rejects it, with the reason that a person gives; who gives none at all leaves it open. */
  async reject(): Promise<void> {
    const asked = this.current();
    const reason = await vscode.window.showInputBox({
      title: `Reject: ${asked.toolCall.title}`,
      prompt: "Why not? The model reads it (optional)",
    });
    if (reason !== undefined) {
      this.answer(asked, "rejectOnce", reason.trim());
    }
  }

  private answer({ requestId, options }: WaitingCall, kind: string, reason = ""): void {
    const option = options.find((one) => one.kind === kind);
    if (option !== undefined) {
      this.app.permissions.answer(requestId, option.optionId, reason);
    }
  }

  /** Raises: an error where nothing waits, or where it is not clear what is meant. */
  private current(): WaitingCall {
    const all = [...this.waiting.values()];
    const shown = shownProposal();
    const asked = all.find(({ toolCall }) => toolCall.id === shown);
    if (asked !== undefined) {
      return asked;
    }
    const [only, ...more] = all;
    if (only === undefined) {
      throw new Error("No call waits for an answer.");
    }
    // What is not in sight is not answered unseen where it could be another.
    if (more.length > 0) {
      throw new Error("Several calls wait for an answer: give it in the chat.");
    }
    return only;
  }

  private onAction(action: Action): void {
    if (action.type === "permissionRequested") {
      this.waiting.set(action.requestId, action);
    } else if (action.type === "permissionAnswered") {
      const asked = this.waiting.get(action.requestId);
      this.waiting.delete(action.requestId);
      void closeProposal(asked?.toolCall.id);
    } else {
      return;
    }
    void vscode.commands.executeCommand("setContext", "plimsoll.asking", this.waiting.size > 0);
  }
}

function shownProposal(): string | undefined {
  return proposalOf(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** The id of the call whose diff a tab shows, in two sides or as text. */
function proposalOf(tab: vscode.Tab | undefined): string | undefined {
  const shown = uriOf(tab?.input);
  return shown?.scheme === PROPOSAL_SCHEME ? shown.fragment : undefined;
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) {
    return input.modified;
  }
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

async function closeProposal(callId: string | undefined): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const answered = tabs.filter((tab) => callId !== undefined && proposalOf(tab) === callId);
  await vscode.window.tabGroups.close(answered, true);
}
