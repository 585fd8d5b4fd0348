import * as vscode from "vscode";
import { confirm } from "../editor/notifications";
import { anchorOf, discardWords, type FileHunk, type HunkPlace, hunkAt, nextHunk } from "./model";
import { oneAtATime } from "./order";
import type { Hunks } from "./store";
import type { HunkName } from "./view";

/** What a person does with hunks, from a lens with its name, or by key at the cursor. */
export function hunkHandlers(hunks: Hunks) {
  const choose = (keep: boolean, chosen: readonly FileHunk[]) =>
    keep ? hunks.keep(chosen) : hunks.undo(chosen);
  const order = oneAtATime();
  const one = (keep: boolean) =>
    order(async (name?: HunkName) => {
      const hunk = named(hunks, name);
      await choose(keep, [hunk]);
      if (name === undefined) {
        await goOn(hunks, hunk);
      }
    });
  const inFile = (keep: boolean) => order(async () => choose(keep, inActiveFile(hunks)));
  return {
    keepHunk: one(true),
    undoHunk: one(false),
    keepFileHunks: inFile(true),
    undoFileHunks: inFile(false),
    keepAllHunks: () => hunks.keep(some(hunks.all)),
    undoAllHunks: () => undoAll(hunks),
    showHunk: order(async (name?: HunkName) => show(named(hunks, name))),
    nextChange: order(() => go(hunks, 1)),
    previousChange: order(() => go(hunks, -1)),
  };
}

/** Raises: an error where there is nothing to choose from. */
function some(found: readonly FileHunk[]): readonly FileHunk[] {
  if (found.length === 0) {
    throw new Error("No change of the agent waits to be kept or undone.");
  }
  return found;
}

async function undoAll(hunks: Hunks): Promise<void> {
  const all = some(hunks.all);
  const { question, detail, action } = discardWords(all);
  if (await confirm(question, detail, action)) {
    await hunks.undo(all);
  }
}

function here(): HunkPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri.toString(), line: editor.selection.active.line };
}

function named(hunks: Hunks, name: HunkName | undefined): FileHunk {
  const place = here();
  const hunk =
    name === undefined
      ? place && hunkAt(hunks.all, place)
      : hunks.all.find(({ uri, id }) => uri === name.uri && id === name.id);
  if (hunk === undefined) {
    throw new Error(
      name === undefined
        ? "No change of the agent is at the cursor. “Plimsoll: Next Change of the Agent” goes to one."
        : "This change is not there any more.",
    );
  }
  return hunk;
}

function inActiveFile(hunks: Hunks): readonly FileHunk[] {
  const place = here();
  return some(hunks.all.filter(({ uri }) => uri === place?.uri));
}

async function go(hunks: Hunks, step: 1 | -1): Promise<void> {
  const [first] = some(hunks.all);
  await show(nextHunk(hunks.all, here(), step) ?? (first as FileHunk));
}

/** After a choice by key, goes to the next change of the file, if one is left to be chosen. */
async function goOn(hunks: Hunks, { uri, start }: FileHunk): Promise<void> {
  const left = hunks.all.filter((one) => one.uri === uri && one.proposal?.kept === undefined);
  const next = nextHunk(left, { uri, line: start - 1 }, 1);
  if (next !== undefined) {
    await show(next);
  }
}

/** Puts the cursor there and opens what stands behind the change, which is read out too. */
async function show(hunk: FileHunk): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(hunk.uri));
  const line = Math.min(anchorOf(hunk), document.lineCount - 1);
  const at = new vscode.Position(line, 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  // The keys that choose hold in the text: a hover that is open must not take them.
  await vscode.commands.executeCommand("editor.action.showHover", { focus: "noAutoFocus" });
}
