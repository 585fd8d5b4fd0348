import type { ServerAction, ServerRow } from "../../mcp/model";
import type { Hold } from "./hold";
import type { ItemAction } from "./rows";

/** What the extension host tells the page of the context view. */
export type ToHoldPage = {
  type: "hold";
  hold: Hold | undefined;
  servers: readonly ServerRow[];
};

/** What the page of the context view asks of the extension host. */
export type FromHoldPage =
  | { type: "ready" }
  | { type: "act"; action: ItemAction; id: string }
  | { type: "open"; id: string }
  | { type: "advice"; code: string }
  | { type: "server"; action: ServerAction; name: string };
