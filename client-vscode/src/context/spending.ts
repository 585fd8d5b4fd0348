import type { Spending, SpendLimit } from "../protocol";
import { exactTokens, formatTokens } from "../text/format";

/** The command that raises a limit: the only one that the report and the tooltip may run. */
export const RAISE_LIMIT = "plimsoll.raiseSpendLimit";

/** `about $0.42`: by the vendor's prices, so never to the last cent. */
export function moneyText(dollars: number): string {
  if (dollars === 0) {
    return "nothing";
  }
  return dollars < 0.01 ? "less than $0.01" : `about $${dollars.toFixed(2)}`;
}

/** `41.2k tokens in, 30k of them from the cache, 2.1k out`. */
export function spentTokensText({ input, cached, output }: Spending): string {
  const held = cached > 0 ? `, ${formatTokens(cached)} of them from the cache` : "";
  return `${formatTokens(input)} tokens in${held}, ${formatTokens(output)} out`;
}

/** What a session has cost in money, or that nobody knows. */
export function costText({ money }: Spending): string {
  if (money === undefined) {
    return "cost not known: no prices for this model";
  }
  return money === 0 ? "costs nothing" : moneyText(money);
}

/** An amount under a limit, in its unit. */
export function amountText(amount: number, unit: string): string {
  const value = amountValue(amount, unit);
  return unit === "money" ? value : `${value} tokens`;
}

function amountValue(amount: number, unit: string): string {
  return unit === "money" ? `$${amount.toFixed(2)}` : exactTokens(amount);
}

/** `Limit of the session: $1.20 of $5.00 spent`. */
export function limitText({ scope, unit, most, spent }: SpendLimit): string {
  const of = scope === "turn" ? "a turn" : "the session";
  if (most === 0) {
    return `Limit of ${of} in ${unit === "money" ? "US dollars" : "tokens"}: none`;
  }
  return spent === undefined
    ? `Limit of ${of}: ${amountText(most, unit)}, without effect: the prices are not known`
    : `Limit of ${of}: ${amountValue(spent, unit)} of ${amountText(most, unit)} spent`;
}

const KINDS = [
  { scope: "session", unit: "money", setting: "session.spend_limit_money" },
  { scope: "session", unit: "tokens", setting: "session.spend_limit_tokens" },
  { scope: "turn", unit: "money", setting: "turn.spend_limit_money" },
  { scope: "turn", unit: "tokens", setting: "turn.spend_limit_tokens" },
] as const;

/** Every limit that there can be: those that are set as they stand, the others with nothing. */
export function limitChoices(set: readonly SpendLimit[]): SpendLimit[] {
  return KINDS.map(
    (kind) => set.find(({ setting }) => setting === kind.setting) ?? { ...kind, most: 0, spent: 0 },
  );
}

/** Why a text is no new limit; nothing where it is one. */
export function wrongLimit(
  { unit, spent = 0, most }: SpendLimit,
  text: string,
): string | undefined {
  const amount = Number(text);
  const whole = unit === "money" || Number.isInteger(amount);
  if (text.trim() === "" || !Number.isFinite(amount) || !whole) {
    return unit === "money" ? "An amount in US dollars, such as 5 or 2.50." : "A number of tokens.";
  }
  return amount > Math.max(spent, most)
    ? undefined
    : `More than ${amountText(Math.max(spent, most), unit)}.`;
}
