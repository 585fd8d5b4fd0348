import type { MemoryNotice } from "../memory/notices";
import type {
  Counts,
  Fix,
  Meter,
  PermissionOption,
  QueuedPrompt,
  Receipt,
  Rejection,
  SessionInfo,
  Spending,
  Task,
  TeamStatus,
  ToolCall,
  Waiting,
} from "../protocol";

export interface Permission {
  readonly requestId: string;
  readonly options: readonly PermissionOption[];
  /** Of files that a command made, those that are kept by "Keep"; all of them until a person chooses. */
  readonly keptFiles?: readonly string[];
  /** How many places of a change a person has left out so far. */
  readonly rejectedHunks?: number;
}

/** How much of an item the model still holds, in tokens. */
export interface HeldTokens {
  readonly tokens: number;
  readonly originalTokens: number;
  readonly state: string;
}

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
  /** The server ended in the middle of it: no log has it, so it stays here. */
  readonly cutOff?: boolean;
}

export interface ToolEntry extends EntryBase {
  readonly kind: "tool";
  readonly turnId: string;
  readonly call: ToolCall;
  readonly status: string;
  readonly output?: string;
  /** When it began to run, RFC 3339. */
  readonly since?: string;
  /** Of a command that has ended. */
  readonly exitCode?: number;
  /** How long a command ran that has ended. */
  readonly milliseconds?: number;
  /** How much a search found, or a read brought. */
  readonly counts?: Counts;
  /** The images that it brought, as data URLs. */
  readonly images?: readonly string[];
  /** The item of the result, once there is one. */
  readonly itemId?: string;
  readonly heldTokens?: HeldTokens;
  /** What a failed command may not have reached in its sandbox. */
  readonly heldBack?: string;
  /** The protected files that a command made and a person kept. */
  readonly keptFiles?: readonly string[];
  /** Those that nobody kept. */
  readonly asideFiles?: readonly string[];
  /** Who declined it, and why. */
  readonly rejection?: Rejection;
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
  /** The settings that it names, as `model.context_window`. */
  readonly settings?: readonly string[];
  /** The `editId` of the rewind that it tells of. */
  readonly undo?: string;
  /** A turn ended so, which can be tried again. */
  readonly retry?: boolean;
  /** The memory that it tells of, until it is answered. */
  readonly memory?: MemoryNotice;
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
  /** What is to be put right. */
  readonly fix?: Fix;
  /** The item of the context of which it speaks. */
  readonly item?: string;
  /** A turn ended by it, which can be tried again. */
  readonly retry?: boolean;
  /** It was cut off in the middle: the agent goes on instead of beginning again. */
  readonly interrupted?: boolean;
}

/** A file that a turn changed, and what a person has said about that. */
export interface ChangedFile {
  readonly uri: string;
  readonly name: string;
  readonly added: number;
  readonly removed: number;
  /** The calls that changed it, in order. */
  readonly callIds: readonly string[];
  readonly settled?: "kept" | "undone";
}

/** The files that a turn changed. */
export interface ChangesEntry extends EntryBase {
  readonly kind: "changes";
  readonly files: readonly ChangedFile[];
}

export type Entry =
  | ChangesEntry
  | UserEntry
  | AnswerEntry
  | ToolEntry
  | ReceiptEntry
  | NoticeEntry
  | CommandEntry
  | ErrorEntry;

export type ConnectionState = "starting" | "ready" | "failed" | "noFolder";

/** Everything that the chat shows, of the session and of the connection. The extension host keeps it; the webview folds the same actions. */
export interface ChatState {
  readonly connection: ConnectionState;
  readonly connectionMessage: string;
  /** The kind of the error for which no session could be opened. */
  readonly connectionFailure?: string;
  /** The store cannot be used: what is said here ends with the server. */
  readonly inMemory: boolean;
  readonly trusted: boolean;
  /** How the folder stands with its team; an older server does not tell. */
  readonly team?: TeamStatus;
  readonly session?: SessionInfo;
  /** The last update that was folded in; a gap means that some were missed. */
  readonly seq: number;
  readonly entries: readonly Entry[];
  /** What the turn waits for, until something of the answer comes. */
  readonly waiting?: Waiting;
  /** The turn that runs. */
  readonly turnId?: string;
  readonly tasks: readonly Task[];
  /** Prompts that wait for their time. */
  readonly queued: readonly QueuedPrompt[];
  readonly meter?: Meter;
  readonly heldTokens: Readonly<Record<string, HeldTokens>>;
  /** Of the results of tools in the context, the tokens that are text of files. */
  readonly fileTokens: number;
  /** What the session has spent by the last report; an older server does not tell. */
  readonly spending?: Spending;
}

export const EMPTY_STATE: ChatState = {
  connection: "starting",
  connectionMessage: "",
  inMemory: false,
  trusted: true,
  seq: 0,
  entries: [],
  tasks: [],
  queued: [],
  heldTokens: {},
  fileTokens: 0,
};
