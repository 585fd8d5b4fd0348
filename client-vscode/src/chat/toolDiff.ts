import * as vscode from "vscode";
import type { VirtualDocuments } from "../editor/documents";
import type { ToolCall } from "../protocol";

/** Opens what an edit would do in the diff editor; where the file has moved on, the diff as text. */
export async function openToolDiff(documents: VirtualDocuments, call: ToolCall): Promise<void> {
  const diff = call.detail?.diff;
  const location = call.locations[0];
  if (!diff || location === undefined) {
    return;
  }
  const uri = vscode.Uri.parse(location.uri);
  const name = vscode.workspace.asRelativePath(uri, false);
  const before = await currentText(uri);
  const after = applyUnifiedDiff(before, diff);
  if (after === undefined) {
    await documents.showText(`${name}.diff`, diff);
  } else {
    await documents.showDiff(call.title, name, before, after);
  }
}

async function currentText(uri: vscode.Uri): Promise<string> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText().replaceAll("\r\n", "\n");
  } catch (error) {
    // A new file: there is nothing before.
    if (error instanceof Error && !(await exists(uri))) {
      return "";
    }
    throw error;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) {
      return false;
    }
    throw error;
  }
}

interface Hunk {
  /** The first line that the hunk replaces, from 0. */
  readonly start: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;

/** Applies a unified diff to a text; undefined when the text is not the one that it was made from. */
export function applyUnifiedDiff(before: string, diff: string): string | undefined {
  const lines = before.split("\n");
  let shift = 0;
  for (const { start, removed, added } of hunks(diff)) {
    const at = start + shift;
    if (removed.some((line, index) => lines[at + index] !== line)) {
      return undefined;
    }
    lines.splice(at, removed.length, ...added);
    shift += added.length - removed.length;
  }
  return lines.join("\n");
}

function hunks(diff: string): Hunk[] {
  const found: { start: number; removed: string[]; added: string[] }[] = [];
  for (const line of diff.split("\n")) {
    const header = HEADER.exec(line);
    const hunk = found.at(-1);
    if (header) {
      const empty = header[2] === "0";
      found.push({ start: Number(header[1]) - (empty ? 0 : 1), removed: [], added: [] });
    } else if (hunk !== undefined) {
      take(hunk, line);
    }
  }
  return found;
}

function take(hunk: { removed: string[]; added: string[] }, line: string): void {
  const text = line.slice(1);
  if (line.startsWith(" ") || line.startsWith("-")) {
    hunk.removed.push(text);
  }
  if (line.startsWith(" ") || line.startsWith("+")) {
    hunk.added.push(text);
  }
}
