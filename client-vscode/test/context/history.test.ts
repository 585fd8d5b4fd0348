import { describe, expect, it } from "vitest";
import { missRows, pointsOf, pointText, reductionText } from "../../src/context/history";
import { receipt } from "../values";
import { past, report } from "./reportValues";

describe("the history of a session", () => {
  it("has a point for each request and for the next one, each with what was reduced before it", () => {
    const points = pointsOf(report()).map(({ tokens, turn, reductions }) => ({
      tokens,
      turn,
      reductions: reductions.map(({ id }) => id),
    }));
    expect(points).toEqual([
      { tokens: 93_400, turn: 1, reductions: [] },
      { tokens: 55_000, turn: 2, reductions: ["e1"] },
      { tokens: 55_300, turn: 0, reductions: ["e2"] },
    ]);
  });

  it("marks nothing that was cut as it arrived, and nothing older than the newest requests", () => {
    const receipts = [
      receipt({ id: "e3", stage: "truncate", at: "2026-11-21T10:03:00Z" }),
      receipt({ id: "e4", at: "2026-11-21T09:00:00Z" }),
    ];
    expect(pointsOf(report({ receipts })).at(-1)?.reductions).toEqual([]);
  });

  it("is one point with an older server, which tells no history", () => {
    const { history: _none, ...older } = report();
    expect(pointsOf(older)).toHaveLength(1);
  });

  it("says what a point and a reduction are", () => {
    const [first, second, next] = pointsOf(report());
    expect(first && pointText(first)).toBe("Turn 1: 93,400 tokens, 90,000 from the cache");
    expect(next && pointText(next)).toBe("The next request: 55,300 tokens");
    expect(second?.reductions.map(reductionText)).toEqual([
      "Removed 1 old result, 38.4k tokens freed. Why: at the warning mark",
    ]);
  });

  it.each([
    ["first", {}, "the first request: nothing of it was in the cache", "not known"],
    ["model", { money: 0 }, "another model: its cache held nothing of the session", "nothing"],
    [
      "expired",
      { money: 0.001 },
      "it had expired: the request before was too long ago",
      "less than $0.01",
    ],
    [
      "rewritten",
      {},
      "the text before was changed: the conversation went back to an earlier message",
      "not known",
    ],
    [
      "unknown",
      { money: 1.5 },
      "the provider did not have it any more, for a reason that it does not tell",
      "about $1.50",
    ],
    ["ofALaterVersion", {}, "ofALaterVersion", "not known"],
  ])("says why text was sent anew: %s", (cause, more, why, cost) => {
    const history = [past(3, 9_000, { miss: { cause, tokens: 8_000, ...more } })];
    const [row] = missRows(report({ history }));
    expect(row?.toSpliced(1, 1)).toEqual(["3", why, "8,000", cost]);
  });
});
