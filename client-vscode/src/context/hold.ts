import type {
  Advice,
  ContextItem,
  ContextReport,
  Meter,
  Range,
  Receipt,
  RulesImport,
} from "../protocol";
import { outcomeWord, pendingText, stateWord } from "../session/labels";
import { formatTokens, plural, turnsLeftText } from "../text/format";
import { fileTokensOf, groupOf, type KindGroup, kindOf } from "../text/kinds";
import { rangeText } from "../text/lineRange";
import { lookup } from "../text/lookup";

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

/** Everything that the context view shows. */
export interface Hold {
  readonly meter: Meter;
  /** Of the results of tools, the tokens that are text of files. */
  readonly fileTokens: number;
  readonly rows: readonly HoldRow[];
  /** `92 % cached`; empty when the provider said nothing. */
  readonly cache: string;
  readonly advice: readonly HoldAdvice[];
  /** What will leave before the next request is sent; the rows show it as done. */
  readonly pending: readonly string[];
}

/** Something that would free tokens. */
export interface HoldAdvice {
  readonly code: string;
  readonly message: string;
  readonly saves: number;
  /** The items that would be removed; none: the conversation is compacted. */
  readonly itemIds: readonly string[];
  /** The server can do it when it is pressed. */
  readonly can: boolean;
}

/** What each action asks of the server; one that it does not serve is not offered. */
const ACTION_METHODS: Readonly<Record<ItemAction, string>> = {
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

export function buildHold(report: ContextReport, options: HoldOptions): Hold {
  const rate = report.cache.hitRate;
  const items = report.items ?? [];
  const rows = groupUnderSummaries(rowsOf(items, options), report.receipts);
  return {
    meter: report.meter,
    fileTokens: fileTokensOf(items),
    rows,
    cache: rate === undefined ? "" : `${Math.round(100 * rate)} % cached`,
    advice: report.advice.map((one) => adviceOf(one, options.served)),
    pending: report.pending.map(pendingText),
  };
}

/** The advice that is taken by compacting. */
export const COMPACT_ADVICE = "context.full";

function adviceOf(advice: Advice, served: readonly string[]): HoldAdvice {
  const { code, message, saves, itemIds = [] } = advice;
  const can = itemIds.length > 0 ? served.includes(ACTION_METHODS.evict) : code === COMPACT_ADVICE;
  return { code, message, saves, itemIds, can };
}

function rowsOf(items: readonly ContextItem[], options: HoldOptions): HoldRow[] {
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

/**
 * What was summarised is told by its summary, which has the id of its receipt. An older summary is
 * part of the newest one, and so is what it stood for.
 */
function groupUnderSummaries(rows: readonly HoldRow[], receipts: readonly Receipt[]): HoldRow[] {
  const summaries = rows.filter(({ kind }) => kind === "summary");
  const newest = summaries.at(-1);
  if (newest === undefined) {
    return [...rows];
  }
  const summarised = rows.filter((row) => row.tokens === 0 && row.form === "summarised");
  const owner = owners(summaries, receipts);
  return rows
    .filter((row) => !summarised.includes(row))
    .map((row) =>
      withFolded(
        row,
        summarised.filter(({ id }) => (owner.get(id) ?? newest.id) === row.id),
      ),
    );
}

/** The summary that each item went into, by the ids of the items. */
function owners(summaries: readonly HoldRow[], receipts: readonly Receipt[]): Map<string, string> {
  const ids = new Set(summaries.map(({ id }) => id));
  const theirs = receipts.filter(({ id }) => ids.has(id));
  return new Map(theirs.flatMap(({ id, items }) => items.map((item) => [item.id, id] as const)));
}

function withFolded(row: HoldRow, folded: readonly HoldRow[]): HoldRow {
  return folded.length === 0
    ? row
    : { ...row, folded, title: turnsTitle(row, folded), state: plural(folded.length, "item") };
}

/** `Turns 1-4`, which the summary stands for. */
function turnsTitle({ title }: HoldRow, folded: readonly HoldRow[]): string {
  const turns = folded.map(({ turn }) => turn).filter((turn) => turn > 0);
  const [first, last] = [Math.min(...turns), Math.max(...turns)];
  if (turns.length === 0) {
    return title;
  }
  return `${first === last ? "Turn" : "Turns"} ${rangeText(first, last)}`;
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

/** `55.3k of 112k`, beside the view's title. */
export function loadText({ used, effective }: Meter): string {
  return `${formatTokens(used)} of ${formatTokens(effective)}`;
}

/** `about 14 turns left`, or that nothing more fits. */
export function remainingText({ percent, turnsLeft, zone }: Meter): string {
  if (zone === "infeasible") {
    return "the next request does not fit";
  }
  return typeof turnsLeft === "number" ? turnsLeftText(turnsLeft, percent) : "";
}

/** What the extension host tells the page of the context view. */
export type ToHoldPage = { type: "hold"; hold: Hold | undefined };

/** What the page of the context view asks of the extension host. */
export type FromHoldPage =
  | { type: "ready" }
  | { type: "act"; action: ItemAction; id: string }
  | { type: "open"; id: string }
  | { type: "advice"; code: string };

/** Slots of the frame that a person knows by another name. */
const SLOTS: Readonly<Record<string, string>> = lookup({
  system: "System text",
  mode: "Mode",
  environment: "Environment",
  date: "Date",
  brief: "The agent's task",
  toolChoice: "Tool choice",
  stale: "Changed files",
  skills: "Skills of your own",
  "skills.folder": "Skills of this folder",
});

/** What an item is called in the context view; `folder` is the URI that its files are named from. */
export function titleOf(item: ContextItem, folder: string): string {
  if (item.id.startsWith("frame.")) {
    return slotTitle(item);
  }
  if (item.source !== undefined) {
    return `${relative(item.source.uri, folder)}${lines(item.title)}`;
  }
  if (item.kind === "toolResults") {
    return item.title.replace(/^Run (?=\S)/, "");
  }
  return item.title.replace(/^\[pinned \d+\] /, "") || kindOf(item.kind).label;
}

/** `system.environment` is the name of a slot: `System: environment`. */
function slotTitle({ kind, title }: ContextItem): string {
  const [, ...rest] = title.split(".");
  const { label } = kindOf(kind);
  return SLOTS[title] ?? (rest.length > 0 ? `${label}: ${rest.join(".")}` : label);
}

/** `src/ledger.py` for a file of the folder, its name alone for any other. */
export function relative(uri: string, folder: string): string {
  const root = folder.endsWith("/") ? folder : `${folder}/`;
  const path = uri.startsWith(root) ? uri.slice(root.length) : uri.slice(uri.lastIndexOf("/") + 1);
  return decoded(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone % is part of the name.
    return path;
  }
}

/** `:1-640`, from the lines that end the server's title. */
function lines(title: string): string {
  return /:\d+(?:-\d+)?$/.exec(title)?.[0] ?? "";
}
