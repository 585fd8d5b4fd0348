import { type Hold, remainingText } from "../../context/hold/hold";
import type { FromHoldPage, ToHoldPage } from "../../context/hold/messages";
import { type HoldRow, type ItemAction, type RowOrder, sortRows } from "../../context/hold/rows";
import type { ServerAction, ServerRow } from "../../mcp/model";
import { exactTokens, formatTokens, plural } from "../../text/format";
import { KIND_GROUPS } from "../../text/kinds";
import { h, landmark, morph } from "../dom";
import type { Host } from "../host";
import { loadBar } from "../loadBar";
import { folded } from "./foldedRows";
import { serverViews, wantsMore } from "./servers";

export interface HoldPageState {
  readonly order: RowOrder;
}

/** More rows than anybody scrolls through; the report lists all of them. */
const SHOWN_ROWS = 300;

/** The context view: the bar, what it promises, and every item with what can be done about it. */
export class HoldPage {
  private hold: Hold | undefined;
  private servers: readonly ServerRow[] = [];
  private order: RowOrder;
  /** The summaries whose items are shown. */
  private readonly open = new Set<string>();
  private readonly view = h("div", { class: "hold" });

  constructor(
    private readonly host: Host<ToHoldPage, FromHoldPage, HoldPageState>,
    root: HTMLElement,
  ) {
    this.order = host.getState()?.order ?? "biggest";
    root.append(landmark("Context", this.view));
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("keydown", (event) => this.keydown(event));
    host.onMessage(({ hold, servers }) => {
      const before = this.servers;
      this.hold = hold;
      this.servers = servers;
      this.draw();
      if (wantsMore(servers, before)) {
        this.view.querySelector("details.servers")?.setAttribute("open", "");
      }
    });
    host.post({ type: "ready" });
  }

  private draw(): void {
    // Somebody who writes elsewhere meanwhile is not called back.
    const focused = document.hasFocus() ? document.activeElement : null;
    const row = focused?.closest<HTMLElement>("li[data-id]")?.dataset.id;
    morph(
      this.view,
      h("div", { class: "hold" }, ...(this.hold ? this.views(this.hold) : [nothing()])),
    );
    if (row !== undefined && !this.view.contains(document.activeElement)) {
      this.focusRow(row);
    }
  }

  /** The button that was pressed may be gone with what it did: its row has the one that undoes it. */
  private focusRow(id: string): void {
    const rows = [...this.view.querySelectorAll<HTMLElement>("li[data-id]")];
    const row = rows.find(({ dataset }) => dataset.id === id) ?? rows[0];
    (row?.querySelector<HTMLElement>("[data-act]") ?? row?.querySelector("button"))?.focus();
  }

  private views(hold: Hold): Node[] {
    const lines = sortRows(folded(hold.rows, hold.meter.used), this.order).flatMap((row) =>
      this.withFolded(row),
    );
    const more = lines.length - SHOWN_ROWS;
    return [
      h(
        "div",
        { class: "head" },
        loadBar(hold.meter, hold.fileTokens),
        h(
          "div",
          { class: "caption" },
          h("span", { class: "remaining" }, remainingText(hold.meter)),
          h("span", { class: "cache" }, hold.cache),
          ...this.orderViews(hold.rows.length),
        ),
      ),
      ...hold.pending.map((text) => h("div", { class: "pending", title: text }, text)),
      ...adviceView(hold.advice),
      ...serverViews(this.servers),
      h(
        "ul",
        { class: "items", "aria-label": "Items in context" },
        // Made for those alone that are shown: a session may have thousands.
        ...lines.slice(0, SHOWN_ROWS).map(rowView),
      ),
      ...(more > 0
        ? [h("div", { class: "more-items" }, `${more} more in the context report`)]
        : []),
    ];
  }

  /** A row, and under it what it stands for when it is open. */
  private withFolded(row: HoldRow): RowLine[] {
    const { id, folded = [] } = row;
    const open = this.open.has(id);
    const under = open
      ? sortRows(folded, this.order).map((one) => ({ row: one, under: true }))
      : [];
    return [folded.length > 0 ? { row, under: false, open } : { row, under: false }, ...under];
  }

