import { describe, expect, it } from "vitest";
import { loadLine } from "../../src/context/loadLine";
import { meter } from "../values";

describe("the load line", () => {
  it.each([
    ["ok", 49.375, "$(plimsoll-mark) 49% · 55k", "none"],
    ["warning", 81.2, "$(plimsoll-mark) 81% · 55k", "warning"],
    ["compact", 87, "$(plimsoll-mark) 87% · 55k · compact", "error"],
    ["blocking", 98, "$(plimsoll-mark) 98% · 55k · full", "error"],
    ["infeasible", 130, "$(plimsoll-mark) 130% · 55k · does not fit", "error"],
    ["ofALaterVersion", 10, "$(plimsoll-mark) 10% · 55k", "none"],
  ])("in zone %s", (zone, percent, text, alarm) => {
    expect(loadLine(meter({ zone, percent }), { inMemory: false })).toMatchObject({ text, alarm });
  });

  it("says more than a colour", () => {
    const { label } = loadLine(meter({ zone: "blocking", percent: 98 }), { inMemory: false });
    expect(label).toBe(
      "Plimsoll load line: 98 percent, 55,300 of 112,000 tokens, above the stop mark",
    );
  });

  it("says that the conversation is in memory alone, in words and to a screen reader", () => {
    const { text, label, tooltip } = loadLine(meter({ zone: "ok", percent: 49 }), {
      inMemory: true,
    });
    expect(text).toBe("$(plimsoll-mark) 49% · 55k · in memory");
    for (const said of [label, tooltip]) {
      expect(said).toContain("it ends with the server or the window");
    }
  });

  it("lists the parts that weigh something, and how exact the count is", () => {
    const parts = [
      { kind: "system", tokens: 3100 },
      { kind: "pins", tokens: 0 },
      { kind: "somethingNew", tokens: 7 },
    ];
    const { tooltip } = loadLine(
      meter({ parts, basis: "estimated", marginTokens: 553, turnsLeft: 14, percent: 50 }),
      { inMemory: false },
    );
    expect(tooltip).toContain("55.3k of 112k · estimated ±1.0 %");
    expect(tooltip).toContain("| Always sent | &nbsp;&nbsp;3.1k |");
    expect(tooltip).not.toContain("Pins");
    expect(tooltip).toContain("about 14 turns left");
  });

  it("says what was spent, and how the limits stand", () => {
    const limit = { scope: "session", unit: "money", most: 5, spent: 0.42 };
    const limits = [{ ...limit, setting: "session.spend_limit_money" }];
    const spending = { input: 41_200, cached: 30_000, output: 2_100, money: 0.42, limits };
    const { tooltip } = loadLine(meter(), { inMemory: false, spending });
    expect(tooltip).toContain(
      "Spent: 41.2k tokens in, 30k of them from the cache, 2.1k out · about $0.42",
    );
    expect(tooltip).toContain(
      "Limit of the session: $0.42 of $5.00 spent [Raise Spend Limit…](command:plimsoll.raiseSpendLimit)",
    );
    const nothing = { input: 0, cached: 0, output: 0, money: 0, limits: [] };
    expect(loadLine(meter(), { inMemory: false, spending: nothing }).tooltip).not.toContain(
      "Spent",
    );
  });
});
