import type { Advice, ContextReport, Meter } from "../../protocol";
import { pendingText } from "../../session/labels/receipts";
import { formatTokens, turnsLeftText } from "../../text/format";
import { fileTokensOf } from "../../text/kinds";
import { ACTION_METHODS, type HoldOptions, type HoldRow, rowsOf } from "./rows";
import { groupUnderSummaries } from "./summaries";

/** Everything that the context view shows. */
export interface Hold {
  readonly meter: Meter;
  /** Of the results of tools, the tokens that are text of files. */
  readonly fileTokens: number;
  readonly rows: readonly HoldRow[];
  /** `92 % cached`; empty when the provider said nothing. */
  readonly cache: string;
  readonly advice: readonly HoldAdvice[];
  /** What will leave before the next request is sent; the rows show it as done. */
  readonly pending: readonly string[];
}

/** Something that would free tokens. */
export interface HoldAdvice {
  readonly code: string;
  readonly message: string;
  readonly saves: number;
  /** The items that would be removed; none: the conversation is compacted. */
  readonly itemIds: readonly string[];
  /** The server can do it when it is pressed. */
  readonly can: boolean;
}

export function buildHold(report: ContextReport, options: HoldOptions): Hold {
  const rate = report.cache.hitRate;
  const items = report.items ?? [];
  const rows = groupUnderSummaries(rowsOf(items, options), report.receipts);
  return {
    meter: report.meter,
    fileTokens: fileTokensOf(items),
    rows,
    cache: rate === undefined ? "" : `${Math.round(100 * rate)} % cached`,
    advice: report.advice.map((one) => adviceOf(one, options.served)),
    pending: report.pending.map(pendingText),
  };
}

/** The advice that is taken by compacting. */
export const COMPACT_ADVICE = "context.full";

function adviceOf(advice: Advice, served: readonly string[]): HoldAdvice {
  const { code, message, saves, itemIds = [] } = advice;
  const can = itemIds.length > 0 ? served.includes(ACTION_METHODS.evict) : code === COMPACT_ADVICE;
  return { code, message, saves, itemIds, can };
}

/** `55.3k of 112k`, beside the view's title. */
export function loadText({ used, effective }: Meter): string {
  return `${formatTokens(used)} of ${formatTokens(effective)}`;
}

/** `about 14 turns left`, or that nothing more fits. */
export function remainingText({ percent, turnsLeft, zone }: Meter): string {
  if (zone === "infeasible") {
    return "the next request does not fit";
  }
  return typeof turnsLeft === "number" ? turnsLeftText(turnsLeft, percent) : "";
}
