import type { AnswerEntry, Entry, UserEntry } from "./state";

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

export function answerOf(entries: readonly Entry[], id: string): AnswerEntry | undefined {
  return entries.find((entry): entry is AnswerEntry => entry.kind === "answer" && entry.id === id);
}
