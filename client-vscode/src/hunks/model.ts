import type { HunksResult, Range, ToolCall } from "../protocol";
import { plural } from "../text/format";

/** A place where the agent wants to change a file, or has changed it, and a person has the word. */
export interface FileHunk {
  readonly uri: string;
  readonly id: string;
  /** The first line, from 0. */
  readonly start: number;
  /** The line behind the last one. */
  readonly end: number;
  /** Of a proposed one what would come, of a made one what stood there before. */
  readonly text: string;
  /** The question that a proposed one belongs to; none: it is made. */
  readonly proposal?: Proposal;
}

export interface Proposal {
  readonly requestId: string;
  readonly number: number;
  /** What a person has chosen so far; none: nothing. */
  readonly kept?: boolean;
}

export interface HunkPlace {
  readonly uri: string;
  readonly line: number;
}

/** Tells whether a hunk was there before and is not any more. */
export function areGone(before: readonly FileHunk[], now: readonly FileHunk[]): boolean {
  const name = ({ uri, id }: FileHunk) => `${uri} ${id}`;
  const left = new Set(now.map(name));
  return before.some((hunk) => !left.has(name(hunk)));
}

/** What is proposed of a file by a call that waits. */
export function proposedHunks(
  requestId: string,
  call: ToolCall,
  chosen: ReadonlyMap<number, boolean>,
): FileHunk[] {
  const uri = call.locations[0]?.uri;
  const hunks = call.detail?.hunks ?? [];
  return uri === undefined
    ? []
    : hunks.map(({ range, newText }, number) => {
        const kept = chosen.get(number);
        return {
          uri,
          id: `${requestId}.${number}`,
          ...linesOf(range),
          text: newText,
          proposal: { requestId, number, ...(kept === undefined ? {} : { kept }) },
        };
      });
}

/** What was made and nobody has kept, undone or edited. */
export function madeHunks({ files }: HunksResult): FileHunk[] {
  return files.flatMap(({ uri, hunks }) =>
    hunks.map(({ id, range, oldText }) => ({ uri, id, ...linesOf(range), text: oldText })),
  );
}

function linesOf({ start, end }: Range): { start: number; end: number } {
  return { start: start.line, end: end.line };
}

/** The hunk that a line belongs to: one that only takes lines out stands between two lines. */
export function hunkAt(hunks: readonly FileHunk[], { uri, line }: HunkPlace): FileHunk | undefined {
  const here = hunks.filter((hunk) => hunk.uri === uri);
  return (
    here.find(({ start, end }) => start <= line && line < end) ??
    here.find(({ start, end }) => start === end && (line === start || line === start - 1))
  );
}

/** The line at which the cursor stands for a hunk: where no line is its own, the one before. */
export function anchorOf({ start, end }: FileHunk): number {
  return end > start ? start : Math.max(start - 1, 0);
}

/** The hunk to go to from here, round and round: file by file, the file of the place first. */
export function nextHunk(
  hunks: readonly FileHunk[],
  here: HunkPlace | undefined,
  step: 1 | -1,
): FileHunk | undefined {
  const ordered = step === 1 ? hunks : hunks.toReversed();
  const file = ordered.findIndex(({ uri }) => uri === here?.uri);
  if (here === undefined || file === -1) {
    return ordered[0];
  }
  const beyond = ordered.findIndex(
    (hunk, index) =>
      index >= file && (hunk.uri !== here.uri || (anchorOf(hunk) - here.line) * step > 0),
  );
  return ordered[beyond] ?? ordered[0];
}

/** `+2 −1`: what comes and what goes with a hunk. */
export function countsText({ start, end, text, proposal }: FileHunk): string {
  const [here, there] = [end - start, lineCount(text)];
  return proposal ? `+${there} −${here}` : `+${here} −${there}`;
}

function lineCount(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

/** What is written in grey behind a line. */
export interface Ghost {
  readonly line: number;
  readonly text: string;
}

const SHOWN_CHARACTERS = 120;

/** What would come, each line beside the one that it replaces; the last one says how many more. */
export function ghosts(hunk: FileHunk): Ghost[] {
  const { start, end, text } = hunk;
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  if (lines.length === 0) {
    return [];
  }
  // Where lines are added alone there is none to stand beside but the one before.
  const room = Math.max(end - start, 1);
  const first = anchorOf(hunk);
  const shown = lines.slice(0, room).map((line, index) => ({
    line: first + index,
    text: cut(line.trim() === "" ? "(blank line)" : line.trim()),
  }));
  const more = lines.length - shown.length;
  return shown.map((ghost, index) =>
    more > 0 && index === shown.length - 1
      ? { ...ghost, text: `${ghost.text}  … ${more} more ${more === 1 ? "line" : "lines"}` }
      : ghost,
  );
}

function cut(line: string): string {
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

/** The words above a hunk. */
export function hunkTitle(hunk: FileHunk, hunks: readonly FileHunk[]): string {
  const here = hunks.filter(({ uri }) => uri === hunk.uri);
  const of = `change ${here.indexOf(hunk) + 1} of ${here.length}`;
  const kept = hunk.proposal?.kept;
  const state =
    hunk.proposal === undefined
      ? "made by Plimsoll"
      : kept === undefined
        ? "proposed, not in the file yet"
        : kept
          ? "will be made"
          : "rejected";
  return `${of}: ${state}, ${countsText(hunk)}`;
}

/** How a person is asked whether some hunks go all together: proposed ones, made ones, or both. */
export interface DiscardWords {
  /** What is done, for a lens. */
  readonly verb: string;
  readonly question: string;
  readonly detail: string;
  /** The button that does it. */
  readonly action: string;
}

const OWN_STAYS = "What you have edited yourself stays.";

/** Of a change that is proposed nothing is there that could be undone: it is rejected. */
export function discardWords(hunks: readonly FileHunk[]): DiscardWords {
  const proposed = hunks.filter(({ proposal }) => proposal !== undefined).length;
  const made = hunks.length - proposed;
  const files = plural(new Set(hunks.map(({ uri }) => uri)).size, "file");
  if (made === 0) {
    const question = `Reject ${plural(proposed, "change")} in ${files}?`;
    const detail = "Nothing is changed yet: the files stay as they are.";
    return { verb: "Reject", question, detail, action: "Reject All" };
  }
  if (proposed === 0) {
    const question = `Undo ${plural(made, "change")} in ${files}?`;
    return { verb: "Undo", question, detail: OWN_STAYS, action: "Undo All" };
  }
  const both = `Reject ${plural(proposed, "proposed change")} and undo ${made} made by Plimsoll`;
  const question = `${both}, in ${files}?`;
  return { verb: "Reject or undo", question, detail: OWN_STAYS, action: "Reject and Undo" };
}
