/** Lines that stand together and were changed together; line numbers from 0. */
interface ChangedRun {
  readonly oldStart: number;
  readonly removed: number;
  readonly newStart: number;
  readonly added: number;
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The first line of each change that diffs made one after the other, from 0, as the text is now. */
export function changedLines(diffs: readonly string[]): number[] {
  const changes = diffs.map(runsOf);
  const lines = changes.flatMap((runs, index) =>
    runs.map(({ newStart }) => changes.slice(index + 1).reduce(moved, newStart)),
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** Where a line stands after one more diff. */
function moved(line: number, runs: readonly ChangedRun[]): number {
  const before = runs.filter(({ oldStart }) => oldStart <= line).at(-1);
  if (before === undefined) {
    return line;
  }
  const end = before.oldStart + before.removed;
  return line < end ? before.newStart : before.newStart + before.added + (line - end);
}

function runsOf(diff: string): ChangedRun[] {
  const runs: ChangedRun[] = [];
  let [old, now] = [-1, -1];
  for (const line of diff.split("\n")) {
    const header = HEADER.exec(line);
    if (header) {
      old = firstLine(header[1], header[2]);
      now = firstLine(header[3], header[4]);
    } else if (old >= 0 && line !== "" && "-+ ".includes(line.charAt(0))) {
      const removed = line.startsWith("-") ? 1 : 0;
      const added = line.startsWith("+") ? 1 : 0;
      if (removed + added > 0) {
        extend(runs, { oldStart: old, removed, newStart: now, added });
      }
      old += 1 - added;
      now += 1 - removed;
    }
  }
  return runs;
}

/** From 0; a range without lines names the line before it. */
function firstLine(start: string | undefined, count: string | undefined): number {
  return Number(start) - (count === "0" ? 0 : 1);
}

function extend(runs: ChangedRun[], next: ChangedRun): void {
  const last = runs.at(-1);
  const joins =
    last?.oldStart !== undefined &&
    last.oldStart + last.removed === next.oldStart &&
    last.newStart + last.added === next.newStart;
  if (last && joins) {
    runs[runs.length - 1] = {
      ...last,
      removed: last.removed + next.removed,
      added: last.added + next.added,
    };
  } else {
    runs.push(next);
  }
}
