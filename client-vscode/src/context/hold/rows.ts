import type { ContextItem, Range, RulesImport } from "../../protocol";
import { outcomeWord, stateWord } from "../../session/labels/items";
import { groupOf, type KindGroup } from "../../text/kinds";
import { titleOf } from "./titles";

export type ItemAction = "pin" | "unpin" | "evict" | "restore" | "read";

/** One line of the context view. */
export interface HoldRow {
  readonly id: string;
  readonly kind: string;
  /** Which colour it has. */
  readonly group: KindGroup;
  readonly title: string;
  /** `shortened · turn 6`, `stale: changed since`. */
  readonly state: string;
  /** The state's name on the wire. */
  readonly form: string;
  readonly stale: boolean;
  readonly tokens: number;
  readonly turn: number;
  /** Why it is here, or where it went, in the server's words. */
  readonly why: string;
  readonly actions: readonly ItemAction[];
  readonly source?: { readonly uri: string; readonly range?: Range };
  /** What a summary, or a row of several items, stands for; the files that a rules file names. */
  readonly folded?: readonly HoldRow[];
}

/** What each action asks of the server; one that it does not serve is not offered. */
export const ACTION_METHODS: Readonly<Record<ItemAction, string>> = {
  pin: "plimsoll/pin/add",
  unpin: "plimsoll/pin/remove",
  evict: "plimsoll/context/evict",
  restore: "plimsoll/context/restore",
  read: "plimsoll/session/prompt",
};

/** States in which an item is not in the context any more, or only by a note. */
export const REMOVED_STATES: ReadonlySet<string> = new Set([
  "pruned",
  "summarised",
  "evicted",
  "trimmed",
  "superseded",
]);

/** Parts of the frame, which nobody said: they can be explained, not moved. */
const FRAME_KINDS: ReadonlySet<string> = new Set([
  "system",
  "tools",
  "instructions",
  "memories",
  "recall",
  "tasks",
  "decisions",
  "draft",
]);

/** What the context view depends on besides the report: the methods that the server serves, and the URI of the session's folder. */
export interface HoldOptions {
  readonly served: readonly string[];
  readonly folder: string;
}

export function rowsOf(items: readonly ContextItem[], options: HoldOptions): HoldRow[] {
  const schemas = items.filter(({ kind }) => kind === "tools");
  const others = withCalls(items.filter(({ kind }) => kind !== "tools")).map((item) =>
    rowOf(item, options),
  );
  return schemas.length === 0 ? others : [schemasRow(schemas), ...others];
}

/** A call and its result are one item, that of the result: they were asked and answered together. */
function withCalls(items: readonly ContextItem[]): ContextItem[] {
  const isResult = ({ kind }: ContextItem) => kind === "toolResults";
  const answered = new Set(items.filter(isResult).map(({ callId }) => callId));
  const calls = new Map(
    items
      .filter((item) => !isResult(item) && item.callId && answered.has(item.callId))
      .map((item) => [item.callId, item]),
  );
  return items
    .filter((item) => calls.get(item.callId) !== item)
    .map((item) => {
      const call = isResult(item) ? calls.get(item.callId) : undefined;
      return call ? { ...item, tokens: item.tokens + call.tokens } : item;
    });
}

/** The schemas are one row: they stay or go together. */
function schemasRow(schemas: readonly ContextItem[]): HoldRow {
  return {
    id: "schemas",
    kind: "tools",
    group: groupOf("tools", false),
    title: `Tools (${schemas.length})`,
    state: "always sent",
    form: "verbatim",
    stale: false,
    tokens: schemas.reduce((sum, { tokens }) => sum + tokens, 0),
    turn: 0,
    why: schemas.map(({ title, tokens }) => `${title}: ${tokens}`).join("\n"),
    actions: [],
  };
}

function rowOf(item: ContextItem, { served, folder }: HoldOptions): HoldRow {
  const { id, kind, tokens, turn, source, why = "", imports = [] } = item;
  const actions = actionsFor(item).filter((action) => served.includes(ACTION_METHODS[action]));
  return {
    id,
    kind,
    group: groupOf(kind, source !== undefined),
    title: titleOf(item, folder),
    form: item.state,
    state: stateText(item),
    stale: source?.stale ?? false,
    tokens,
    turn,
    why,
    actions,
    ...(source
      ? { source: { uri: source.uri, ...(source.range ? { range: source.range } : {}) } }
      : {}),
    ...(imports.length > 0 ? { folded: imports.map((one) => importRow(one, item, folder)) } : {}),
  };
}

/** The outcomes of files that are there to be opened. */
const OPENED_OUTCOMES: ReadonlySet<string> = new Set(["followed", "met", "tooDeep", "tooMany"]);

/** A file that a rules file names; where it cannot be opened, the rules file is. */
function importRow(named: RulesImport, item: ContextItem, folder: string): HoldRow {
  const { path, outcome, tokens } = named;
  const own = `${folder}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const uri = OPENED_OUTCOMES.has(outcome) ? own : item.source?.uri;
  return {
    id: `${item.id} ${outcome} ${path}`,
    kind: item.kind,
    group: groupOf(item.kind, false),
    title: path,
    state: outcomeWord(outcome),
    form: "verbatim",
    stale: false,
    tokens,
    turn: item.turn,
    why: "",
    actions: [],
    source: { uri: uri ?? own },
  };
}

/** What can be done with an item. */
export function actionsFor(item: ContextItem): ItemAction[] {
  if (item.kind === "pins") {
    return ["unpin"];
  }
  if (FRAME_KINDS.has(item.kind)) {
    return [];
  }
  if (REMOVED_STATES.has(item.state) || item.kind === "summary") {
    return ["restore"];
  }
  if (item.source?.stale) {
    return ["read", "evict"];
  }
  return item.pinned ? ["evict"] : ["pin", "evict"];
}

function stateText(item: ContextItem): string {
  if (item.source?.stale) {
    return "stale: changed since";
  }
  if (item.kind === "pins") {
    return "pinned";
  }
  if (FRAME_KINDS.has(item.kind)) {
    return "always sent";
  }
  const state = stateWord(item.state);
  const words = [item.pinned ? "pinned" : "", state, item.turn > 0 ? `turn ${item.turn}` : ""];
  return words.filter((word) => word !== "").join(" · ");
}

export type RowOrder = "biggest" | "newest";

/** The rows in an order; pins always stand first, they are what a person asked to keep. */
export function sortRows(rows: readonly HoldRow[], order: RowOrder): HoldRow[] {
  const pins = (row: HoldRow) => (row.kind === "pins" ? 0 : 1);
  const by = order === "biggest" ? (row: HoldRow) => row.tokens : (row: HoldRow) => row.turn;
  return rows.toSorted((a, b) => pins(a) - pins(b) || by(b) - by(a) || b.tokens - a.tokens);
}
