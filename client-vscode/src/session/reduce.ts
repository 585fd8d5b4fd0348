import type {
  ContextItem,
  MessageView,
  Meter,
  Receipt,
  SessionInfo,
  SessionUpdate,
  ToolCall,
} from "../protocol";
import { findAnswer, findTool, upsert, withMessage } from "./entries";
import {
  type AnswerEntry,
  type Connection,
  type Conversation,
  EMPTY,
  type Entry,
  type ErrorEntry,
  type PermissionOption,
  type ReceiptEntry,
  type ToolEntry,
  type Weight,
} from "./state";

/** What can happen to a conversation. The host makes them, the webview folds the same ones. */
export type Action =
  | { type: "connection"; connection: Connection; message: string }
  | { type: "trust"; trusted: boolean }
  | { type: "loaded"; session: SessionInfo; messages: readonly MessageView[]; seq: number }
  | { type: "receipts"; receipts: readonly Receipt[] }
  | { type: "update"; seq: number; update: SessionUpdate }
  | { type: "session"; session: SessionInfo }
  | { type: "meter"; meter: Meter }
  | { type: "weights"; items: readonly ContextItem[] }
  | {
      type: "asked";
      requestId: string;
      sessionId: string;
      turnId: string;
      toolCall: ToolCall;
      options: readonly PermissionOption[];
    }
  | { type: "answered"; requestId: string }
  | { type: "postponed"; until: "later" | "session" }
  | { type: "idle" }
  | { type: "command"; id: string; text: string }
  | { type: "failed"; error: Omit<ErrorEntry, "kind"> };

type Of<T extends Action["type"]> = Extract<Action, { type: T }>;
type Handlers = { [T in Action["type"]]: (state: Conversation, action: Of<T>) => Conversation };

const HANDLERS: Handlers = {
  connection: (state, { connection, message }) => ({
    ...state,
    connection,
    connectionMessage: message,
  }),
  trust: (state, { trusted }) => ({ ...state, trusted }),
  loaded,
  receipts: (state, { receipts }) => ({
    ...state,
    entries: receipts.reduce(withReceiptAtItsTime, state.entries),
  }),
  update: (state, { seq, update }) => ({ ...fold(state, update), seq }),
  session: (state, { session }) => ({ ...state, session }),
  meter: (state, { meter }) => ({
    ...state,
    meter,
    entries: meter.zone === "ok" ? withoutPlanned(state.entries) : state.entries,
  }),
  weights: (state, { items }) => weighed(state, items),
  asked,
  answered: (state, { requestId }) => ({
    ...state,
    entries: state.entries.map((entry) => withoutPermission(entry, requestId)),
  }),
  postponed: (state, { until }) => ({
    ...state,
    entries: state.entries.map((entry) => (isPlanned(entry) ? { ...entry, until } : entry)),
  }),
  idle: ({ turnId: _ended, ...state }) => state,
  command: (state, { id, text }) => ({
    ...state,
    entries: upsert(state.entries, { kind: "command", id, text }),
  }),
  failed: (state, { error }) => ({
    ...state,
    entries: upsert(state.entries, { kind: "error", ...error }),
  }),
};

/** The next state of a conversation; changes nothing that did not change, so views compare by identity. */
export function reduce(state: Conversation, action: Action): Conversation {
  const handle = HANDLERS[action.type] as (state: Conversation, action: Action) => Conversation;
  return handle(state, action);
}

/** True when updates between the last one folded and this one were missed. */
export function hasGap(state: Conversation, seq: number): boolean {
  return seq > state.seq + 1;
}

function loaded(state: Conversation, action: Of<"loaded">): Conversation {
  const { connection, connectionMessage, trusted } = state;
  const same = state.session?.id === action.session.id;
  return {
    ...EMPTY,
    connection,
    connectionMessage,
    trusted,
    session: action.session,
    seq: action.seq,
    entries: action.messages.reduce(withMessage, [] as readonly Entry[]),
    weights: same ? state.weights : {},
    ...(same && state.meter ? { meter: state.meter } : {}),
    ...(same && state.turnId ? { turnId: state.turnId } : {}),
  };
}

