import { buildHold, COMPACT_ADVICE, type Hold } from "../../context/hold/hold";
import type { FromHoldPage, ToHoldPage } from "../../context/hold/messages";
import { ACTION_METHODS, type HoldRow, type ItemAction } from "../../context/hold/rows";
import type { HoldPageState } from "../hold/page";
import type { Host } from "../host";
import type { ShownContext } from "./link";

/** What the page of a browser does with what its person presses. */
export interface BrowserActs {
  /** Asks the server, and shows why it was in vain. */
  ask(method: string, params: object): Promise<unknown>;
  /** Shows a text about an item. */
  explain(title: string, text: string): void;
}

const STATE = "plimsoll.hold";
export const COMPACT_METHOD = "plimsoll/context/compact";

/** What the editor is for the context view, in a browser. */
export class BrowserHost implements Host<ToHoldPage, FromHoldPage, HoldPageState> {
  private listener: ((message: ToHoldPage) => void) | undefined;
  private hold: Hold | undefined;

  constructor(private readonly acts: BrowserActs) {}

  /** Works out what the view shows; it is drawn by `draw`. */
  prepare({ report, session }: ShownContext, served: readonly string[]): void {
    this.hold = buildHold(report, { served, folder: session.workspaceFolder });
  }

  draw(): void {
    this.listener?.({ type: "hold", hold: this.hold, servers: [] });
  }

  post(message: FromHoldPage): void {
    switch (message.type) {
      case "ready":
        return;
      case "act":
        void this.act(message.action, message.id);
        return;
      case "open":
        void this.open(message.id);
        return;
      case "advice":
        void this.take(message.code);
        return;
    }
  }

  getState(): HoldPageState | undefined {
    return JSON.parse(sessionStorage.getItem(STATE) ?? "null") ?? undefined;
  }

  setState(state: HoldPageState): void {
    sessionStorage.setItem(STATE, JSON.stringify(state));
  }

  onMessage(listener: (message: ToHoldPage) => void): void {
    this.listener = listener;
  }

  private async act(action: ItemAction, id: string): Promise<void> {
    await this.acts.ask(ACTION_METHODS[action], PARAMS[action](id));
  }

  /** Why an item is here; a browser opens no file of the folder. */
  private async open(id: string): Promise<void> {
    const row = this.find(id);
    if (row === undefined) {
      return;
    }
    if (row.kind === "tools") {
      this.acts.explain(row.title, row.why);
      return;
    }
    const found = await this.acts.ask("plimsoll/context/explain", { itemId: id });
    if (found !== undefined) {
      const { markdown } = found as { markdown: string };
      // Its first line is the title.
      this.acts.explain(row.title, markdown.slice(markdown.indexOf("\n\n") + 1).trim());
    }
  }

  private async take(code: string): Promise<void> {
    const of = (this.hold?.advice ?? []).filter((one) => one.code === code && one.can);
    const [best] = of.toSorted((a, b) => b.saves - a.saves);
    if (best?.code === COMPACT_ADVICE) {
      await this.acts.ask(COMPACT_METHOD, {});
    } else if (best !== undefined) {
      await this.acts.ask(ACTION_METHODS.evict, { itemIds: best.itemIds });
    }
  }

  private find(id: string): HoldRow | undefined {
    const rows = this.hold?.rows ?? [];
    return rows.flatMap((row) => [row, ...(row.folded ?? [])]).find((row) => row.id === id);
  }
}

/** The params of each action; a pin stands in the context view as the item `pin.<id>`. */
const PARAMS: Readonly<Record<ItemAction, (id: string) => object>> = {
  pin: (itemId) => ({ itemId }),
  unpin: (id) => ({ pinId: id.replace(/^pin\./, "") }),
  evict: (id) => ({ itemIds: [id] }),
  restore: (id) => ({ itemIds: [id] }),
  // Not offered here: it writes a prompt, which a browser does not serve.
  read: () => ({}),
};
