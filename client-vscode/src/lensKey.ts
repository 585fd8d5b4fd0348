import type { ContextItem } from "./protocol";

/** The icon font draws the mark where the server, for any client, writes a sign; a plain space after an icon is dropped. */
export function drawnTitle(title: string): string {
  return title.replace(/^⊖ /, "$(plimsoll-mark)\u00a0");
}

/** What the lenses of a report show, to tell whether an editor has to ask for them again. */
export function lensKey(items: readonly ContextItem[]): string {
  return items
    .filter(({ source }) => source !== undefined)
    .map(({ id, tokens, state, source }) => `${id} ${tokens} ${state} ${source?.stale}`)
    .join("\n");
}
