import type { ContentPart, QueuedPrompt, Range } from "../protocol";
import { asPaste, type Draft } from "../text/pasted";
import type { Action } from "./reduce";
import type { ChatState } from "./state";

/** A file or folder that a text mentions: `@src/router.py:10-20`, `@"a name.md"`, `@src/`. */
export interface Mention {
  readonly path: string;
  /** Lines from 1, both ends included. */
  readonly lines?: readonly [number, number];
}

const MENTION =
  /(?:^|\s)@(?:"([^"\n]+)"|([^\s"@]+?))(?::(\d+)(?:-(\d+))?)?(?=[\s,;)]|[.!?](?:\s|$)|$)/g;

export function mentions(text: string): Mention[] {
  return [...text.matchAll(MENTION)]
    .filter(([, , plain]) => plain === undefined || !KINDS.has(plain))
    .map(([, quoted, plain, first, last]) => {
      const path = unshown(quoted ?? plain ?? "");
      return first ? { path, lines: [Number(first), Number(last ?? first)] } : { path };
    });
}

/** They are no files, even where a file has that name; `@./problems` is. */
const KINDS: ReadonlySet<string> = new Set(["selection", "problems", "terminal"]);

/** How a text mentions a file, or a folder when its path ends in a slash. */
export function mentionText(path: string): string {
  const shown = path.replaceAll(SIGNS, signOf);
  return QUOTED.test(shown) || KINDS.has(shown) ? `@"${shown}"` : `@${shown}`;
}

/** What would end the quotes, is not drawn, or is a sign of ours: written as the server's tools show it. */
const SIGNS = /["⟨⏎⇥\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
/** What a mention without quotes would end at, or not keep as a part of the name. */
const QUOTED = /[\s,;)@]|[.!?]$|:\d+(?:-\d+)?$/;

function signOf(sign: string): string {
  return `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The name that is shown so; what no character is stays as it is written. */
function unshown(name: string): string {
  return name
    .replaceAll(/ ⟨(\d{1,4}) (spaces|tabs)⟩ /g, (_, count, kind) =>
      (kind === "tabs" ? "\t" : " ").repeat(Number(count)),
    )
    .replaceAll("⏎", "\n")
    .replaceAll("⇥", "\t")
    .replaceAll(/⟨U\+((?:10|[0-9A-F])?[0-9A-F]{4})⟩/g, (_, digits) =>
      String.fromCodePoint(Number.parseInt(digits, 16)),
    );
}

/** The folders of paths, each with a slash at its end: short ones first. */
export function foldersOf(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)),
  );
  return [...new Set(folders)].sort((a, b) => a.length - b.length || a.localeCompare(b));
}

/** The content of a prompt, each part once: the text first, since a command is recognised there. */
export function promptContent(
  draft: Draft,
  files: readonly { uri: string; lines?: readonly [number, number] }[],
  attached: readonly ContentPart[],
): ContentPart[] {
  const parts: ContentPart[] = [textPart(draft)];
  for (const { uri, lines } of files) {
    parts.push({ type: "file", uri, ...(lines ? { range: wholeLines(lines) } : {}) });
  }
  const all = [...parts, ...attached].map((part) => [JSON.stringify(part), part] as const);
  return [...new Map(all).values()];
}

function wholeLines([first, last]: readonly [number, number]): Range {
  return { start: { line: first - 1, character: 0 }, end: { line: last, character: 0 } };
}

/** True for a text that the server takes as a command. */
export function isCommand(text: string): boolean {
  return /^\/[a-z]+(-[a-z]+)*(\s|$)/.test(text);
}

/** A prompt once more, with what went along; its text may have been changed. */
export function sentAgain(text: string, content: readonly ContentPart[]): ContentPart[] {
  const same = content.find((part) => part.type === "text" && part.text === text);
  return [same ?? textPart(asPaste(text)), ...content.filter(({ type }) => type !== "text")];
}

function textPart({ text, pasted }: Draft): ContentPart {
  return { type: "text", text, pasted: pasted.map(([from, to]) => [from, to]) };
}

/** The prompts that waited and are given back, as an action says. */
export function returnedPrompts(
  action: Action,
  { queued }: Pick<ChatState, "queued">,
): readonly QueuedPrompt[] {
  if (action.type === "serverLost") {
    return queued;
  }
  const { update } = action.type === "update" ? action : {};
  return update?.kind === "queued" ? (update.returned ?? []) : [];
}

/** What was typed of prompts that wait, to be typed on. */
export function queuedText(queued: readonly QueuedPrompt[]): string {
  const typed = queued.map(({ content }) =>
    content.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );
  return typed.filter((text) => text !== "").join("\n\n");
}
