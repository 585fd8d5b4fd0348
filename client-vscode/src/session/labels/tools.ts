import type { Counts, Rejection } from "../../protocol";
import { formatTokens, plural } from "../../text/format";
import { lookup } from "../../text/lookup";
import type { ToolEntry } from "../state";

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
  const { kind = "", description = "", doing = "", tokens, isolated } = call.agent ?? {};
  const facts = [
    isolated ? "in a worktree of its own" : "",
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
