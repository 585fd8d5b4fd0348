import { answeredText, type MemoryAnswer } from "../memory/notices";
import type {
  ContextItem,
  Meter,
  PermissionOption,
  Receipt,
  SessionInfo,
  SessionLoadResult,
  SessionUpdate,
  Spending,
  TeamStatus,
  ToolCall,
  UnfinishedAnswer,
} from "../protocol";
import { fileTokensOf } from "../text/kinds";
import { escapeMarkdown } from "../text/markdown";
import { withSettled } from "./entries/changes";
import { endNote, serverLost, withError } from "./entries/ends";
import {
  upsert,
  withChoice,
  withLiveDetails,
  withMessage,
  withoutPermission,
} from "./entries/entries";
import { isPlanned, withoutPlanned, withReceiptAtItsTime } from "./entries/receipts";
import { withShown } from "./entries/shownEarlier";
import {
  type AnswerEntry,
  type ChatState,
  type ConnectionState,
  EMPTY_STATE,
  type Entry,
  type ErrorEntry,
  type HeldTokens,
  type ToolEntry,
} from "./state";
import { applyUpdate, toolEntry } from "./updates";

/** What can happen to a conversation. The host makes them, the webview folds the same ones. */
export type Action =
  | { type: "connection"; connection: ConnectionState; message: string; failure?: string }
  | { type: "store"; inMemory: boolean }
  | { type: "trust"; trusted: boolean }
  | { type: "team"; team?: TeamStatus }
  | ({ type: "loaded" } & SessionLoadResult)
  | { type: "receipts"; receipts: readonly Receipt[] }
  | { type: "update"; seq: number; update: SessionUpdate }
  | { type: "session"; session: SessionInfo }
  | { type: "meter"; meter: Meter }
  | { type: "heldTokens"; items: readonly ContextItem[]; spending?: Spending }
  | {
      type: "permissionRequested";
      requestId: string;
      sessionId: string;
      turnId: string;
      toolCall: ToolCall;
      options: readonly PermissionOption[];
    }
  | { type: "permissionAnswered"; requestId: string }
  | { type: "filesChosen"; requestId: string; keptFiles: readonly string[] }
  | { type: "hunksChosen"; requestId: string; rejectedHunks: number }
  | { type: "postponed"; until: "later" | "session" }
  | { type: "changeSettled"; entryId: string; uris: readonly string[]; settled: "kept" | "undone" }
  | { type: "memoryAnswered"; id: string; answer: MemoryAnswer }
  | { type: "serverLost"; message: string }
  | { type: "idle" }
  | { type: "command"; id: string; text: string }
  | { type: "failed"; error: Omit<ErrorEntry, "kind"> };

type ActionOf<T extends Action["type"]> = Extract<Action, { type: T }>;

type ActionHandlers = {
  [T in Action["type"]]: (state: ChatState, action: ActionOf<T>) => ChatState;
};

const ACTION_HANDLERS: ActionHandlers = {
  connection: ({ connectionFailure: _before, ...state }, { connection, message, failure }) => ({
    ...state,
    connection,
    connectionMessage: message,
    inMemory: connection !== "starting" && state.inMemory,
    ...(failure ? { connectionFailure: failure } : {}),
  }),
  store: (state, { inMemory }) => ({ ...state, inMemory }),
  trust: (state, { trusted }) => ({ ...state, trusted }),
  team: ({ team: _before, ...state }, { team }) => ({ ...state, ...(team ? { team } : {}) }),
  loaded,
  receipts: (state, { receipts }) => ({
    ...state,
    entries: receipts.reduce(withReceiptAtItsTime, state.entries),
  }),
  update: (state, { seq, update }) => ({ ...applyUpdate(state, update), seq }),
  session: (state, { session }) => ({ ...state, session }),
  meter: (state, { meter }) => ({
    ...state,
    meter,
    entries: meter.zone === "ok" ? withoutPlanned(state.entries) : state.entries,
  }),
  heldTokens: (state, { items, spending }) => ({
    ...withHeldTokens(state, items),
    ...(spending ? { spending } : {}),
  }),
  permissionRequested,
  permissionAnswered: (state, { requestId }) => ({
    ...state,
    entries: state.entries.map((entry) => withoutPermission(entry, requestId)),
  }),
  filesChosen: (state, { requestId, keptFiles }) => ({
    ...state,
    entries: withChoice(state.entries, requestId, { keptFiles }),
  }),
  hunksChosen: (state, { requestId, rejectedHunks }) => ({
    ...state,
    entries: withChoice(state.entries, requestId, { rejectedHunks }),
  }),
  postponed: (state, { until }) => ({
    ...state,
    entries: state.entries.map((entry) => (isPlanned(entry) ? { ...entry, until } : entry)),
  }),
  changeSettled: (state, { entryId, uris, settled }) => ({
    ...state,
    entries: state.entries.map((entry) =>
      entry.kind === "changes" && entry.id === entryId ? withSettled(entry, uris, settled) : entry,
    ),
  }),
  memoryAnswered: (state, { id, answer }) => ({
    ...state,
    entries: state.entries.map((entry) => withMemoryAnswered(entry, id, answer)),
  }),
  serverLost,
  idle: ({ turnId: _ended, waiting: _over, ...state }) => state,
  command: (state, { id, text }) => ({
    ...state,
    entries: upsert(state.entries, { kind: "command", id, text }),
  }),
  failed: (state, { error }) => ({
    ...state,
    entries: withError(state.entries, { kind: "error", ...error }),
  }),
};

