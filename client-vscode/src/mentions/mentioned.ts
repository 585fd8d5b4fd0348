import type * as vscode from "vscode";
import type { ContentPart } from "../protocol";
import { selectedPart } from "./activeEditor";
import { type KindMention, kindMentions } from "./kinds";
import { problemsPart } from "./problems";
import { symbolPart } from "./symbols";
import type { Terminals } from "./terminals";

/**
 * What a text names behind an @ beside files: the selection, problems, a terminal, symbols, changes.
 * Those in `attached` go along already.
 * Raises: an error that says what is not there; nothing is sent then.
 */
export function mentionedKinds(
  folder: vscode.WorkspaceFolder,
  terminals: Terminals,
  text: string,
  attached: ReadonlySet<string>,
): Promise<ContentPart[]> {
  const open = kindMentions(text).filter((mention) => !attached.has(mention.text));
  return Promise.all(open.map((mention) => partOf(folder, terminals, mention)));
}

async function partOf(
  folder: vscode.WorkspaceFolder,
  terminals: Terminals,
  mention: KindMention,
): Promise<ContentPart> {
  switch (mention.kind) {
    case "selection":
      return requiredSelection();
    case "problems":
      return problemsPart(folder, mention.where);
    case "terminal":
      return { type: "excerpt", ...(await terminals.lastText()) };
    case "changes":
      return { type: "changes" };
    case "symbol":
      return symbolPart(folder, mention.name);
  }
}

function requiredSelection(): ContentPart {
  const part = selectedPart();
  if (part === undefined) {
    throw new Error("@selection: nothing is selected in the active editor.");
  }
  return part;
}
