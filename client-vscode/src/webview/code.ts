import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escapeHtml } from "../text/html";

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
} as const;

for (const [name, language] of Object.entries(LANGUAGES)) {
  highlighter.registerLanguage(name, language);
}

/** The languages that are coloured; a fence may name them by their usual short names too. */
export const HIGHLIGHTED_LANGUAGES: readonly string[] = Object.keys(LANGUAGES);

/** A block of more characters stays plain: colouring it would hold up a frame. */
const LONGEST = 30_000;
/** Coloured blocks that are kept; a long conversation has a few hundred. */
const KEPT_BLOCKS = 500;

/** The HTML of code: as it stands in a block, every letter of the text in it and nothing else. */
export type CodeHtml = (text: string, language: string) => string;

/** Remembers what it made of the last texts, so that a redraw colours no text again. */
export function remembered(make: CodeHtml, limit = KEPT_BLOCKS): CodeHtml {
  const made = new Map<string, string>();
  return (text, language) => {
    const key = `${language}\n${text}`;
    const html = made.get(key) ?? make(text, language);
    made.delete(key);
    made.set(key, html);
    for (const oldest of made.keys()) {
      if (made.size <= limit) {
        break;
      }
      made.delete(oldest);
    }
    return html;
  };
}

/** The HTML of a block that is complete: coloured where its language is known. */
export const coloured: CodeHtml = remembered((text, language) => {
  if (isDiff(language)) {
    return diffHtml(text);
  }
  return text.length <= LONGEST && highlighter.getLanguage(language)
    ? highlighter.highlight(text, { language, ignoreIllegals: true }).value
    : escapeHtml(text);
});

/** Without colours: what a block is while it is being written. */
export const plain: CodeHtml = (text, language) =>
  isDiff(language) ? diffHtml(text) : escapeHtml(text);

export function isDiff(language: string): boolean {
  return language === "diff" || language === "patch";
}

const DIFF_LINES: readonly (readonly [RegExp, string])[] = [
  [/^(?:\+\+\+ |--- |diff |index )/, "diff-head"],
  [/^@@/, "diff-hunk"],
  [/^\+/, "diff-added"],
  [/^-/, "diff-removed"],
];

/** Each line in its colour; the sign before it stays, so that the colour is not all that tells. */
function diffHtml(text: string): string {
  const lines = text.split(/(?<=\n)/);
  return lines
    .map((line) => {
      const kind = DIFF_LINES.find(([pattern]) => pattern.test(line))?.[1] ?? "diff-same";
      return `<span class="${kind}">${escapeHtml(line)}</span>`;
    })
    .join("");
}
