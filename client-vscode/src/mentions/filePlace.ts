/** A place in a file that a link of an answer names. */
export interface FilePlace {
  readonly path: string;
  /** From 1. */
  readonly line?: number;
}

/** `src/a.py#L10`, `src/a.py#L10-L20`, `src/a.py:10`, `src/a.py`; nothing for an address. */
export function filePlace(href: string): FilePlace | undefined {
  const link = decoded(href.trim());
  if (
    link === "" ||
    link.startsWith("#") ||
    /^(?:[a-z][a-z0-9+-]*:(?!\d+)|\/\/|\\\\)/i.test(link)
  ) {
    return undefined;
  }
  const [, path = "", line] = /^(.*?)(?:(?:#L?|:)(\d+)(?:[-:,]?L?\d+)*)?$/.exec(link) ?? [];
  const file = path.replace(/[?#].*$/, "");
  if (file === "") {
    return undefined;
  }
  return line === undefined ? { path: file } : { path: file, line: Number(line) };
}

/** A link that is no valid one is taken as it stands. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch (error) {
    if (error instanceof URIError) {
      return href;
    }
    throw error;
  }
}
