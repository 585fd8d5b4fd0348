import type { AgentView, MessageView, SessionUpdate, ToolCall } from "../../protocol";
import { imageUrl } from "../images";
import type { AnswerEntry, Entry, Permission, ToolEntry, UserEntry } from "../state";

type Part = MessageView["parts"][number];
type ToolUpdate = Extract<SessionUpdate, { kind: "toolUpdate" }>;

/** Puts an entry in the place of the one with its id, or at the end. */
export function upsert(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const index = entries.findLastIndex((one) => one.kind === entry.kind && one.id === entry.id);
  return index < 0 ? [...entries, entry] : entries.with(index, entry);
}

export function findTool(entries: readonly Entry[], toolCallId: string): ToolEntry | undefined {
  return entries.findLast((one): one is ToolEntry => one.kind === "tool" && one.id === toolCallId);
}

/** The entry without a question that is answered. */
export function withoutPermission(entry: Entry, requestId: string): Entry {
  if (entry.kind !== "tool" || entry.permission?.requestId !== requestId) {
    return entry;
  }
  const { permission: _answered, ...rest } = entry;
  return rest;
}

/** What a person has chosen within a question that waits. */
export function withChoice(
  entries: readonly Entry[],
  requestId: string,
  choice: Partial<Permission>,
): readonly Entry[] {
  return entries.map((entry) =>
    entry.kind === "tool" && entry.permission?.requestId === requestId
      ? { ...entry, permission: { ...entry.permission, ...choice } }
      : entry,
  );
}

export function findAnswer(entries: readonly Entry[], messageId: string): AnswerEntry | undefined {
  return entries.findLast(
    (one): one is AnswerEntry => one.kind === "answer" && one.id === messageId,
  );
}

/** What a log does not keep of calls, and the lists of changed files, outlives a load of the session. */
export function withLiveDetails(
  loaded: readonly Entry[],
  before: readonly Entry[],
): readonly Entry[] {
  const known = loaded.map((entry) => {
    const live = entry.kind === "tool" ? findTool(before, entry.id) : undefined;
    const known = live?.call.detail ?? live?.call.agent;
    return entry.kind === "tool" && live && known ? withDetails(entry, live) : entry;
  });
  const whole = before.reduce(
    (all, entry) => {
      const at = all.findLastIndex(
        (one) => "turnId" in one && `changes.${one.turnId}` === entry.id,
      );
      return entry.kind === "changes" && at >= 0 ? all.toSpliced(at + 1, 0, entry) : all;
    },
    known as readonly Entry[],
  );
  return before.reduce(
    (all, entry, index) =>
      isLostHere(entry, loaded) ? insertAfter(all, entry, before.slice(0, index)) : all,
    whole,
  );
}

/** Puts an entry behind the nearest of those that stood before it, or at the end. */
function insertAfter(
  entries: readonly Entry[],
  entry: Entry,
  predecessors: readonly Entry[],
): readonly Entry[] {
  for (const { kind, id } of predecessors.toReversed()) {
    const at = entries.findLastIndex((one) => one.kind === kind && one.id === id);
    if (at >= 0) {
      return entries.toSpliced(at + 1, 0, entry);
    }
  }
  return [...entries, entry];
}

/** What had streamed as the server ended, and the word that it did: no log has them. */
function isLostHere(entry: Entry, loaded: readonly Entry[]): boolean {
  if (entry.kind === "answer") {
    return entry.cutOff === true && findAnswer(loaded, entry.id) === undefined;
  }
  const told = loaded.some((one) => one.kind === "error" && one.interrupted);
  return entry.kind === "error" && entry.errorKind === "serverLost" && !told;
}

/** A call with what is known of its subagent: what it did and took is said in updates alone. */
export function withAgent(call: ToolCall, known: AgentView | undefined): ToolCall {
  return known || call.agent ? { ...call, agent: { ...known, ...call.agent } as AgentView } : call;
}

function withDetails(entry: ToolEntry, { call, status, rejection }: ToolEntry): ToolEntry {
  const ended = status === "rejected" ? { status } : {};
  return { ...entry, call, ...ended, ...(rejection ? { rejection } : {}) };
}

/** A prompt that failed before anything was answered. */
export interface FailedPrompt {
  readonly id: string;
  readonly text: string;
}

/** The newest prompt, where it ended by an error and nothing was said or done about it. */
export function failedPrompt(entries: readonly Entry[]): FailedPrompt | undefined {
  const index = entries.findLastIndex(({ kind }) => kind === "user");
  const prompt = entries[index];
  const after = entries.slice(index + 1);
  const failed = after.some((entry) => entry.kind === "error" && entry.retry && !entry.interrupted);
  const answered = after.some(({ kind }) => kind === "answer" || kind === "tool");
  if (prompt?.kind !== "user" || !failed || answered) {
    return undefined;
  }
  return { id: prompt.id, text: prompt.text };
}

const CONVERSATION: ReadonlySet<Entry["kind"]> = new Set(["user", "answer", "tool"]);

