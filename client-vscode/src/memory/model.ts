import type { Memory, MemoryClass, MemoryEvent, MemoryType } from "../protocol";
import { formatTime, plural } from "../text/format";
import { lookup } from "../text/lookup";
import { tableSection } from "../text/markdown";

/** Memories of one type, or those that wait for a review. */
export interface MemoryGroup {
  readonly id: string;
  readonly label: string;
  readonly memories: readonly Memory[];
}

const INBOX = "inbox";
/** The records of earlier sessions. */
const SESSIONS = "sessions";

/** The types, named as in the request, in the order of its sections. */
export const TYPES: readonly {
  readonly type: MemoryType;
  readonly label: string;
  readonly help: string;
}[] = [
  { type: "project", label: "Project knowledge", help: "How this project works" },
  { type: "user", label: "User preferences", help: "How you like things done" },
  { type: "decision", label: "Key decisions", help: "What was decided, and why" },
  { type: "feedback", label: "Feedback", help: "What to do again, and what not" },
  { type: "reference", label: "References", help: "Where to look something up" },
  { type: "procedure", label: "Procedures", help: "How something is done here" },
];

/** The classes, what comes first in the request before the others. */
export const CLASSES: readonly MemoryClass[] = ["priority", "durable", "working"];

/** The inbox first, then each type that has any, types of a later version and earlier sessions last. */
export function groupsOf(memories: readonly Memory[]): MemoryGroup[] {
  const known = TYPES.map(({ type }) => type as string);
  const others = memories.map(({ type }) => type).filter((type) => !known.includes(type));
  return [INBOX, ...known, ...new Set(others), SESSIONS]
    .map((id) => ({
      id,
      label: labelOf(id),
      memories: memories.filter((memory) => groupOf(memory) === id).toSorted(byImportance),
    }))
    .filter((group) => group.memories.length > 0);
}

function groupOf({ state, type, digest }: Memory): string {
  if (state === INBOX) {
    return INBOX;
  }
  return digest === true ? SESSIONS : type;
}

const LABELS: Readonly<Record<string, string>> = lookup({
  [INBOX]: "Inbox",
  [SESSIONS]: "Previous sessions",
  ...Object.fromEntries(TYPES.map(({ type, label }) => [type, label])),
});

function labelOf(id: string): string {
  return LABELS[id] ?? id;
}

const USUAL_IMPORTANCE = 3;

/** Pinned first, then by class and importance, then the newest. */
function byImportance(a: Memory, b: Memory): number {
  return (
    Number(b.pinned) - Number(a.pinned) ||
    classOrder(a) - classOrder(b) ||
    (b.importance ?? USUAL_IMPORTANCE) - (a.importance ?? USUAL_IMPORTANCE) ||
    b.createdAt.localeCompare(a.createdAt)
  );
}

function classOrder(memory: Memory): number {
  const order: readonly string[] = CLASSES;
  return order.indexOf(memory.class);
}

/** What stands beside the title: only what is out of the ordinary. */
export function memoryNote(memory: Memory): string {
  const notes = [
    memory.state === "stale" ? "stale: its file changed" : "",
    memory.state === INBOX ? proposedBy(memory) : "",
    memory.pinned ? "pinned" : "",
    memory.class === "durable" || memory.digest === true ? "" : memory.class,
    memory.importance === undefined ? "" : `importance ${memory.importance}`,
    memory.authorName !== undefined && memory.state !== INBOX ? `by ${memory.authorName}` : "",
    SCOPE_NOTES[memory.scope] ?? "",
    memory.pendingSync === true ? "waits to be sent" : "",
    ...(memory.tags ?? []).map((tag) => `#${tag}`),
  ];
  return notes.filter((note) => note !== "").join(" · ");
}

/** Who else has a memory; one that stays here says nothing. */
const SCOPE_NOTES: Readonly<Record<string, string>> = lookup({
  mine: "my machines",
  team: "team",
});

