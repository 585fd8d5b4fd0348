import type { ContentPart, QueuedPrompt, Range } from "../protocol";

/** A file that a text mentions: `@src/router.py`, `@src/router.py:10-20`, `@"a name.md"`. */
export interface Mention {
  readonly path: string;
  /** Lines from 1, both ends included. */
  readonly lines?: readonly [number, number];
}

const MENTION =
  /(?:^|\s)@(?:"([^"\n]+)"|([^\s"@]+?))(?::(\d+)(?:-(\d+))?)?(?=[\s,;)]|[.!?](?:\s|$)|$)/g;

export function mentions(text: string): Mention[] {
  return [...text.matchAll(MENTION)].map(([, quoted, plain, first, last]) => {
    const path = quoted ?? plain ?? "";
    return first ? { path, lines: [Number(first), Number(last ?? first)] } : { path };
  });
}

/** The content of a prompt: the text first, since a command is recognised there. */
export function promptContent(
  text: string,
  files: readonly { uri: string; lines?: readonly [number, number] }[],
  attached: readonly ContentPart[],
): ContentPart[] {
  const parts: ContentPart[] = [{ type: "text", text }];
  for (const { uri, lines } of files) {
    parts.push({ type: "file", uri, ...(lines ? { range: wholeLines(lines) } : {}) });
  }
  return [...parts, ...attached];
}

function wholeLines([first, last]: readonly [number, number]): Range {
  return { start: { line: first - 1, character: 0 }, end: { line: last, character: 0 } };
}

/** True for a text that the server takes as a command. */
export function isCommand(text: string): boolean {
  return /^\/[a-z]+(\s|$)/.test(text);
}

/** What was typed of prompts that wait, to be typed on. */
export function queuedText(queued: readonly QueuedPrompt[]): string {
  const typed = queued.map(({ content }) =>
    content.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );
  return typed.filter((text) => text !== "").join("\n\n");
}
