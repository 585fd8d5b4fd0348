import { expect, it } from "vitest";
import {
  costText,
  limitChoices,
  limitText,
  spentTokensText,
  wrongLimit,
} from "../../src/context/spending";

const SPENT = { input: 41_200, cached: 30_000, output: 2_100, limits: [] };
const LIMIT = { scope: "session", unit: "money", most: 5, setting: "session.spend_limit_money" };

it.each([
  [0.42, "about $0.42"],
  [0.004, "less than $0.01"],
  [0, "costs nothing"],
  [undefined, "cost not known: no prices for this model"],
])("says what %s dollars are", (money, text) => {
  expect(costText({ ...SPENT, ...(money === undefined ? {} : { money }) })).toBe(text);
});

it("says what was sent, and how much of it came from the cache", () => {
  expect(spentTokensText(SPENT)).toBe("41.2k tokens in, 30k of them from the cache, 2.1k out");
  expect(spentTokensText({ ...SPENT, cached: 0 })).toBe("41.2k tokens in, 2.1k out");
});

it.each([
  [{ spent: 1.2 }, "Limit of the session: $1.20 of $5.00 spent"],
  [{}, "Limit of the session: $5.00, without effect: the prices are not known"],
  [
    { scope: "turn", unit: "tokens", most: 90_000, spent: 14_130 },
    "Limit of a turn: 14,130 of 90,000 tokens spent",
  ],
  [{ most: 0 }, "Limit of the session in US dollars: none"],
])("says how a limit stands: %o", (fields, text) => {
  expect(limitText({ ...LIMIT, ...fields })).toBe(text);
});

it("offers every limit, those that are set as they stand", () => {
  const choices = limitChoices([{ ...LIMIT, spent: 1 }]);
  expect(choices.map(({ setting, most }) => [setting, most])).toEqual([
    ["session.spend_limit_money", 5],
    ["session.spend_limit_tokens", 0],
    ["turn.spend_limit_money", 0],
    ["turn.spend_limit_tokens", 0],
  ]);
});

it.each([
  ["money", "7.50", undefined],
  ["money", "five", "An amount in US dollars, such as 5 or 2.50."],
  ["money", " ", "An amount in US dollars, such as 5 or 2.50."],
  ["money", "5", "More than $5.00."],
  ["tokens", "9.5", "A number of tokens."],
  ["tokens", "100", undefined],
])("takes a new limit that is higher and in its unit: %s %s", (unit, text, wrong) => {
  expect(wrongLimit({ ...LIMIT, unit, spent: 2 }, text)).toBe(wrong);
});