function proposedBy({ author, authorName }: Memory): string {
  return authorName === undefined
    ? `proposed by ${AUTHORS[author] ?? author}`
    : `shared by ${authorName}`;
}

const AUTHORS: Readonly<Record<string, string>> = lookup({
  user: "you",
  agent: "the agent",
  extraction: "extraction",
});

const PREVIEWED = 600;

/** Everything about a memory, as plain text. */
export function memoryDetails(memory: Memory): string {
  const { title, content, author, authorName, createdAt, lastUsedAt, timesUsed, expiresAt } =
    memory;
  const text = content.length <= PREVIEWED ? content : `${content.slice(0, PREVIEWED)}…`;
  const facts = [
    `By ${authorName ?? AUTHORS[author] ?? author}, ${formatTime(createdAt)}`,
    lastUsedAt === undefined
      ? "not used yet"
      : `used ${plural(timesUsed, "time")}, last ${formatTime(lastUsedAt)}`,
    expiresAt === undefined ? "" : `expires ${formatTime(expiresAt)}`,
    superseding(memory),
    memory.scope === "team" ? "for the team" : "",
    memory.scope === "mine" ? "for you on other machines too" : "",
    memory.pendingSync === true ? "waits to be sent" : "",
    memory.seenAt === undefined ? "" : `seen at the team's server ${formatTime(memory.seenAt)}`,
  ];
  const told = [title, text, nowText(memory), facts.filter((fact) => fact !== "").join(" · ")];
  return told.filter((part) => part !== "").join("\n\n");
}

/** Nobody accepts what hides another memory without being told so. */
function superseding({ state, supersedes }: Memory): string {
  if (supersedes === undefined) {
    return "";
  }
  return state === INBOX ? `accepting it hides ${supersedes}` : `took the place of ${supersedes}`;
}

/** What stands now, where a person is to decide whether something else shall. */
function nowText({ superseded, removal }: Memory): string {
  if (superseded === undefined) {
    return "";
  }
  const what = removal === true ? "It suggests to forget this:" : "In the place of this:";
  return `${what}\n${superseded.title}\n${superseded.content}`;
}

/** The question before a suggestion is accepted: what stands now, and what would stand then. */
export function suggestionText(memory: Memory): string {
  const then = memory.removal === true ? "" : `Then:\n${memory.title}\n${memory.content}`;
  const now = memory.superseded ?? { title: "", content: "" };
  const parts = [`Now:\n${now.title}\n${now.content}`, then];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** What became of a file that was taken in. */
export function importedText(waiting: number, leftOut: number): string {
  const kept = `${plural(waiting, "memory", "memories")} from the file to review in the inbox.`;
  const rest = `${plural(leftOut, "other")} known, forgotten before or without room.`;
  return leftOut === 0 ? kept : `${kept} ${rest}`;
}

const TITLE = 60;

/** A title for a text: its first line, as far as it goes in a list. */
export function proposedTitle(text: string): string {
  const [first = ""] = text.trim().split(/\r?\n/);
  const line = first.replaceAll(/\s+/g, " ").trim();
  return line.length <= TITLE ? line : `${line.slice(0, TITLE - 1).trimEnd()}…`;
}

/** What happened to the memories, newest first, as Markdown. */
export function auditMarkdown(events: readonly MemoryEvent[], memories: readonly Memory[]): string {
  const titles = new Map(memories.map(({ id, title }) => [id, title]));
  const rows = events
    .toReversed()
    .map(({ at, memoryId, action, author, reason }) => [
      formatTime(at),
      action,
      titles.get(memoryId) ?? memoryId,
      AUTHORS[author] ?? author,
      reason ?? "",
    ]);
  const table = tableSection("Changes", ["At", "Action", "Memory", "By", "Reason"], rows);
  return `# Memory audit\n\n${table || "Nothing was remembered yet."}\n`;
}
