import { answeredText, type MemoryAnswer, memoryNoticeText, memoryOf } from "../memory/notices";
import type {
  ContextItem,
  Meter,
  PermissionOption,
  Receipt,
  SessionInfo,
  SessionLoadResult,
  SessionUpdate,
  Spending,
  ToolCall,
  UnfinishedAnswer,
} from "../protocol";
import { fileTokensOf } from "../text/kinds";
import { escapeMarkdown } from "../text/markdown";
import { changesOf, withSettled } from "./changes";
import { endNote, serverLost, withError, withNote } from "./ends";
import {
  findAnswer,
  findTool,
  upsert,
  withAgent,
  withChoice,
  withLiveDetails,
  withMessage,
  withoutPermission,
  withToolUpdate,
} from "./entries";
import { COMPACTIONS } from "./labels";
import { settingsNamed, withTitles } from "./settingNames";
import { withShown } from "./shownEarlier";
import {
  type AnswerEntry,
  type ChatState,
  type ConnectionState,
  EMPTY_STATE,
  type Entry,
  type ErrorEntry,
  type HeldTokens,
  type ReceiptEntry,
  type ToolEntry,
} from "./state";

/** What can happen to a conversation. The host makes them, the webview folds the same ones. */
export type Action =
  | { type: "connection"; connection: ConnectionState; message: string; failure?: string }
  | { type: "store"; inMemory: boolean }
  | { type: "trust"; trusted: boolean }
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
  const { connection, connectionMessage, trusted, inMemory } = state;
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

type UpdateKind = SessionUpdate["kind"];
type UpdateOf<K extends UpdateKind> = Extract<SessionUpdate, { kind: K }>;
type UpdateHandlers = { [K in UpdateKind]: (state: ChatState, update: UpdateOf<K>) => ChatState };

const UPDATE_HANDLERS: UpdateHandlers = {
  turnStarted: (state, { turnId }) => ({
    ...state,
    turnId,
    entries: state.entries.map(asPast),
  }),
  textDelta: (state, update) => withDelta(state, update, "text"),
  reasoningDelta: (state, update) => withDelta(state, update, "reasoning"),
  waiting: (state, waiting) => ({ ...state, waiting }),
  toolCall: (state, { turnId, toolCall }) => ({
    ...state,
    entries: upsert(state.entries, toolEntry(state, turnId, toolCall)),
  }),
  toolUpdate: (state, update) => ({ ...state, entries: withToolUpdate(state.entries, update) }),
  message: (state, { message }) => ({ ...state, entries: withMessage(state.entries, message) }),
  notice: (state, notice) => {
    const { level, turnId, data } = notice;
    if (isToldByItsReceipt(state, data)) {
      return state;
    }
    const memory = memoryOf(notice);
    const markdown = memory ? escapeMarkdown(memoryNoticeText(memory)) : notice.markdown;
    const settings = settingsNamed(data);
    const told = {
      level,
      markdown: withTitles(markdown, settings),
      ...(settings.length > 0 ? { settings } : {}),
      ...(memory ? { memory } : {}),
    };
    const id = `notice.${turnId ?? ""}.${state.entries.length}`;
    return { ...state, entries: [...state.entries, { kind: "notice", id, ...told }] };
  },
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
  queued: (state, { entries }) => ({ ...state, queued: entries }),
  turnEnded,
};

/** Whether the answer of a command is about a reduction whose card has just come. */
function isToldByItsReceipt(state: ChatState, data: unknown): boolean {
  const { editId, receipt } = (data ?? {}) as { editId?: unknown; receipt?: Partial<Receipt> };
  const told = receipt?.undone === true ? undefined : receipt?.id;
  return (
    typeof editId === "string" ||
    state.entries.some((entry) => entry.kind === "receipt" && entry.receipt.id === told)
  );
}

function applyUpdate(state: ChatState, update: SessionUpdate): ChatState {
  const handle = UPDATE_HANDLERS[update.kind] as
    | ((state: ChatState, update: SessionUpdate) => ChatState)
    | undefined;
  const next = handle ? handle(state, update) : state;
  return ENDS_WAIT.has(update.kind) ? withoutWait(next) : next;
}

/** Updates with which something of the answer comes, or the turn ends. */
const ENDS_WAIT: ReadonlySet<UpdateKind> = new Set([
  "turnStarted",
  "textDelta",
  "reasoningDelta",
  "toolCall",
  "message",
  "turnEnded",
]);

function withoutWait(state: ChatState): ChatState {
  if (state.waiting === undefined) {
    return state;
  }
  const { waiting: _over, ...rest } = state;
  return rest;
}

function withDelta(
  state: ChatState,
  update: { turnId: string; messageId: string; text: string },
  field: "text" | "reasoning",
): ChatState {
  const known = findAnswer(state.entries, update.messageId) ?? newAnswer(update);
  const entry = { ...known, streaming: true, [field]: known[field] + update.text };
  return { ...state, entries: upsert(state.entries, entry) };
}

function newAnswer(update: { turnId: string; messageId: string }): AnswerEntry {
  const { turnId, messageId } = update;
  return { kind: "answer", id: messageId, turnId, text: "", reasoning: "", streaming: true };
}

function toolEntry(state: ChatState, turnId: string, call: ToolCall): ToolEntry {
  const known = findTool(state.entries, call.id);
  const whole = withAgent(call, known?.call.agent);
  return { status: "pending", ...known, kind: "tool", id: call.id, turnId, call: whole };
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

/** Something new is said: what failed before is not tried again, and no rewind undone. */
function asPast(entry: Entry): Entry {
  if (entry.kind === "notice" && entry.undo !== undefined) {
    const { undo: _past, ...rest } = entry;
    return rest;
  }
  if ((entry.kind !== "error" && entry.kind !== "notice") || !entry.retry) {
    return entry;
  }
  const { retry: _past, ...rest } = entry;
  return rest;
}

function withMemoryAnswered(entry: Entry, id: string, answer: MemoryAnswer): Entry {
  if (entry.kind !== "notice" || entry.memory?.id !== id) {
    return entry;
  }
  const { memory, ...rest } = entry;
  return { ...rest, markdown: escapeMarkdown(answeredText(memory.title, answer)) };
}

function isPlanned(entry: Entry): entry is ReceiptEntry {
  return entry.kind === "receipt" && entry.receipt.status === "planned";
}

function withoutPlanned(entries: readonly Entry[]): readonly Entry[] {
  return entries.some(isPlanned) ? entries.filter((entry) => !isPlanned(entry)) : entries;
}

function withReceipt(entries: readonly Entry[], receipt: Receipt): readonly Entry[] {
  const settles = COMPACTIONS.has(receipt.stage) && receipt.status === "completed";
  const kept = settles ? withoutPlanned(entries) : entries;
  return upsert(kept, { kind: "receipt", id: receipt.id, at: receipt.at, receipt });
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

function turnEnded(state: ChatState, update: UpdateOf<"turnEnded">): ChatState {
  const { turnId: _ended, ...rest } = state;
  const entries = state.entries.map((entry) => withStreamEnded(entry, update.turnId));
  const note = endNote(update);
  const all = note ? withNote(entries, note) : entries;
  const changes = changesOf(all, update.turnId);
  return { ...rest, entries: changes ? [...all, changes] : all };
}

function withStreamEnded(entry: Entry, turnId: string): Entry {
  return entry.kind === "answer" && entry.streaming && entry.turnId === turnId
    ? { ...entry, streaming: false }
    : entry;
}
