import type { ContentPart } from "../protocol";
import { rangeText } from "../text/lineRange";

/** What the active editor shows: the lines that are selected, or the whole file. */
export interface OfferedPlace {
  readonly uri: string;
  /** Its name for a person, without its folders. */
  readonly name: string;
  readonly selection?: SelectedText;
}

export interface SelectedText {
  /** Lines from 1, both ends included. */
  readonly lines: readonly [number, number];
  readonly text: string;
}

/** What a person has said about the places that were offered. */
export interface Choices {
  /** Selections go along unasked. */
  readonly selections: boolean;
  /** The place that was added by hand. */
  readonly added?: string;
  /** The place that went along with the last message: the model has it. */
  readonly said?: string;
}

/** A selection goes along unless a person said otherwise; a whole file only when it was added. */
export function goesAlong(place: OfferedPlace, { selections, added, said }: Choices): boolean {
  const key = keyOf(place);
  return key === added || (place.selection !== undefined && selections && key !== said);
}

/** Adds the place, or leaves it out; of selections it says what holds for those to come. */
export function toggled(place: OfferedPlace, choices: Choices): Choices {
  const { selections, said } = choices;
  const kept = said === undefined ? {} : { said };
  const isSelection = place.selection !== undefined;
  if (goesAlong(place, choices)) {
    return { ...kept, selections: isSelection ? false : selections };
  }
  const again = keyOf(place) === said;
  return { ...kept, selections: selections || (isSelection && !again), added: keyOf(place) };
}

/** The place went along: it is not sent a second time by itself. */
export function afterSaying(place: OfferedPlace, { selections }: Choices): Choices {
  return { selections, said: keyOf(place) };
}

/** How the place is named above the composer. */
export function placeLabel({ name, selection }: OfferedPlace): string {
  if (selection === undefined) {
    return name;
  }
  const [first, last] = selection.lines;
  return `${name}:${rangeText(first, last)}`;
}

function keyOf({ uri, selection }: OfferedPlace): string {
  return selection === undefined ? uri : `${uri}#${selection.lines.join("-")} ${selection.text}`;
}

/** Whether two parts carry the same text of the same file. */
export function isSamePlace(one: ContentPart, other: ContentPart): boolean {
  if (one.type === "selection" && other.type === "selection") {
    return uriPath(one.uri) === uriPath(other.uri) && one.text === other.text;
  }
  const files = one.type === "file" && other.type === "file";
  return files && uriPath(one.uri) === uriPath(other.uri) && one.range === other.range;
}

/** The path that a URI means: a server and an editor write some characters in other ways. */
export function uriPath(uri: string): string {
  return decodeURIComponent(new URL(uri).pathname);
}
