/** How each kind of item is called and coloured: in the bar, the tooltip, the list and the report. */
export interface Kind {
  readonly label: string;
  /** The id of a colour that the extension contributes. */
  readonly color: string;
}

export const KINDS: Readonly<Record<string, Kind>> = {
  system: { label: "System", color: "plimsoll.kindSystem" },
  tools: { label: "Tool schemas", color: "plimsoll.kindTools" },
  instructions: { label: "Instructions", color: "plimsoll.kindInstructions" },
  memories: { label: "Memories", color: "plimsoll.kindMemories" },
  recall: { label: "Recall", color: "plimsoll.kindRecall" },
  pins: { label: "Pins", color: "plimsoll.kindPins" },
  tasks: { label: "Tasks", color: "plimsoll.kindTasks" },
  summary: { label: "Summary", color: "plimsoll.kindSummary" },
  user: { label: "You", color: "plimsoll.kindUser" },
  assistant: { label: "Assistant", color: "plimsoll.kindAssistant" },
  reasoning: { label: "Reasoning", color: "plimsoll.kindReasoning" },
  toolResults: { label: "Tool results", color: "plimsoll.kindToolResults" },
  attachments: { label: "Attachments", color: "plimsoll.kindAttachments" },
  draft: { label: "Draft", color: "plimsoll.kindDraft" },
};

const KIND_ORDER = Object.keys(KINDS);

/** Parts in the one order in which every view shows them; kinds of a later version come last. */
export function sortByKind<T extends { kind: string }>(parts: readonly T[]): T[] {
  const place = ({ kind }: T) =>
    KIND_ORDER.includes(kind) ? KIND_ORDER.indexOf(kind) : KIND_ORDER.length;
  return parts.toSorted((a, b) => place(a) - place(b));
}

/** A kind that this client does not know yet keeps its own name. */
export function kindOf(name: string): Kind {
  return KINDS[name] ?? { label: name, color: "plimsoll.kindSystem" };
}

/** The CSS variable under which VS Code offers a contributed colour. */
export function cssVariable(color: string): string {
  return `--vscode-${color.replaceAll(".", "-")}`;
}
