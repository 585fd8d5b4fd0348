import type { ContextItem, Pin } from "../protocol";
import { exactTokens } from "../text/format";
import { lookup } from "../text/lookup";

/** The pins of one scope. */
export interface PinGroup {
  readonly id: string;
  readonly label: string;
  readonly pins: readonly Pin[];
}

const SCOPES: readonly (readonly [string, string])[] = [
  ["session", "This session"],
  ["workspace", "Every session of this folder"],
];

/** The scopes of pins that stand in every session of the folder, whoever else has them. */
const OF_FOLDER: ReadonlySet<string> = new Set(["workspace", "mine", "team"]);

export function isOfFolder({ scope }: Pin): boolean {
  return OF_FOLDER.has(scope);
}

/** Pins by scope, each by its number; a scope without any is left out. */
export function pinGroups(pins: readonly Pin[]): PinGroup[] {
  return SCOPES.map(([id, label]) => ({
    id,
    label,
    pins: pins
      .filter((pin) => isOfFolder(pin) === (id === "workspace"))
      .toSorted((a, b) => a.number - b.number),
  })).filter((group) => group.pins.length > 0);
}

/** Lists as one, each pin once: as the last list has it, whose numbers are the session's own. */
export function mergedPins(...lists: readonly (readonly Pin[])[]): Pin[] {
  return [...new Map(lists.flat().map((pin) => [pin.id, pin])).values()];
}

/** `2 · Every new function carries #qa`. */
export function pinLabel({ number, text }: Pin): string {
  return `${number} · ${text.replaceAll(/\s+/g, " ").trim()}`;
}

export function pinNote({ tokens, itemId, scope, authorName }: Pin): string {
  const notes = [
    `${exactTokens(tokens)} tokens`,
    itemId === undefined ? "" : "item",
    authorName === undefined ? "" : `by ${authorName}`,
    SHARED_WITH[scope] ?? "",
  ];
  return notes.filter((note) => note !== "").join(" · ");
}

const SHARED_WITH: Readonly<Record<string, string>> = lookup({ mine: "my machines", team: "team" });

/** Changes when the pins of a report do. */
export function pinKey(items: readonly ContextItem[]): string {
  return items
    .filter(({ kind, pinned }) => kind === "pins" || pinned)
    .map(({ id, title }) => `${id} ${title}`)
    .join("\n");
}

/** What was pinned, in one sentence. */
export function pinnedText({ number, tokens }: Pin): string {
  return `Pinned as ${number}. Always sent (${exactTokens(tokens)} tokens).`;
}
