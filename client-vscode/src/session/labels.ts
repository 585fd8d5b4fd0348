import type { Counts, Receipt, Rejection, SessionInfo, SessionMatch, Waiting } from "../protocol";
import { exactTokens, formatTime, formatTokens, plural } from "../text/format";
import { lookup } from "../text/lookup";
import type { ChatState, Entry, HeldTokens, ToolEntry } from "./state";

/** What a stage does, as something that happened and as something that could, and to what. */
interface StageWords {
  readonly done: string;
  readonly could: string;
  what(count: number): string;
}

const items = (count: number) => plural(count, "item");

const STAGE_WORDS: Readonly<Record<string, StageWords>> = lookup({
  truncate: { done: "shortened", could: "shorten", what: (n) => plural(n, "long output") },
  refer: { done: "left out", could: "leave out", what: (n) => plural(n, "repeated result") },
  dedup: { done: "removed", could: "remove", what: (n) => plural(n, "outdated result") },
  prune: { done: "removed", could: "remove", what: (n) => plural(n, "old result") },
  digest: { done: "summarised", could: "summarise", what: items },
  compact: { done: "summarised", could: "summarise", what: items },
  trim: { done: "removed", could: "remove", what: (n) => plural(n, "oldest item") },
  evict: { done: "removed", could: "remove", what: items },
  restore: { done: "brought back", could: "bring back", what: items },
});

const UNKNOWN_STAGE: StageWords = { done: "changed", could: "change", what: items };

const wordsOf = ({ stage }: Receipt) => STAGE_WORDS[stage] ?? UNKNOWN_STAGE;

/** Stages that put a summary in the place of what was said. */
export const COMPACTIONS: ReadonlySet<string> = new Set(["digest", "compact"]);

/** Stages whose work the tool card itself tells: no line of their own in the chat. */
export const QUIET_STAGES: ReadonlySet<string> = new Set(["truncate", "refer"]);

/** A receipt in one or two sentences. */
export function receiptText(receipt: Receipt): string {
  if (receipt.infeasible) {
    return `Cannot fit: ${exactTokens(receipt.infeasible.needsTokens)} tokens more are needed.`;
  }
  if (receipt.undone) {
    const back = receipt.stage === "restore" ? "out again" : "back";
    const { length } = receipt.items;
    return `Undone: ${wordsOf(receipt).what(length)} ${length === 1 ? "is" : "are"} ${back}.`;
  }
  const open = STATUS_TEXTS[receipt.status];
  return open === undefined ? completed(receipt) : open(receipt);
}

const STATUS_TEXTS: Readonly<Record<string, (receipt: Receipt) => string>> = {
  planned: (receipt) => {
    const { could, what } = wordsOf(receipt);
    const how = COMPACTIONS.has(receipt.stage) ? "A compaction would" : "Would";
    return `${how} ${could} ${what(receipt.items.length)} and free ${formatTokens(freed(receipt))} tokens.`;
  },
  inProgress: () => "Making room…",
  failed: (receipt) => `No room could be made: ${receipt.why}`,
  cancelled: () => "Compaction cancelled: nothing was changed.",
};

/** What the next request brings, for the context view, which shows it already. */
export function pendingText(receipt: Receipt): string {
  return receipt.infeasible
    ? receiptText(receipt)
    : `Next request: ${whatWasDone(receipt)}, ${formatTokens(freed(receipt))} tokens freed.`;
}

function freed(receipt: Receipt): number {
  return receipt.tokensBefore - receipt.tokensAfter;
}

/** `6 old results removed`. */
function whatWasDone(receipt: Receipt): string {
  const { done, what } = wordsOf(receipt);
  return `${what(receipt.items.length)} ${done}`;
}

/** `Removed 6 old results, 38.4k tokens freed.` */
function completed(receipt: Receipt): string {
  const { done, what } = wordsOf(receipt);
  const difference = freed(receipt);
  const did = `${done.slice(0, 1).toUpperCase()}${done.slice(1)} ${what(receipt.items.length)}`;
  return receipt.stage === "restore" || difference < 0
    ? `${did}, ${formatTokens(Math.abs(difference))} tokens more.`
    : `${did}, ${formatTokens(difference)} tokens freed.${losses(receipt)}`;
}

/** The instructions and tasks that left, by number; pins are never among them. */
function losses(receipt: Receipt): string {
  const { constraints, tasks, constraintsTotal = constraints.length } = receipt.lost;
  const gone = [
    constraintsTotal > 0 ? plural(constraintsTotal, "instruction") : "",
    tasks.length > 0 ? plural(tasks.length, "task") : "",
  ].filter((text) => text !== "");
  return gone.length > 0 ? ` No longer in the context: ${gone.join(", ")}.` : "";
}

/** How an item stands, for people; on the wire and in the code the states keep their names. */
const STATE_WORDS: Readonly<Record<string, string>> = lookup({
  verbatim: "whole",
  truncated: "shortened",
  referred: "shown earlier",
  superseded: "outdated",
  pruned: "removed",
  summarised: "in the summary",
  evicted: "removed",
  trimmed: "removed",
});

