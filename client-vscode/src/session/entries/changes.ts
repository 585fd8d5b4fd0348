import type { ToolCall } from "../../protocol";
import { fileDiffs, lineCounts, namedFile } from "../../text/unifiedDiff";
import type { ChangedFile, ChangesEntry, Entry, ToolEntry } from "../state";
import { findTool } from "./entries";

/** The files that a turn has changed, each once; nothing where it changed none. */
export function changesOf(entries: readonly Entry[], turnId: string): ChangesEntry | undefined {
  const files = new Map<string, ChangedFile>();
  for (const entry of entries) {
    if (entry.kind === "tool" && entry.turnId === turnId && isDone(entry)) {
      for (const file of changedFiles(entry)) {
        files.set(file.uri, withChange(files.get(file.uri), file));
      }
    }
  }
  return files.size === 0
    ? undefined
    : { kind: "changes", id: `changes.${turnId}`, files: [...files.values()] };
}

function isDone({ status, call }: ToolEntry): boolean {
  return status === "completed" && Boolean(call.detail?.diff) && call.locations.length > 0;
}

/** The change of one file by a call. */
export interface FileChange {
  readonly uri: string;
  readonly diff: string;
}

/** What a call changes, file by file: the diffs stand in the order of its places. */
export function fileChanges({ detail, locations }: ToolCall): FileChange[] {
  const diff = detail?.diff ?? "";
  const [first] = locations;
  const diffs = fileDiffs(diff);
  if (locations.length > 1 && diffs.length === locations.length) {
    return locations.map(({ uri }, index) => ({ uri, diff: diffs[index] ?? "" }));
  }
  return first === undefined || diff === "" ? [] : [{ uri: first.uri, diff }];
}

/** The diffs that some calls made of a file, in their order. */
export function diffsOf(
  entries: readonly Entry[],
  { uri, callIds }: Pick<ChangedFile, "uri" | "callIds">,
): string[] {
  return callIds.map((id) => {
    const call = findTool(entries, id)?.call;
    return call === undefined
      ? ""
      : (fileChanges(call).find((change) => change.uri === uri)?.diff ?? "");
  });
}

function changedFiles({ id, call }: ToolEntry): ChangedFile[] {
  const changes = fileChanges(call);
  const { path } = call.arguments;
  const alone = changes.length === 1 && typeof path === "string" ? path : undefined;
  return changes.map(({ uri, diff }) => {
    const name = alone ?? namedFile(diff) ?? decodeURIComponent(uri.split("/").at(-1) ?? uri);
    return { uri, name, callIds: [id], ...lineCounts(diff) };
  });
}

function withChange(known: ChangedFile | undefined, next: ChangedFile): ChangedFile {
  return known === undefined
    ? next
    : {
        ...known,
        added: known.added + next.added,
        removed: known.removed + next.removed,
        callIds: [...known.callIds, ...next.callIds],
      };
}

/** What a person has said about some of the files. */
export function withSettled(
  entry: ChangesEntry,
  uris: readonly string[],
  settled: "kept" | "undone",
): ChangesEntry {
  const files = entry.files.map((file) => (uris.includes(file.uri) ? { ...file, settled } : file));
  return { ...entry, files };
}