  private orderViews(count: number): HTMLElement[] {
    const other = this.order === "biggest" ? "newest" : "biggest";
    return [
      h("span", { class: "count" }, plural(count, "item")),
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "data-order": other,
          "aria-label": `Order: ${this.order} first. Show ${other} first`,
        },
        `${this.order} first ▾`,
      ),
    ];
  }

  private clicked(event: Event): void {
    const target = (event.target as Element).closest<HTMLElement>(
      "[data-order], [data-act], [data-open], [data-fold], [data-advice], [data-server]",
    );
    const id = target?.closest<HTMLElement>("[data-id]")?.dataset.id;
    if (target?.dataset.order) {
      this.order = target.dataset.order as RowOrder;
      this.host.setState({ order: this.order });
      this.draw();
    } else if (target?.dataset.server) {
      const { server: name, action } = target.dataset;
      this.host.post({ type: "server", name, action: action as ServerAction });
    } else if (target?.dataset.code) {
      this.host.post({ type: "advice", code: target.dataset.code });
    } else if (target?.dataset.act && id) {
      this.host.post({ type: "act", action: target.dataset.act as ItemAction, id });
    } else if (target?.matches("[data-fold]") && id) {
      this.open[this.open.has(id) ? "delete" : "add"](id);
      this.draw();
    } else if (target && id) {
      this.host.post({ type: "open", id });
    }
  }

  /** Up and down move from row to row, keeping the column. */
  private keydown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = (event.target as Element).closest("li");
    if (step === undefined || row === null) {
      return;
    }
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    const button = next?.querySelector<HTMLElement>("button");
    if (button) {
      event.preventDefault();
      button.focus();
    }
  }
}

function nothing(): HTMLElement {
  return h(
    "div",
    { class: "more-items" },
    "What the model sees is listed here when a session is open.",
  );
}

/** The advice that frees the most, as the button that takes it; the report has all of it. */
function adviceView(advice: Hold["advice"]): HTMLElement[] {
  const [best] = advice.toSorted((a, b) => b.saves - a.saves);
  if (best === undefined) {
    return [];
  }
  const text = `${best.message.replace(/\.$/, "")}: frees ${formatTokens(best.saves)}`;
  const attributes = { class: "advice", title: text, "data-code": best.code };
  return best.can
    ? [h("button", { type: "button", "data-advice": true, ...attributes }, text)]
    : [h("div", attributes, text)];
}

/** A row as it stands in the list. */
interface RowLine {
  readonly row: HoldRow;
  /** It stands under the row that it is folded into. */
  readonly under: boolean;
  /** Whether what the row stands for is shown; undefined when it stands for itself. */
  readonly open?: boolean;
}

function rowView({ row, under, open }: RowLine): HTMLElement {
  const { id, kind, group, title, stale, tokens, why, actions } = row;
  const { label } = KIND_GROUPS[group];
  const attributes = { "data-id": id, "data-key": id, "data-kind": kind, "data-stale": stale };
  return h(
    "li",
    { class: under ? "item folded" : "item", ...attributes },
    h("span", { class: `swatch kind-${group}`, title: label }),
    h(
      "button",
      { type: "button", class: "name", "data-open": true, title: why ? `${title}\n${why}` : title },
      h("span", { class: "sr" }, `${label}: `),
      title,
    ),
    stateView(row, open),
    h("span", { class: "tokens" }, exactTokens(tokens), h("span", { class: "sr" }, " tokens")),
    h("span", { class: "actions" }, ...actions.map((action) => actionView(action, title))),
  );
}

function stateView({ state }: HoldRow, open: boolean | undefined): HTMLElement {
  if (open === undefined) {
    return h("span", { class: "state", title: state }, state);
  }
  return h(
    "button",
    {
      type: "button",
      class: "state fold",
      "data-fold": true,
      "aria-expanded": String(open),
      title: open ? "Hide them" : "Show them",
    },
    open ? "▾" : "▸",
    h("span", state === "" ? { class: "sr" } : {}, ` ${state || (open ? "hide" : "show")}`),
  );
}

function actionView(action: ItemAction, title: string): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "data-act": action,
      "aria-label": `${ACTION_WORDS[action]} ${title}`,
      title: EXPLAINED[action],
    },
    ACTION_WORDS[action],
  );
}

/** What each action is called; `evict` is the wire's word. */
const ACTION_WORDS: Readonly<Record<ItemAction, string>> = {
  pin: "pin",
  unpin: "unpin",
  evict: "remove",
  restore: "restore",
  read: "read",
};

const EXPLAINED: Readonly<Record<ItemAction, string>> = {
  pin: "Keep it in every request",
  unpin: "Let it leave again when room is needed",
  evict: "Take it out of the context; it is kept, and can be restored",
  restore: "Bring it back into the context",
  read: "Ask for a fresh reading",
};
