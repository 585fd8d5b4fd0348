import type { Meter, Receipt, SessionInfo, ToolCall } from "../protocol";

/** What a person can answer to a tool call that asks. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

export interface Permission {
  readonly requestId: string;
  readonly options: readonly PermissionOption[];
}

/** How much of an item the model still holds, in tokens. */
export interface Weight {
  readonly tokens: number;
  readonly originalTokens: number;
  readonly state: string;
}

export type ToolStatus = "pending" | "waiting" | "running" | "completed" | "failed" | "rejected";

interface EntryBase {
  readonly id: string;
  /** RFC 3339; absent while it streams. */
  readonly at?: string;
}

export interface UserEntry extends EntryBase {
  readonly kind: "user";
  readonly text: string;
  readonly attachments: readonly string[];
}

export interface AnswerEntry extends EntryBase {
  readonly kind: "answer";
  readonly turnId: string;
  readonly text: string;
  readonly reasoning: string;
  readonly streaming: boolean;
}

export interface ToolEntry extends EntryBase {
  readonly kind: "tool";
  readonly turnId: string;
  readonly call: ToolCall;
  readonly status: string;
  readonly output?: string;
  /** The item of the result, once there is one. */
  readonly itemId?: string;
  readonly weight?: Weight;
  readonly permission?: Permission;
}

export interface ReceiptEntry extends EntryBase {
  readonly kind: "receipt";
  readonly receipt: Receipt;
  /** A planned automatic compaction that can still be postponed. */
  readonly inTurns?: number;
  /** How long a person put it off. */
  readonly until?: "later" | "session";
}

export interface NoticeEntry extends EntryBase {
  readonly kind: "notice";
  readonly level: string;
  readonly markdown: string;
}

export interface CommandEntry extends EntryBase {
  readonly kind: "command";
  readonly text: string;
}

export interface ErrorEntry extends EntryBase {
  readonly kind: "error";
  readonly errorKind: string;
  readonly message: string;
  readonly remedy?: string;
}

export type Entry =
  | UserEntry
  | AnswerEntry
  | ToolEntry
  | ReceiptEntry
  | NoticeEntry
  | CommandEntry
  | ErrorEntry;

export interface Task {
  readonly title: string;
  readonly status: string;
  readonly children?: readonly Task[];
}

export type Connection = "starting" | "ready" | "failed" | "noFolder";

/** Everything that the chat shows. The extension host keeps it; the webview folds the same actions. */
export interface Conversation {
  readonly connection: Connection;
  readonly connectionMessage: string;
  readonly trusted: boolean;
  readonly session?: SessionInfo;
  /** The last update that was folded in; a gap means that some were missed. */
  readonly seq: number;
  readonly entries: readonly Entry[];
  /** The turn that runs. */
  readonly turnId?: string;
  readonly tasks: readonly Task[];
  readonly meter?: Meter;
  readonly weights: Readonly<Record<string, Weight>>;
}

export const EMPTY: Conversation = {
  connection: "starting",
  connectionMessage: "",
  trusted: true,
  seq: 0,
  entries: [],
  tasks: [],
  weights: {},
};