/** The newest message before an entry, or null where nothing was said before it; undefined where its id is not known. */
export function messageBefore(entries: readonly Entry[], id: string): string | null | undefined {
  const index = entries.findIndex((entry) => entry.id === id);
  const said = entries.slice(0, index).findLast(({ kind }) => CONVERSATION.has(kind));
  if (said === undefined) {
    return null;
  }
  // The id of an item is that of its message, a point and a number.
  return said.kind === "tool" ? said.itemId?.replace(/\.\d+$/, "") : said.id;
}

/** The prompt with an id, or the one that the answer with that id belongs to. */
export function promptOf(entries: readonly Entry[], id: string): UserEntry | undefined {
  const index = entries.findIndex((entry) => entry.id === id);
  return entries.slice(0, index + 1).findLast((entry): entry is UserEntry => entry.kind === "user");
}

/** Folds a finished message into the transcript: the same for a live one and a stored one. */
export function withMessage(entries: readonly Entry[], message: MessageView): readonly Entry[] {
  if (message.role === "user") {
    return upsert(entries, userEntry(message));
  }
  if (message.role === "assistant") {
    return withCalls(withAnswer(entries, message), message);
  }
  const images = message.parts.filter(({ type }) => type === "image").map(({ text }) => text ?? "");
  const shown = images.map(imageUrl).filter((url) => url !== undefined);
  return message.parts
    .filter((part) => part.type === "toolResult")
    .reduce((all, part) => withResult(all, part, shown), entries);
}

function userEntry(message: MessageView): UserEntry {
  const attachments = message.parts
    .map(({ type, attached }) => (type === "image" ? "attached image" : attached))
    .filter((label) => label !== undefined);
  return {
    kind: "user",
    id: message.id,
    at: message.at,
    text: textOf(message, "text"),
    attachments,
  };
}

function textOf(message: MessageView, type: Part["type"]): string {
  return message.parts
    .filter((part) => part.type === type && part.attached === undefined)
    .map((part) => part.text ?? "")
    .join("\n\n");
}

function withAnswer(entries: readonly Entry[], message: MessageView): readonly Entry[] {
  const text = textOf(message, "text");
  const reasoning = textOf(message, "reasoning");
  const known = findAnswer(entries, message.id);
  if (text === "" && reasoning === "" && known === undefined) {
    return entries;
  }
  const { id, at, turnId } = message;
  return upsert(entries, { kind: "answer", id, at, turnId, text, reasoning, streaming: false });
}

function withCalls(entries: readonly Entry[], message: MessageView): readonly Entry[] {
  let all = entries;
  for (const { toolCall } of message.parts) {
    if (toolCall) {
      const known = findTool(all, toolCall.id);
      const place = { kind: "tool", id: toolCall.id, turnId: message.turnId } as const;
      const call = withAgent(toolCall, known?.call.agent);
      all = upsert(all, { status: "pending", ...known, ...place, at: message.at, call });
    }
  }
  return all;
}

function withResult(
  entries: readonly Entry[],
  part: Part,
  images: readonly string[],
): readonly Entry[] {
  const tool = part.toolCall
    ? findTool(entries, part.toolCall.id)
    : entries.find((one): one is ToolEntry => one.kind === "tool" && one.itemId === undefined);
  if (tool === undefined) {
    return entries;
  }
  const open = tool.status === "pending" || tool.status === "running" || tool.status === "waiting";
  const status = open ? (part.failed ? "failed" : "completed") : tool.status;
  const { permission: _answered, ...rest } = tool;
  return upsert(entries, {
    ...rest,
    status,
    output: part.text ?? tool.output,
    itemId: part.itemId,
    ...(images.length > 0 ? { images } : {}),
    ...endOf(part),
  });
}

/** Moves a call on; one that is not there stays away. */
export function withToolUpdate(entries: readonly Entry[], update: ToolUpdate): readonly Entry[] {
  const known = findTool(entries, update.toolCallId);
  if (known === undefined) {
    return entries;
  }
  const { permission, ...rest } = known;
  return upsert(entries, {
    ...rest,
    ...(update.agent ? { call: { ...rest.call, agent: update.agent } } : {}),
    ...(permission && update.status === "waiting" ? { permission } : {}),
    status: update.status,
    output: update.output ?? known.output,
    itemId: update.itemId ?? known.itemId,
    ...(update.since ? { since: update.since } : {}),
    ...endOf(update),
    ...(update.heldBack ? { heldBack: update.heldBack } : {}),
    ...(update.keptFiles ? { keptFiles: update.keptFiles } : {}),
    ...(update.asideFiles ? { asideFiles: update.asideFiles } : {}),
    ...(update.rejection ? { rejection: update.rejection } : {}),
  });
}

type End = Pick<Part, "exitCode" | "milliseconds" | "counts">;

/** How a command ended, and after how long; how much a search found or a read brought. */
function endOf({ exitCode, milliseconds, counts }: End): End {
  return {
    ...(counts === undefined ? {} : { counts }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(milliseconds === undefined ? {} : { milliseconds }),
  };
}
