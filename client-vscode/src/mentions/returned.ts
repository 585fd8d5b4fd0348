import * as path from "node:path";
import type { ContentPart, FilePart, SelectionPart } from "../protocol";
import { type Mention, mentions } from "../session/content";
import { imageLabel } from "../session/images";
import { rangeText } from "../text/lineRange";
import { type KindMention, kindMentions } from "./kinds";
import { uriPath } from "./offer";

/** A part that comes back to the composer with its prompt. */
export interface ReturnedPart {
  readonly label: string;
  readonly part: ContentPart;
  /** The mention in the text that it stands for, as `@terminal`: that is not looked up again. */
  readonly mention?: string;
}

/** What went along with a prompt beside the files that its text names, which are read anew. */
export function returnedParts(
  text: string,
  content: readonly ContentPart[],
  folder: string,
): ReturnedPart[] {
  const named = new Set(mentions(text).flatMap((mention) => namedPlaces(mention, folder)));
  const rest = content.filter(
    (part) => part.type !== "text" && !(part.type === "file" && named.has(placeOf(part))),
  );
  const open = kindMentions(text);
  return rest.map((part) => {
    const at = open.findIndex((mention) => standsFor(part, mention));
    const [mention] = at < 0 ? [] : open.splice(at, 1);
    return { label: labelOf(part, folder), part, ...(mention ? { mention: mention.text } : {}) };
  });
}

function namedPlaces({ path: named, lines }: Mention, folder: string): string[] {
  const wanted = lines?.join("-") ?? "";
  return [path.posix.join(folder, named), named].map((one) => `${bareFolder(one)}#${wanted}`);
}

function placeOf({ uri, range }: FilePart): string {
  const lines = range ? `${range.start.line + 1}-${range.end.line}` : "";
  return `${pathOf(uri)}#${lines}`;
}

function pathOf(uri: string): string {
  return bareFolder(uriPath(uri));
}

function bareFolder(name: string): string {
  return name.replace(/(?<=.)\/$/, "");
}

function standsFor(part: ContentPart, mention: KindMention): boolean {
  switch (mention.kind) {
    case "selection":
      return part.type === "selection";
    case "symbol":
      return part.type === "file" && part.range !== undefined;
    case "problems":
      return part.type === "excerpt" && part.title.startsWith("problems of ");
    case "terminal":
      return part.type === "excerpt" && part.title.startsWith("terminal ");
    case "changes":
      return (
        part.type === "changes" || (part.type === "excerpt" && part.title.startsWith("changes: "))
      );
  }
}

function labelOf(part: ContentPart, folder: string): string {
  switch (part.type) {
    case "image":
      return imageLabel({ name: "image", ...part });
    case "excerpt":
      return part.title;
    case "changes":
      return "changes";
    case "file":
    case "selection":
      return placeLabel(part, folder);
    case "text":
      return part.text;
  }
}

function placeLabel({ uri, range }: FilePart | SelectionPart, folder: string): string {
  const whole = pathOf(uri);
  const name = whole.startsWith(`${folder}/`) ? whole.slice(folder.length + 1) : whole;
  if (range === undefined) {
    return name;
  }
  const { start, end } = range;
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return `${name}:${rangeText(start.line + 1, last)}`;
}
