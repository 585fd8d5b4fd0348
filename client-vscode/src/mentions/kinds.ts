/** What stands behind an @ and is no file: `@selection`, `@changes`, `@problems:file`, `@symbol:total`. */
export type KindMention = NamedKind & {
  /** As it stands in the text. */
  readonly text: string;
};

type NamedKind =
  | { readonly kind: "selection" | "terminal" | "changes" }
  | { readonly kind: "problems"; readonly where: "workspace" | "file" }
  | { readonly kind: "symbol"; readonly name: string };

/** A kind that completion offers, with what it stands for. */
export interface OfferedKind {
  readonly label: string;
  readonly detail: string;
  /** What takes the place of the mention; without a space at its end more is to be typed. */
  readonly text: string;
}

const OFFERED: readonly OfferedKind[] = [
  { label: "@selection", detail: "what is selected in the active editor", text: "@selection " },
  { label: "@problems", detail: "errors and warnings of the workspace", text: "@problems " },
  { label: "@problems:file", detail: "those of the active file", text: "@problems:file " },
  { label: "@terminal", detail: "the active terminal's last command", text: "@terminal " },
  {
    label: "@changes",
    detail: "what git has as changed: diffs, new files by name",
    text: "@changes ",
  },
  { label: "@symbol:", detail: "a function or class by its name", text: "@symbol:" },
  { label: "@folder:", detail: "the files of a folder, and how they begin", text: "@folder:" },
];

/** The kinds whose name begins as what was typed behind the @. */
export function offeredKinds(query: string): readonly OfferedKind[] {
  return OFFERED.filter(({ label }) => label.startsWith(`@${query}`) && label !== `@${query}`);
}

/** Nothing of it is left to type: Enter says the message. */
export function isWholeKind(query: string): boolean {
  return OFFERED.some(({ text }) => text === `@${query} `);
}

const KIND =
  /(?:^|\s)@(?:(selection|terminal|changes)|(problems)(:file)?|symbol:(?:"([^"\n]+)"|([^\s"@]+?)))(?=[\s,;)]|[.!?](?:\s|$)|$)/g;

/** What of these a text names, each once. */
export function kindMentions(text: string): KindMention[] {
  const found = new Map<string, KindMention>();
  for (const match of text.matchAll(KIND)) {
    const mention = match[0].trim();
    found.set(mention, { ...kindOf(match), text: mention });
  }
  return [...found.values()];
}

function kindOf([, plain, problems, ofFile, quoted, name]: RegExpExecArray): NamedKind {
  if (plain === "selection" || plain === "terminal" || plain === "changes") {
    return { kind: plain };
  }
  return problems
    ? { kind: "problems", where: ofFile ? "file" : "workspace" }
    : { kind: "symbol", name: quoted ?? name ?? "" };
}

/** A resource of an MCP server, as completion offers it. */
export interface OfferedResource {
  readonly label: string;
  readonly detail: string;
  /** What takes the place of the mention. */
  readonly text: string;
}

/** A symbol as completion offers it. */
export interface OfferedSymbol {
  readonly name: string;
  readonly path: string;
}

/** What stands in a text for a symbol: with its file where two have one name. */
export function symbolMention(
  { name, path }: OfferedSymbol,
  all: readonly OfferedSymbol[],
): string {
  const own = bareName(name);
  const only = all.filter((one) => bareName(one.name) === own).length === 1;
  const wanted = only ? own : `${own} in ${path}`;
  return /^[^\s"@,;)]+$/.test(wanted) ? `@symbol:${wanted}` : `@symbol:"${wanted}"`;
}

/** The symbol that a mention names among those that were found; one with its file wins. */
export function namedSymbol<T extends OfferedSymbol>(
  wanted: string,
  found: readonly T[],
): T | undefined {
  return (
    found.find(({ name, path }) => wanted === `${bareName(name)} in ${path}`) ??
    found.find(({ name }) => bareName(name) === bareName(wanted))
  );
}

/** A symbol's name without its parameters: some language extensions write `total(a, b)`. */
export function bareName(name: string): string {
  return name.replace(/\(.*$/, "");
}

/** What is searched for, of a mention that may name the file too. */
export function symbolQuery(wanted: string): string {
  return bareName(wanted.replace(/ in \S+$/, ""));
}
