import { lookup } from "./lookup";

/** Kinds of items that people tell apart as one: they share a colour. The order is that of every view. */
export const KIND_GROUPS = {
  fixed: { label: "Always sent", color: "plimsoll.kindFixed" },
  memory: { label: "Memory and rules", color: "plimsoll.kindMemory" },
  pins: { label: "Pins", color: "plimsoll.kindPins" },
  summary: { label: "Summary", color: "plimsoll.kindSummary" },
  you: { label: "You", color: "plimsoll.kindYou" },
  agent: { label: "Agent", color: "plimsoll.kindAgent" },
  files: { label: "Files", color: "plimsoll.kindFiles" },
  runs: { label: "Commands and searches", color: "plimsoll.kindRuns" },
} as const;

export type KindGroup = keyof typeof KIND_GROUPS;

/** How a kind of item is called, and with which others it shares a colour. */
export interface Kind {
  readonly label: string;
  readonly group: KindGroup;
}

export const KINDS: Readonly<Record<string, Kind>> = lookup({
  system: { label: "System", group: "fixed" },
  tools: { label: "Tools", group: "fixed" },
  tasks: { label: "Tasks", group: "fixed" },
  instructions: { label: "Instructions", group: "memory" },
  memories: { label: "Memories", group: "memory" },
  recall: { label: "Recalled", group: "memory" },
  pins: { label: "Pins", group: "pins" },
  summary: { label: "Summary", group: "summary" },
  decisions: { label: "Decisions", group: "summary" },
  user: { label: "You", group: "you" },
  draft: { label: "Draft", group: "you" },
  assistant: { label: "Agent", group: "agent" },
  reasoning: { label: "Reasoning", group: "agent" },
  attachments: { label: "Attachments", group: "files" },
  toolResults: { label: "Results", group: "runs" },
});

/** A kind that this client does not know yet keeps its own name. */
export function kindOf(name: string): Kind {
  return KINDS[name] ?? { label: name, group: "fixed" };
}

/** The group of an item: what a tool read from a file is told apart from what it ran or searched. */
export function groupOf(kind: string, fromFile: boolean): KindGroup {
  return kind === "toolResults" && fromFile ? "files" : kindOf(kind).group;
}

/** The tokens of one group. */
export interface GroupTokens {
  readonly group: KindGroup;
  readonly tokens: number;
}

/**
 * Tokens by group, in the order of every view, without empty ones. `fileTokens`: how many of the
 * results of tools are text of files, which a meter does not tell.
 */
export function groupTokens(
  parts: readonly { kind: string; tokens: number }[],
  fileTokens: number,
): GroupTokens[] {
  const sums = new Map<KindGroup, number>();
  const add = (group: KindGroup, tokens: number) =>
    sums.set(group, (sums.get(group) ?? 0) + tokens);
  for (const { kind, tokens } of parts) {
    const read = kind === "toolResults" ? Math.min(fileTokens, tokens) : 0;
    add(groupOf(kind, true), read);
    add(groupOf(kind, false), tokens - read);
  }
  return KIND_GROUP_NAMES.map((group) => ({ group, tokens: sums.get(group) ?? 0 })).filter(
    ({ tokens }) => tokens > 0,
  );
}

const KIND_GROUP_NAMES = Object.keys(KIND_GROUPS) as KindGroup[];

/** How many tokens of results are text of files, for `groupTokens`. */
export function fileTokensOf(
  items: readonly { kind: string; tokens: number; source?: unknown }[],
): number {
  return items
    .filter(({ kind, source }) => kind === "toolResults" && source !== undefined)
    .reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The CSS variable under which VS Code offers a contributed colour. */
export function cssVariable(color: string): string {
  return `--vscode-${color.replaceAll(".", "-")}`;
}
