import type { Receipt } from "../../protocol";
import { QUIET_STAGES, receiptText } from "../../session/labels/receipts";
import { exactTokens, formatTime } from "../../text/format";
import { h } from "../dom";
import { revealHidden } from "../hiddenCharacters";

/** More receipts, and more items of one, than anybody reads here; the report has all of them. */
const SHOWN_RECEIPTS = 60;
const SHOWN_ITEMS = 30;

/** The reductions of the session, the newest first: what left, why, and the way back. */
export function receiptList(receipts: readonly Receipt[]): HTMLElement {
  const told = receipts
    .filter(({ stage }) => !QUIET_STAGES.has(stage))
    .toSorted((a, b) => b.at.localeCompare(a.at));
  const more = told.length - SHOWN_RECEIPTS;
  return h(
    "div",
    { class: "receipts" },
    h("h2", {}, "What left, and came back"),
    ...(told.length === 0
      ? [h("p", { class: "none" }, "Nothing has left this conversation yet.")]
      : []),
    ...told.slice(0, SHOWN_RECEIPTS).map(receiptCard),
    more > 0 && h("p", { class: "none" }, `${more} older ones in the context report`),
  );
}

function receiptCard(receipt: Receipt): HTMLElement {
  const { id, at, undone, status } = receipt;
  return h(
    "article",
    { class: "receipt", "data-key": id, "data-edit": id, "data-undone": undone },
    h("div", { class: "receipt-text" }, ...revealHidden(receiptText(receipt))),
    h(
      "div",
      { class: "receipt-foot" },
      h("time", { datetime: at }, formatTime(at)),
      status === "completed" &&
        !undone &&
        h("button", { type: "button", class: "link", "data-undo": id }, "Undo"),
    ),
    h(
      "details",
      {},
      h("summary", {}, "Details"),
      h("p", {}, "Why: ", ...revealHidden(receipt.why)),
      h(
        "p",
        {},
        `Tokens: ${exactTokens(receipt.tokensBefore)} → ${exactTokens(receipt.tokensAfter)}`,
      ),
      ...listed(receipt.items, itemLine),
      ...listed(receipt.lost.constraints, (text) => h("li", {}, ...revealHidden(text))),
    ),
  );
}

function itemLine({ title, tokens, where }: Receipt["items"][number]): HTMLElement {
  return h(
    "li",
    {},
    ...revealHidden(title),
    h("span", { class: "where" }, ` · ${exactTokens(tokens)} · `, ...revealHidden(where)),
  );
}

/** The lines of a list; only those that are shown are made. */
function listed<T>(values: readonly T[], line: (value: T) => HTMLElement): HTMLElement[] {
  const more = values.length - SHOWN_ITEMS;
  const rest = more > 0 ? [h("li", { class: "where" }, `and ${more} more`)] : [];
  return values.length === 0
    ? []
    : [h("ul", {}, ...values.slice(0, SHOWN_ITEMS).map(line), ...rest)];
}
