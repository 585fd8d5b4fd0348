import type { MemoryAnswer } from "../memory/notices";
import type { OfferedResource, OfferedSymbol } from "../mentions/kinds";
import type { SlashCommand, When } from "../protocol";
import type { Action } from "../session/reduce";
import type { ChatState } from "../session/state";
import type { Ranges } from "../text/pasted";

/** A piece of an editor that goes along with the next message. */
export interface Attachment {
  readonly id: string;
  readonly label: string;
  /** Of an image, a small copy of it as a data URL. */
  readonly thumbnail?: string;
}

/** What of the active editor can go along with the next message. */
export interface ActiveChip {
  readonly what: "selection" | "file";
  readonly label: string;
  /** It goes along; otherwise one click adds it. */
  readonly attached: boolean;
}

/** What the extension host tells the chat page. */
export type ToChatPage =
  | {
      type: "state";
      state: ChatState;
      attachments: readonly Attachment[];
      active?: ActiveChip;
      commands: readonly SlashCommand[];
    }
  | { type: "commands"; commands: readonly SlashCommand[] }
  | { type: "action"; action: Action }
  | { type: "attachments"; attachments: readonly Attachment[]; active?: ActiveChip }
  | {
      type: "files";
      query: string;
      paths: readonly string[];
      resources?: readonly OfferedResource[];
    }
  | { type: "symbols"; query: string; symbols: readonly OfferedSymbol[] }
  | { type: "insert"; text: string }
  | { type: "draftTokens"; text: string; tokens: number }
  | { type: "sent"; ok: boolean }
  | { type: "compose"; text: string }
  | { type: "giveBack"; text: string; pasted: Ranges }
  | { type: "focus"; target: "composer" | "lastMessage" };

/** What is asked of a prompt or an answer in the chat. */
export interface MessageAction {
  readonly id: string;
  readonly how: "copy" | "edit" | "retry" | "fork" | "goBack";
}

/** What the chat page asks of the extension host. */
export type FromChatPage =
  | { type: "ready" }
  | { type: "send"; text: string; pasted: Ranges; when?: When }
  | { type: "unqueue"; queuedId: string; edit: boolean }
  | { type: "draft"; text: string }
  | { type: "findCommands" }
  | { type: "findFiles"; query: string }
  | { type: "dropFiles"; uris: readonly string[] }
  | { type: "detach"; id: string }
  | { type: "toggleActive" }
  | { type: "attachImage"; name: string; mimeType: string; data: string; thumbnail?: string }
  | { type: "setMode"; mode: string }
  | {
      type: "answer";
      requestId: string;
      optionId: string;
      reason?: string;
      editedPlan?: string;
    }
  | { type: "chooseFiles"; requestId: string; keptFiles: readonly string[] }
  | { type: "openSession"; sessionId: string }
  | { type: "openDiff"; toolCallId: string; uri?: string }
  | { type: "showOutput"; toolCallId: string }
  | { type: "receipt"; editId: string; show: "receipt" | "diff" | "undo" }
  | { type: "postpone"; until: "later" | "session" }
  | { type: "openLink"; href: string }
  | { type: "openFile"; path: string; line?: number }
  | { type: "copy"; text: string }
  | { type: "insertCode"; text: string }
  | { type: "newFile"; text: string; language: string }
  | { type: "settleChange"; entryId: string; how: "keep" | "undo"; uri?: string }
  | { type: "retry" }
  | { type: "memory"; id: string; answer: MemoryAnswer }
  | { type: "takeParts"; promptId: string; text: string }
  | ({ type: "message" } & MessageAction)
  | { type: "openSetting"; setting: string }
  | { type: "useAddress"; address: string }
  | { type: "removeItem"; item: string }
  | { type: "run"; command: PageCommand };

/** The palette commands that the page offers as buttons; it can run no other. */
export const PAGE_COMMANDS = [
  "cancelTurn",
  "selectModel",
  "setApiKey",
  "connectModel",
  "takeTour",
  "newSession",
  "resumeSession",
  "compact",
  "showContext",
  "showContextReport",
  "raiseSpendLimit",
  "showLogs",
  "restartServer",
  "openFolder",
  "manageTrust",
  "forkSession",
  "takeOverSession",
  "exportSession",
  "salvageStore",
  "useMemory",
  "installLibraries",
  "shareWithTeam",
] as const;

export type PageCommand = (typeof PAGE_COMMANDS)[number];
