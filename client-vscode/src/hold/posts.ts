import type { Hold, ItemAction } from "./model";

/** What the extension host tells the hold page. */
export type ToHold = { type: "hold"; hold: Hold | undefined };

/** What the hold page asks of the extension host. */
export type FromHold =
  | { type: "ready" }
  | { type: "act"; action: ItemAction; id: string }
  | { type: "open"; id: string };
