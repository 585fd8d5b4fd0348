import type { Receipt } from "../../protocol";
import { plural } from "../../text/format";
import { rangeText } from "../../text/lineRange";
import type { HoldRow } from "./rows";

/**
 * What was summarised is told by its summary, which has the id of its receipt. An older summary is
 * part of the newest one, and so is what it stood for.
 */
export function groupUnderSummaries(
  rows: readonly HoldRow[],
  receipts: readonly Receipt[],
): HoldRow[] {
  const summaries = rows.filter(({ kind }) => kind === "summary");
  const newest = summaries.at(-1);
  if (newest === undefined) {
    return [...rows];
  }
  const isSummarised = (row: HoldRow) => row.tokens === 0 && row.form === "summarised";
  const owner = owners(summaries, receipts);
  // One pass: a long session has thousands of them.
  const folded = new Map<string, HoldRow[]>(rows.map(({ id }) => [id, []]));
  for (const row of rows.filter(isSummarised)) {
    folded.get(owner.get(row.id) ?? newest.id)?.push(row);
  }
  return rows
    .filter((row) => !isSummarised(row))
    .map((row) => withFolded(row, folded.get(row.id) ?? []));
}

/** The summary that each item went into, by the ids of the items. */
function owners(summaries: readonly HoldRow[], receipts: readonly Receipt[]): Map<string, string> {
  const ids = new Set(summaries.map(({ id }) => id));
  const theirs = receipts.filter(({ id }) => ids.has(id));
  return new Map(theirs.flatMap(({ id, items }) => items.map((item) => [item.id, id] as const)));
}

function withFolded(row: HoldRow, folded: readonly HoldRow[]): HoldRow {
  return folded.length === 0
    ? row
    : { ...row, folded, title: turnsTitle(row, folded), state: plural(folded.length, "item") };
}

/** `Turns 1-4`, which the summary stands for. */
function turnsTitle({ title }: HoldRow, folded: readonly HoldRow[]): string {
  const turns = folded.map(({ turn }) => turn).filter((turn) => turn > 0);
  const [first, last] = [Math.min(...turns), Math.max(...turns)];
  if (turns.length === 0) {
    return title;
  }
  return `${first === last ? "Turn" : "Turns"} ${rangeText(first, last)}`;
}