export function stateWord(state: string): string {
  return STATE_WORDS[state] ?? state;
}

/** What became of a file that a rules file names, for people. */
const OUTCOME_WORDS: Readonly<Record<string, string>> = lookup({
  followed: "followed",
  missing: "missing",
  refused: "may not be read",
  outside: "outside the folder",
  met: "stands there already",
  tooDeep: "too deep",
  tooMany: "too many",
});

export function outcomeWord(outcome: string): string {
  return OUTCOME_WORDS[outcome] ?? outcome;
}

/** `1,204 tok`, `51.2k → 3.1k tok · shortened for the model`. */
export function heldTokensText(heldTokens: HeldTokens): string {
  const { tokens, originalTokens, state } = heldTokens;
  if (tokens === 0) {
    return stateWord(state);
  }
  if (tokens === originalTokens || state === "verbatim") {
    return `${exactTokens(tokens)} tok`;
  }
  const note = FORM_NOTES[state] ?? stateWord(state);
  return `${formatTokens(originalTokens)} → ${formatTokens(tokens)} tok · ${note}`;
}

/** A shortened result is not lost: the whole of it is kept. */
const FORM_NOTES: Readonly<Record<string, string>> = { truncated: "shortened for the model" };

const TOOL_STATES: Readonly<Record<string, string>> = lookup({
  pending: "waiting to start",
  waiting: "waits for your answer",
  running: "running",
  completed: "done",
  failed: "failed",
  rejected: "rejected",
});

/** A tool's state in words, for a screen reader. */
export function toolStateText(tool: ToolEntry): string {
  const state = TOOL_STATES[tool.status] ?? tool.status;
  return tool.exitCode === undefined ? state : `${state}, exit code ${tool.exitCode}`;
}

const REJECTED_BY: Readonly<Record<string, string>> = lookup({
  person: "You rejected it",
  earlier: "You rejected this for the session",
  nobody: "Rejected, as nobody answered",
});

/** Who declined a call, and why. */
export function rejectionText({ by, reason }: Rejection): string {
  const who = REJECTED_BY[by] ?? "Rejected";
  return reason ? `${who}: ${reason}` : `${who}.`;
}

/** A guess: nothing tells why a program failed. */
export function heldBackText(heldBack: string): string {
  return heldBack === "network" ? "perhaps as it has no network" : "perhaps because of the sandbox";
}

