import type { ContextReport, PastRequest } from "../../src/protocol";
import { meter, receipt } from "../values";

/** A request of a history. */
export function past(turn: number, tokens: number, fields: Partial<PastRequest> = {}): PastRequest {
  const at = `2026-11-21T10:0${turn}:00Z`;
  return { turn, at, model: "openai/gpt-4o", tokens, ...fields };
}

/** A report with two requests, a reduction between them, one after them, and one miss. */
export function report(fields: Partial<ContextReport> = {}): ContextReport {
  return {
    meter: meter(),
    pending: [],
    items: [],
    files: [],
    systemSections: [],
    tools: [{ name: "shell", tokens: 900 }],
    receipts: [
      receipt({ id: "e1", at: "2026-11-21T10:01:30Z" }),
      receipt({ id: "e2", at: "2026-11-21T10:03:00Z" }),
    ],
    cache: { stablePrefix: 8000, cachedTokens: 50_000, hitRate: 0.92 },
    advice: [],
    history: [
      past(1, 93_400, { cachedTokens: 90_000, outputTokens: 12 }),
      past(2, 55_000, {
        reductions: ["e1"],
        miss: { cause: "rewritten", tokens: 40_000, editIds: ["e1"], money: 0.09 },
      }),
    ],
    spending: { input: 148_400, cached: 90_000, output: 512, money: 0.42, limits: [] },
    ...fields,
  };
}
