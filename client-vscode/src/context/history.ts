import type { CacheMiss, ContextReport, PastRequest, Receipt } from "../protocol";
import { QUIET_STAGES, receiptText } from "../session/labels/receipts";
import { exactTokens, formatTime } from "../text/format";
import { lookup } from "../text/lookup";
import { moneyText } from "./spending";

/** One point of the curve: a request that was made, or the next one. */
export interface Point {
  readonly tokens: number;
  /** The turn; 0 for the next request. */
  readonly turn: number;
  readonly request?: PastRequest;
  /** What was reduced since the point before. */
  readonly reductions: readonly Receipt[];
}

/** The requests so far and the next one, each with the reductions before it. */
export function pointsOf(report: ContextReport): Point[] {
  const history = report.history ?? [];
  const byId = new Map(report.receipts.map((receipt) => [receipt.id, receipt]));
  const points = history.map((request) => ({
    tokens: request.tokens,
    turn: request.turn,
    request,
    reductions: (request.reductions ?? []).flatMap((id) => byId.get(id) ?? []),
  }));
  const last = Date.parse(history.at(-1)?.at ?? "");
  const known = new Set(history.flatMap(({ reductions }) => reductions ?? []));
  const since = report.receipts.filter(
    ({ id, at, stage }) => !known.has(id) && !QUIET_STAGES.has(stage) && Date.parse(at) >= last,
  );
  return [...points, { tokens: report.meter.used, turn: 0, reductions: since }];
}

/** What was asked at a point, in words. */
export function pointText({ tokens, turn, request }: Point): string {
  const cached = request?.cachedTokens
    ? `, ${exactTokens(request.cachedTokens)} from the cache`
    : "";
  const what = turn === 0 ? "The next request" : `Turn ${turn}`;
  return `${what}: ${exactTokens(tokens)} tokens${cached}`;
}

/** What a reduction did, and why. */
export function reductionText(receipt: Receipt): string {
  return `${receiptText(receipt)} Why: ${receipt.why}`;
}

type CauseText = (miss: CacheMiss, receipts: readonly Receipt[]) => string;

const CAUSES: Readonly<Record<string, CauseText>> = lookup({
  first: () => "the first request: nothing of it was in the cache",
  model: () => "another model: its cache held nothing of the session",
  expired: () => "it had expired: the request before was too long ago",
  rewritten: (miss, receipts) => `the text before was changed: ${rewriters(miss, receipts)}`,
  unknown: () => "the provider did not have it any more, for a reason that it does not tell",
});

function rewriters({ editIds = [] }: CacheMiss, receipts: readonly Receipt[]): string {
  const found = receipts.filter(({ id }) => editIds.includes(id)).map(receiptText);
  return found.length > 0 ? found.join(" ") : "the conversation went back to an earlier message";
}

/** Why tokens were sent anew; a cause that this client does not know keeps its name. */
export function causeText(miss: CacheMiss, receipts: readonly Receipt[]): string {
  return CAUSES[miss.cause]?.(miss, receipts) ?? miss.cause;
}

/** What the cache might have held and did not: one row for each request that missed. */
export function missRows({ history = [], receipts }: ContextReport): string[][] {
  return history.flatMap(({ turn, at, miss }) =>
    miss === undefined
      ? []
      : [
          [
            String(turn),
            formatTime(at),
            causeText(miss, receipts),
            exactTokens(miss.tokens),
            miss.money === undefined ? "not known" : moneyText(miss.money),
          ],
        ],
  );
}
