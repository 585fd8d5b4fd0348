import { type OfferedSymbol, symbolMention } from "../../../mentions/kinds";
import type { SlashCommand } from "../../../protocol";
import { mentionText } from "../../../session/content";

/** What the caret stands in, and how it can be completed. */
export interface Trigger {
  readonly kind: "command" | "file";
  readonly query: string;
  readonly start: number;
}

/** Finds out whether the text before the caret wants a completion. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([A-Za-z0-9:_-]*)$/.exec(before);
  if (command) {
    return { kind: "command", query: command[1] ?? "", start: 0 };
  }
  const file = /(?:^|\s)@([^\s"@]*)$/.exec(before);
  return file
    ? { kind: "file", query: file[1] ?? "", start: caret - (file[1] ?? "").length - 1 }
    : undefined;
}

export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  /** What takes the place of the trigger. */
  readonly text: string;
  /** A text that is whole without it: Enter sends it. */
  readonly whole?: string;
}

export function commandSuggestions(
  commands: readonly SlashCommand[],
  query: string,
): readonly Suggestion[] {
  return commands
    .filter(({ name }) => name.startsWith(query))
    .map(({ name, arguments: args, alone, help }) => ({
      label: `/${name} ${args}`.trim(),
      detail: help,
      text: args === "" ? `/${name}` : `/${name} `,
      ...(alone ? { whole: `/${name}` } : {}),
    }));
}

export function fileSuggestions(paths: readonly string[]): readonly Suggestion[] {
  return paths.map((path) => {
    // A folder ends in a slash.
    const cut = path.lastIndexOf("/", path.length - 2) + 1;
    return { label: path.slice(cut), detail: path.slice(0, cut), text: `${mentionText(path)} ` };
  });
}

export function symbolSuggestions(symbols: readonly OfferedSymbol[]): readonly Suggestion[] {
  return symbols.map((symbol) => ({
    label: symbol.name,
    detail: symbol.path,
    text: `${symbolMention(symbol, symbols)} `,
  }));
}
