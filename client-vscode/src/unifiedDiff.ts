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
