import { memoryNoticeText, memoryOf } from "../memory/notices";
import type { Receipt, SessionUpdate, ToolCall } from "../protocol";
import { escapeMarkdown } from "../text/markdown";
import { changesOf } from "./entries/changes";
import { endNote, withNote } from "./entries/ends";
import {
  findAnswer,
  findTool,
  upsert,
  withAgent,
  withMessage,
  withToolUpdate,
} from "./entries/entries";
import { hookNote } from "./entries/hooks";
import { isPlanned, withReceipt } from "./entries/receipts";
import { settingsNamed, withTitles } from "./settingNames";
import type { AnswerEntry, ChatState, Entry, ToolEntry } from "./state";

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
  hook: (state, ran) => ({ ...state, entries: [...state.entries, hookNote(state, ran)] }),
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

export function applyUpdate(state: ChatState, update: SessionUpdate): ChatState {
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

export function toolEntry(state: ChatState, turnId: string, call: ToolCall): ToolEntry {
  const known = findTool(state.entries, call.id);
  const whole = withAgent(call, known?.call.agent);
  return { status: "pending", ...known, kind: "tool", id: call.id, turnId, call: whole };
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
