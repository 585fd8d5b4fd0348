import type { Receipt } from "../../protocol";
import { exactTokens, formatTokens, plural } from "../../text/format";
import { lookup } from "../../text/lookup";

/** What a stage does, as something that happened and as something that could, and to what. */
interface StageWords {
  readonly done: string;
  readonly could: string;
  what(count: number): string;
}

const items = (count: number) => plural(count, "item");

const STAGE_WORDS: Readonly<Record<string, StageWords>> = lookup({
  truncate: { done: "shortened", could: "shorten", what: (n) => plural(n, "long output") },
  refer: { done: "left out", could: "leave out", what: (n) => plural(n, "repeated result") },
  dedup: { done: "removed", could: "remove", what: (n) => plural(n, "outdated result") },
  prune: { done: "removed", could: "remove", what: (n) => plural(n, "old result") },
  digest: { done: "summarised", could: "summarise", what: items },
  compact: { done: "summarised", could: "summarise", what: items },
  trim: { done: "removed", could: "remove", what: (n) => plural(n, "oldest item") },
  evict: { done: "removed", could: "remove", what: items },
  restore: { done: "brought back", could: "bring back", what: items },
});

const UNKNOWN_STAGE: StageWords = { done: "changed", could: "change", what: items };

const wordsOf = ({ stage }: Receipt) => STAGE_WORDS[stage] ?? UNKNOWN_STAGE;

/** Stages that put a summary in the place of what was said. */
export const COMPACTIONS: ReadonlySet<string> = new Set(["digest", "compact"]);

/** Stages whose work the tool card itself tells: no line of their own in the chat. */
export const QUIET_STAGES: ReadonlySet<string> = new Set(["truncate", "refer"]);

/** A receipt in one or two sentences. */
export function receiptText(receipt: Receipt): string {
  if (receipt.infeasible) {
    return `Cannot fit: ${exactTokens(receipt.infeasible.needsTokens)} tokens more are needed.`;
  }
  if (receipt.undone) {
    const back = receipt.stage === "restore" ? "out again" : "back";
    const { length } = receipt.items;
    return `Undone: ${wordsOf(receipt).what(length)} ${length === 1 ? "is" : "are"} ${back}.`;
  }
  const open = STATUS_TEXTS[receipt.status];
  return open === undefined ? completed(receipt) : open(receipt);
}

const STATUS_TEXTS: Readonly<Record<string, (receipt: Receipt) => string>> = {
  planned: (receipt) => {
    const { could, what } = wordsOf(receipt);
    const how = COMPACTIONS.has(receipt.stage) ? "A compaction would" : "Would";
    return `${how} ${could} ${what(receipt.items.length)} and free ${formatTokens(freed(receipt))} tokens.`;
  },
  inProgress: () => "Making room…",
  failed: (receipt) => `No room could be made: ${receipt.why}`,
  cancelled: () => "Compaction cancelled: nothing was changed.",
};

/** What the next request brings, for the context view, which shows it already. */
export function pendingText(receipt: Receipt): string {
  return receipt.infeasible
    ? receiptText(receipt)
    : `Next request: ${whatWasDone(receipt)}, ${formatTokens(freed(receipt))} tokens freed.`;
}

function freed(receipt: Receipt): number {
  return receipt.tokensBefore - receipt.tokensAfter;
}

/** `6 old results removed`. */
function whatWasDone(receipt: Receipt): string {
  const { done, what } = wordsOf(receipt);
  return `${what(receipt.items.length)} ${done}`;
}

/** `Removed 6 old results, 38.4k tokens freed.` */
function completed(receipt: Receipt): string {
  const { done, what } = wordsOf(receipt);
  const difference = freed(receipt);
  const did = `${done.slice(0, 1).toUpperCase()}${done.slice(1)} ${what(receipt.items.length)}`;
  return receipt.stage === "restore" || difference < 0
    ? `${did}, ${formatTokens(Math.abs(difference))} tokens more.`
    : `${did}, ${formatTokens(difference)} tokens freed.${losses(receipt)}`;
}

/** The instructions and tasks that left, by number; pins are never among them. */
function losses(receipt: Receipt): string {
  const { constraints, tasks, constraintsTotal = constraints.length } = receipt.lost;
  const gone = [
    constraintsTotal > 0 ? plural(constraintsTotal, "instruction") : "",
    tasks.length > 0 ? plural(tasks.length, "task") : "",
  ].filter((text) => text !== "");
  return gone.length > 0 ? ` No longer in the context: ${gone.join(", ")}.` : "";
}
