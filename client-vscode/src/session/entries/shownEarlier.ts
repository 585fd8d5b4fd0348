import type { ShownEarlier, TurnEnded } from "../../protocol";
import { settingsNamed, withTitles } from "../settingNames";
import type { Entry } from "../state";

/** Puts what was shown beside the conversation where it stood: notices, commands, bad ends of turns. */
export function withShown(
  entries: readonly Entry[],
  shown: readonly ShownEarlier[],
  endNote: (update: TurnEnded) => Entry | undefined,
): readonly Entry[] {
  let all = entries;
  shown.forEach((one, index) => {
    const views = entriesOf(one, index, endNote);
    const last = all.at(-1);
    const at = placeBehind(all, one);
    // Only what stands at the very end can still be tried again.
    const current = last === undefined || at === all.length;
    all = all.toSpliced(at, 0, ...(current ? views : views.map(settled)));
  });
  return all.map((entry, index) => (index < all.length - 1 ? settled(entry) : entry));
}

function entriesOf(
  { update, at }: ShownEarlier,
  index: number,
  endNote: (update: TurnEnded) => Entry | undefined,
): Entry[] {
  if (update.kind === "turnEnded") {
    const note = endNote(update);
    return note ? [{ ...note, at }] : [];
  }
  const { markdown, level, data, command } = update;
  const settings = settingsNamed(data);
  const told = { level, markdown: withTitles(markdown, settings), at };
  const id = `shown.${index}`;
  const { undo } = (data ?? {}) as { undo?: string };
  return [
    ...(command ? [{ kind: "command", id, at, text: command } as const] : []),
    {
      kind: "notice",
      id,
      ...told,
      ...(settings.length > 0 ? { settings } : {}),
      ...(undo ? { undo } : {}),
    },
  ];
}

/** Behind the last entry of its message and what was shown there before it. */
function placeBehind(entries: readonly Entry[], { afterMessageId }: ShownEarlier): number {
  const message = entries.findLastIndex((entry) => messageOf(entry) === afterMessageId);
  let place = message + 1;
  while (entries[place] !== undefined && messageOf(entries[place] as Entry) === undefined) {
    place += 1;
  }
  return afterMessageId !== undefined && message < 0 ? entries.length : place;
}

function messageOf(entry: Entry): string | undefined {
  if (entry.kind === "tool") {
    const item = entry.itemId ?? entry.call.itemId;
    return item.slice(0, item.lastIndexOf("."));
  }
  return entry.kind === "user" || entry.kind === "answer" ? entry.id : undefined;
}

function settled(entry: Entry): Entry {
  if ((entry.kind !== "error" && entry.kind !== "notice") || !entry.retry) {
    return entry;
  }
  const { retry: _past, ...rest } = entry;
  return rest;
}
