import type { ContentPart, QueuedPrompt } from "../protocol";

/** From and to of what was pasted, in UTF-16 units, in order, apart from each other and not empty. */
export type Ranges = readonly (readonly [number, number])[];

/** A text that is written, and what of it was pasted. */
export interface Draft {
  readonly text: string;
  readonly pasted: Ranges;
}

export const EMPTY_DRAFT: Draft = { text: "", pasted: [] };

/**
 * How a text came to change: by typing, by another wording of what stands there, as a spelling
 * mended, or by something that was brought in.
 */
export type ChangeKind = "typed" | "reworded" | "pasted";

/** A text of which nobody said what was pasted: all of it counts as such. */
export function asPaste(text: string): Draft {
  return { text, pasted: inOrder([[0, text.length]]) };
}

/** Sorts ranges, joins those that touch, and leaves out empty ones. */
export function inOrder(ranges: Ranges): Ranges {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (from >= to) {
      continue;
    }
    if (last !== undefined && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      merged.push([from, to]);
    }
  }
  return merged;
}

/**
 * The draft after a change. What is left of a paste stays pasted; what is typed inside one, or in
 * the place of a part of it, is pasted; what is typed at its ends is typed.
 *
 * `caret`: where it stands behind what came in, which tells equal characters apart.
 */
export function changedDraft(
  draft: Draft,
  text: string,
  kind: ChangeKind,
  caret: number = text.length,
): Draft {
  const { start, end, length } = replacement(draft.text, text, caret);
  const shift = length - (end - start);
  const kept = draft.pasted.flatMap(([from, to]): [number, number][] => [
    [from, Math.min(to, start)],
    [Math.max(from, end) + shift, to + shift],
  ]);
  const own = kind !== "pasted" && !draft.pasted.some((range) => touches(range, start, end, kind));
  return { text, pasted: inOrder(own ? kept : [...kept, [start, start + length]]) };
}

/** Tells whether a change lies inside a paste, or takes a part of one and leaves another. */
function touches(
  [from, to]: readonly [number, number],
  start: number,
  end: number,
  kind: ChangeKind,
): boolean {
  if (kind === "reworded" && start < to && end > from) {
    return true;
  }
  const amid = (from < start && start < to) || (from < end && end < to);
  return amid && start < to && end > from;
}

/** What changed between two texts: from and to in the first, and the length in the second. */
function replacement(
  before: string,
  after: string,
  caret: number,
): { start: number; end: number; length: number } {
  const shorter = Math.min(before.length, after.length);
  const most = Math.max(0, Math.min(shorter, after.length - caret));
  let behind = 0;
  while (behind < most && before.at(-1 - behind) === after.at(-1 - behind)) {
    behind += 1;
  }
  let start = 0;
  while (start < shorter - behind && before[start] === after[start]) {
    start += 1;
  }
  return { start, end: before.length - behind, length: after.length - behind - start };
}

/** The draft without white space around it, as it is sent. */
export function trimmed({ text, pasted }: Draft): Draft {
  const start = text.length - text.trimStart().length;
  const sent = text.trim();
  const moved = pasted.map(
    ([from, to]) => [Math.max(0, from - start), Math.min(to - start, sent.length)] as const,
  );
  return { text: sent, pasted: inOrder(moved) };
}

/** Two drafts, one behind the other. */
export function joinedDrafts(first: Draft, between: string, second: Draft): Draft {
  const shift = first.text.length + between.length;
  const moved = second.pasted.map(([from, to]) => [from + shift, to + shift] as const);
  return {
    text: `${first.text}${between}${second.text}`,
    pasted: inOrder([...first.pasted, ...moved]),
  };
}

/** What was written of a prompt that comes back; where nobody said, all of it counts as pasted. */
export function draftOf(content: readonly ContentPart[]): Draft {
  return content.reduce<Draft>((draft, part) => {
    if (part.type !== "text") {
      return draft;
    }
    const { text, pasted } = part;
    return joinedDrafts(draft, "", pasted === undefined ? asPaste(text) : { text, pasted });
  }, EMPTY_DRAFT);
}

/** A prompt whose text is shown as this comes back with what was pasted of it. */
export function returnedDraft(text: string, content: readonly ContentPart[]): Draft {
  const draft = draftOf(content);
  return draft.text === text ? draft : asPaste(text);
}

/** What was typed of prompts that wait, to be typed on. */
export function queuedDraft(queued: readonly QueuedPrompt[]): Draft {
  const drafts = queued.map(({ content }) => draftOf(content)).filter(({ text }) => text !== "");
  const [first, ...rest] = drafts;
  return rest.reduce((all, one) => joinedDrafts(all, "\n\n", one), first ?? EMPTY_DRAFT);
}