/** What became of protected files that a command made; empty where it made none. */
export function madeText({ keptFiles = [], asideFiles = [] }: ToolEntry): string {
  return [
    keptFiles.length > 0 ? `${keptFiles.length} kept` : "",
    asideFiles.length > 0 ? `${asideFiles.length} set aside` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** `12 matches in 3 files`, `nothing in 340 files`, `80 lines`; the same words as in a terminal. */
export function foundText({ matches = 0, files = 0, searched, lines, more }: Counts): string {
  if (lines !== undefined) {
    return plural(lines, "line");
  }
  const soFar = more ? " so far" : "";
  if (matches > 0) {
    return `${plural(matches, "match", "matches")} in ${plural(files, "file")}${soFar}`;
  }
  if (files > 0) {
    return `${plural(files, "file")}${soFar}`;
  }
  return `nothing${searched === undefined ? "" : ` in ${plural(searched, "file")}`}${soFar}`;
}

/** What each tool does, and the argument that says to what. */
const TOOLS: Readonly<Record<string, readonly [string, string]>> = lookup({
  file_read: ["Read", "path"],
  file_write: ["Write", "path"],
  file_edit: ["Edit", "path"],
  grep: ["Search for", "pattern"],
  glob: ["Find", "pattern"],
  shell: ["Run", "command"],
  shell_read: ["Read output of", "id"],
  web_fetch: ["Fetch", "url"],
  web_search: ["Search the web for", "query"],
  memory_save: ["Remember", "title"],
  memory_search: ["Search memory for", "query"],
  subagent: ["Delegate", "description"],
  history: ["Look up", "query"],
});

/** A call in two: what is done (`Read`), and to what (`src/ledger.py`); the same live and loaded. */
export function toolWords(tool: ToolEntry): readonly [string, string] {
  const { call } = tool;
  const { keptFiles = [], asideFiles = [] } = tool;
  if (call.detail?.made && keptFiles.length + asideFiles.length > 0) {
    return keptFiles.length > 0
      ? ["Kept", keptFiles.join(", ")]
      : ["Set aside", asideFiles.join(", ")];
  }
  const [verb, argument] = TOOLS[call.name] ?? [];
  const target = argument && call.arguments[argument];
  if (verb !== undefined && typeof target === "string") {
    return [verb, argument === "pattern" && call.name === "grep" ? plainPattern(target) : target];
  }
  const title = call.title || call.name;
  const cut = title.indexOf(" ");
  return cut < 0 ? [title, ""] : [title.slice(0, cut), title.slice(cut + 1)];
}

/** `explore agent · Read src/a.py · 1.2k tokens`; of what another session asks here, who asks. */
export function agentText({ call, status }: ToolEntry): string {
  const { kind = "", description = "", doing = "", tokens } = call.agent ?? {};
  const facts = [
    call.name === "subagent" ? "" : description,
    status === "running" && call.name === "subagent" ? doing : "",
    tokens ? `${formatTokens(tokens)} tokens` : "",
  ];
  return [`${kind} agent`, ...facts.filter((fact) => fact !== "")].join(" · ");
}

/** What the words of a pattern may stand among: words of languages that define something. */
const DEFINERS = new Set(
  "def class function func fn const let var type interface enum struct trait impl namespace".split(
    " ",
  ),
);

/** A pattern in the words that it looks for; a beginning of words ends with `…`. */
export function plainPattern(pattern: string): string {
  if (!/[\\()[\]|^$*+?{}]/.test(pattern)) {
    return pattern;
  }
  const words = [...pattern.replaceAll(/\\[a-zA-Z]/g, " ").matchAll(/[\p{L}_][\p{L}\d_.-]*/gu)]
    .map(([word]) => word.replace(/[.-]+$/, ""))
    .filter((word) => !DEFINERS.has(word));
  const begins = /\)?\\w\*/.test(pattern);
  return [...new Set(words)].map((word) => (begins ? `${word}…` : word)).join(", ") || pattern;
}

/** A model by the name that people use for it. */
export function modelName(model: string): string {
  const [, ...name] = model.split("/");
  return isKeywordSearch(model) ? "Keyword search" : name.join("/") || model;
}

/** No model is connected: the built-in search answers. */
export function isKeywordSearch(model: string | undefined): boolean {
  return model?.split("/")[0] === "embedded";
}

/** A session in a pick list: its title, when and with what, and how it began. */
export interface SessionLine {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

const SESSION_STATES: Readonly<Record<string, string>> = {
  asking: "asks you",
  running: "running",
};

export function sessionLine(session: SessionInfo, openId: string | undefined): SessionLine {
  const { id, title, updatedAt, model, turns, preview, parentId, agent, state, unread } = session;
  const facts = [
    SESSION_STATES[state ?? ""] ?? "",
    unread ? "unread" : "",
    id === openId ? "open now" : "",
    agent ? `${agent} agent` : "",
    formatTime(updatedAt),
    modelName(model),
    plural(turns, "turn"),
    parentId === undefined || agent ? "" : "fork",
  ];
  return {
    label: title || "Untitled session",
    description: facts.filter((fact) => fact !== "").join(" · "),
    detail: preview,
  };
}

/** The row of a session that was found by what was said, with the line where the words stand. */
export function matchLine(match: SessionMatch, openId: string | undefined): SessionLine {
  const speaker = SPEAKERS[match.role ?? ""];
  const detail = speaker === undefined ? match.snippet : `${speaker}: ${match.snippet}`;
  return { ...sessionLine(match.session, openId), detail };
}

const SPEAKERS: Readonly<Record<string, string>> = {
  user: "You",
  assistant: "Plimsoll",
  tool: "A tool",
};

const waitsFor = (model: string) => `Waiting for ${model}`;

const WAITS: Readonly<Record<string, (model: string) => string>> = {
  connecting: (model) => `Connecting to the server of ${model}`,
  loading: (model) => `The server loads ${model}`,
  firstToken: waitsFor,
  rateLimited: (model) => `Too many requests for ${model}`,
  retrying: (model) => `${model} failed`,
};

/** What a turn waits for, and which try comes when. */
export function waitingText(waiting: Waiting, model: string | undefined): string {
  const name = waiting.model || model?.slice(model.indexOf("/") + 1) || "the model";
  const words = (WAITS[waiting.reason] ?? waitsFor)(name);
  const { attempt, attempts, retryAt } = waiting;
  return attempt === undefined || retryAt === undefined
    ? words
    : `${words}, try ${attempt} of ${attempts} at ${new Date(retryAt).toLocaleTimeString()}`;
}

/** What a turn does now, for a line below the conversation; nothing while its text is seen to come. */
export function workingText(state: ChatState): string | undefined {
  const { turnId, waiting, entries, session } = state;
  const last = entries.at(-1);
  if (turnId === undefined || asks(last) || streams(last)) {
    return undefined;
  }
  if (waiting !== undefined) {
    return waitingText(waiting, session?.model);
  }
  if (last?.kind === "answer" && last.streaming) {
    return "Thinking";
  }
  // A card that runs counts its own seconds.
  return last?.kind === "tool" && last.status === "running" && last.since ? undefined : "Working";
}

function asks(entry: Entry | undefined): boolean {
  return entry?.kind === "tool" && entry.permission !== undefined;
}

function streams(entry: Entry | undefined): boolean {
  return entry?.kind === "answer" && entry.streaming && entry.text !== "";
}
