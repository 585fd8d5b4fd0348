interface Hunk {
  /** The first line that the hunk replaces, from 0. */
  readonly start: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;

/** Applies a unified diff to a text; undefined when the text is not the one that it was made from. */
export function applyUnifiedDiff(before: string, diff: string): string | undefined {
  const lines = before.split("\n");
  let shift = 0;
  for (const { start, removed, added } of hunks(diff)) {
    const at = start + shift;
    if (removed.some((line, index) => lines[at + index] !== line)) {
      return undefined;
    }
    lines.splice(at, removed.length, ...added);
    shift += added.length - removed.length;
  }
  return lines.join("\n");
}

function hunks(diff: string): Hunk[] {
  const found: { start: number; removed: string[]; added: string[] }[] = [];
  for (const line of diff.split("\n")) {
    const header = HEADER.exec(line);
    const hunk = found.at(-1);
    if (header) {
      const empty = header[2] === "0";
      found.push({ start: Number(header[1]) - (empty ? 0 : 1), removed: [], added: [] });
    } else if (hunk !== undefined) {
      take(hunk, line);
    }
  }
  return found;
}

function take(hunk: { removed: string[]; added: string[] }, line: string): void {
  const text = line.slice(1);
  if (line.startsWith(" ") || line.startsWith("-")) {
    hunk.removed.push(text);
  }
  if (line.startsWith(" ") || line.startsWith("+")) {
    hunk.added.push(text);
  }
}

/** Takes a unified diff back; undefined when its result does not stand in the text any more. */
export function revertUnifiedDiff(after: string, diff: string): string | undefined {
  return applyUnifiedDiff(after, reversed(diff));
}

const SIGN_REVERSED: Readonly<Record<string, string>> = { "+": "-", "-": "+" };

function reversed(diff: string): string {
  const { lines, first } = split(diff);
  return lines
    .slice(first)
    .map((line) =>
      line.startsWith("@@")
        ? line.replace(/^@@ -(\S+) \+(\S+) @@/, "@@ -$2 +$1 @@")
        : (SIGN_REVERSED[line.slice(0, 1)] ?? line.slice(0, 1)) + line.slice(1),
    )
    .join("\n");
}

/** A diff that makes a file where there was none. */
export function createsFile(diff: string): boolean {
  return /^@@ -0,0 /m.test(diff);
}

export interface DiffRow {
  readonly kind: string;
  readonly line: string;
}

const ROW_KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "hunk" };

/** The kind of each line; before the hunks of a file stands its head, whose `---` removes nothing. */
export function diffRows(diff: string): DiffRow[] {
  const { lines, first: found } = split(diff);
  const first = found < 0 ? lines.length : found;
  return lines.map((line, index) => ({
    line,
    kind:
      index < first || isHead(lines, index) || isHead(lines, index - 1)
        ? "head"
        : (ROW_KINDS[line.slice(0, 1)] ?? "same"),
  }));
}

/** Two lines before a hunk name the next file of a diff of several. */
function isHead(lines: readonly string[], index: number): boolean {
  const [before = "", after = "", hunk = ""] = lines.slice(Math.max(index, 0), index + 3);
  return before.startsWith("--- ") && after.startsWith("+++ ") && hunk.startsWith("@@");
}

/** The diff of each file of a diff of several, in their order. */
export function fileDiffs(diff: string): string[] {
  const lines = diff.split("\n");
  const heads = lines.flatMap((_, index) => (isHead(lines, index) ? [index] : []));
  return heads.length < 2
    ? [diff]
    : heads.map((head, number) => lines.slice(head, heads[number + 1]).join("\n"));
}

/** The name by which a diff calls the file as it is after it. */
export function namedFile(diff: string): string | undefined {
  return /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1];
}

function split(diff: string): { lines: string[]; first: number } {
  const lines = diff.replace(/\n$/, "").split("\n");
  return { lines, first: lines.findIndex((line) => line.startsWith("@@")) };
}

/** How many lines a change adds and removes. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

export function lineCounts(diff: string): LineCounts {
  const kinds = diffRows(diff).map(({ kind }) => kind);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  return { added: count("added"), removed: count("removed") };
}

/** `+3 −0`. */
export function lineCountsText({ added, removed }: LineCounts): string {
  return `+${added} −${removed}`;
}