/** The next state of a conversation; changes nothing that did not change, so views compare by identity. */
export function reduce(state: ChatState, action: Action): ChatState {
  const handle = ACTION_HANDLERS[action.type] as (state: ChatState, action: Action) => ChatState;
  return handle(state, action);
}

/** True when updates between the last one folded and this one were missed. */
export function hasGap(state: ChatState, seq: number): boolean {
  return seq > state.seq + 1;
}

function loaded(state: ChatState, action: ActionOf<"loaded">): ChatState {
  const { connection, connectionMessage, trusted, inMemory, team } = state;
  const same = state.session?.id === action.session.id;
  const said = action.messages.reduce(withMessage, [] as readonly Entry[]);
  const entries = withShown(said, action.shown ?? [], endNote);
  const turnId = action.runningTurnId ?? (same ? state.turnId : undefined);
  const known = same ? withLiveDetails(entries, state.entries) : entries;
  return {
    ...EMPTY_STATE,
    connection,
    connectionMessage,
    trusted,
    inMemory,
    ...(team ? { team } : {}),
    session: action.session,
    seq: action.seq,
    entries: action.answer ? upsert(known, answerSoFar(action.answer)) : known,
    heldTokens: same ? state.heldTokens : {},
    fileTokens: same ? state.fileTokens : 0,
    ...(same && state.meter ? { meter: state.meter } : {}),
    ...(turnId ? { turnId } : {}),
    queued: action.queued ?? (same ? state.queued : []),
    tasks: action.tasks ?? (same ? state.tasks : []),
  };
}

function answerSoFar({ messageId, ...come }: UnfinishedAnswer): AnswerEntry {
  return { kind: "answer", id: messageId, ...come, streaming: true };
}

function permissionRequested(state: ChatState, action: ActionOf<"permissionRequested">): ChatState {
  const { requestId, options, turnId, toolCall } = action;
  if (action.sessionId !== state.session?.id) {
    return state;
  }
  const entry: ToolEntry = {
    ...toolEntry(state, turnId, toolCall),
    status: "waiting",
    permission: { requestId, options },
  };
  return { ...state, entries: upsert(state.entries, entry) };
}

function withMemoryAnswered(entry: Entry, id: string, answer: MemoryAnswer): Entry {
  if (entry.kind !== "notice" || entry.memory?.id !== id) {
    return entry;
  }
  const { memory, ...rest } = entry;
  return { ...rest, markdown: escapeMarkdown(answeredText(memory.title, answer)) };
}

function withHeldTokens(state: ChatState, items: readonly ContextItem[]): ChatState {
  const heldTokens: Record<string, HeldTokens> = {};
  for (const { id, tokens, originalTokens, state: form } of items) {
    heldTokens[id] = { tokens, originalTokens, state: form };
  }
  const entries = state.entries.map((entry) => withTokensOfItem(entry, heldTokens));
  return { ...state, heldTokens, entries, fileTokens: fileTokensOf(items) };
}

function withTokensOfItem(entry: Entry, byItem: Readonly<Record<string, HeldTokens>>): Entry {
  if (entry.kind !== "tool" || entry.itemId === undefined) {
    return entry;
  }
  const heldTokens = byItem[entry.itemId];
  const known = entry.heldTokens;
  const same =
    heldTokens === undefined ||
    (known?.tokens === heldTokens.tokens && known.state === heldTokens.state);
  return same ? entry : { ...entry, heldTokens };
}