type UpdateKind = SessionUpdate["kind"];
type UpdateOf<K extends UpdateKind> = Extract<SessionUpdate, { kind: K }>;
type Folds = { [K in UpdateKind]: (state: Conversation, update: UpdateOf<K>) => Conversation };

const FOLDS: Folds = {
  turnStarted: (state, { turnId }) => ({ ...state, turnId }),
  textDelta: (state, update) => withDelta(state, update, "text"),
  reasoningDelta: (state, update) => withDelta(state, update, "reasoning"),
  toolCall: (state, { turnId, toolCall }) => ({
    ...state,
    entries: upsert(state.entries, tool(state, turnId, toolCall)),
  }),
  toolUpdate: withToolUpdate,
  message: (state, { message }) => ({ ...state, entries: withMessage(state.entries, message) }),
  notice: (state, { markdown, level, turnId }) => ({
    ...state,
    entries: [
      ...state.entries,
      { kind: "notice", id: `notice.${turnId ?? ""}.${state.entries.length}`, level, markdown },
    ],
  }),
  tasks: (state, { tasks }) => ({ ...state, tasks }),
  reduction: (state, { receipt }) => ({ ...state, entries: withReceipt(state.entries, receipt) }),
  reductionPlanned: (state, { receipt, inTurns }) => ({
    ...state,
    entries: [
      ...state.entries.filter((entry) => !isPlanned(entry)),
      { kind: "receipt", id: receipt.id, at: receipt.at, receipt, inTurns: inTurns ?? 0 },
    ],
  }),
  usage: (state) => state,
  // Another session is loaded as a whole; this one's transcript does not carry over.
  sessionChanged: (state, { session }) =>
    session.id === state.session?.id ? { ...state, session } : state,
  turnEnded,
};

function fold(state: Conversation, update: SessionUpdate): Conversation {
  const handle = FOLDS[update.kind] as
    | ((state: Conversation, update: SessionUpdate) => Conversation)
    | undefined;
  return handle ? handle(state, update) : state;
}

function withDelta(
  state: Conversation,
  update: { turnId: string; messageId: string; text: string },
  field: "text" | "reasoning",
): Conversation {
  const known = findAnswer(state.entries, update.messageId) ?? newAnswer(update);
  const entry = { ...known, streaming: true, [field]: known[field] + update.text };
  return { ...state, entries: upsert(state.entries, entry) };
}

function newAnswer(update: { turnId: string; messageId: string }): AnswerEntry {
  const { turnId, messageId } = update;
  return { kind: "answer", id: messageId, turnId, text: "", reasoning: "", streaming: true };
}

function tool(state: Conversation, turnId: string, call: ToolCall): ToolEntry {
  const known = findTool(state.entries, call.id);
  return { status: "pending", ...known, kind: "tool", id: call.id, turnId, call };
}

function withToolUpdate(state: Conversation, update: UpdateOf<"toolUpdate">): Conversation {
  const known = findTool(state.entries, update.toolCallId);
  if (known === undefined) {
    return state;
  }
  const { permission, ...rest } = known;
  const entry: ToolEntry = {
    ...rest,
    ...(permission && update.status === "waiting" ? { permission } : {}),
    status: update.status,
    output: update.output ?? known.output,
    itemId: update.itemId ?? known.itemId,
  };
  return { ...state, entries: upsert(state.entries, entry) };
}

function asked(state: Conversation, action: Of<"asked">): Conversation {
  const { requestId, options, turnId, toolCall } = action;
  if (action.sessionId !== state.session?.id) {
    return state;
  }
  const entry: ToolEntry = {
    ...tool(state, turnId, toolCall),
    status: "waiting",
    permission: { requestId, options },
  };
  return { ...state, entries: upsert(state.entries, entry) };
}

function withoutPermission(entry: Entry, requestId: string): Entry {
  if (entry.kind !== "tool" || entry.permission?.requestId !== requestId) {
    return entry;
  }
  const { permission: _answered, ...rest } = entry;
  return rest;
}

function isPlanned(entry: Entry): entry is ReceiptEntry {
  return entry.kind === "receipt" && entry.receipt.status === "planned";
}

function withoutPlanned(entries: readonly Entry[]): readonly Entry[] {
  return entries.some(isPlanned) ? entries.filter((entry) => !isPlanned(entry)) : entries;
}

/** Stages that do what a planned compaction announced. */
const COMPACTIONS: ReadonlySet<string> = new Set(["digest", "compact"]);

function withReceipt(entries: readonly Entry[], receipt: Receipt): readonly Entry[] {
  const settles = COMPACTIONS.has(receipt.stage) && receipt.status === "completed";
  const standing = settles ? withoutPlanned(entries) : entries;
  return upsert(standing, { kind: "receipt", id: receipt.id, at: receipt.at, receipt });
}

/** A receipt of an earlier day stands where it happened: behind the last entry that is not younger. */
function withReceiptAtItsTime(entries: readonly Entry[], receipt: Receipt): readonly Entry[] {
  if (entries.some((entry) => entry.kind === "receipt" && entry.id === receipt.id)) {
    return withReceipt(entries, receipt);
  }
  const at = Date.parse(receipt.at);
  const after = entries.findLastIndex(
    (entry) => entry.at !== undefined && Date.parse(entry.at) <= at,
  );
  return entries.toSpliced(after + 1, 0, {
    kind: "receipt",
    id: receipt.id,
    at: receipt.at,
    receipt,
  });
}

function weighed(state: Conversation, items: readonly ContextItem[]): Conversation {
  const weights: Record<string, Weight> = {};
  for (const { id, tokens, originalTokens, state: form } of items) {
    weights[id] = { tokens, originalTokens, state: form };
  }
  const entries = state.entries.map((entry) => reweighed(entry, weights));
  return { ...state, weights, entries };
}

function reweighed(entry: Entry, weights: Readonly<Record<string, Weight>>): Entry {
  if (entry.kind !== "tool" || entry.itemId === undefined) {
    return entry;
  }
  const weight = weights[entry.itemId];
  const known = entry.weight;
  const same =
    weight === undefined || (known?.tokens === weight.tokens && known.state === weight.state);
  return same ? entry : { ...entry, weight };
}

function turnEnded(state: Conversation, update: UpdateOf<"turnEnded">): Conversation {
  const { turnId: _ended, ...rest } = state;
  const entries = state.entries.map((entry) => settled(entry, update.turnId));
  return { ...rest, entries: [...entries, ...endNote(update)] };
}

function settled(entry: Entry, turnId: string): Entry {
  return entry.kind === "answer" && entry.streaming && entry.turnId === turnId
    ? { ...entry, streaming: false }
    : entry;
}

const STOPPED: Readonly<Record<string, string>> = {
  cancelled: "Stopped.",
  maxTokens: "The answer was cut off: it reached the model's output limit.",
  contextLimit: "The turn ended: the next request would not fit the context window.",
  refused: "The model declined to answer.",
};

function endNote(update: UpdateOf<"turnEnded">): Entry[] {
  const { turnId, error, stopReason } = update;
  if (error) {
    const { kind, message, remedy } = error;
    return [
      {
        kind: "error",
        id: `error.${turnId}`,
        errorKind: kind,
        message,
        ...(remedy ? { remedy } : {}),
      },
    ];
  }
  const markdown = STOPPED[stopReason];
  return markdown ? [{ kind: "notice", id: `ended.${turnId}`, level: "info", markdown }] : [];
}
