import { lineCounts } from "../text/unifiedDiff";
import type { ChangedFile, ChangesEntry, Entry, ToolEntry } from "./state";

/** The files that a turn has changed, each once; nothing where it changed none. */
export function changesOf(entries: readonly Entry[], turnId: string): ChangesEntry | undefined {
  const files = new Map<string, ChangedFile>();
  for (const entry of entries) {
    if (entry.kind === "tool" && entry.turnId === turnId && isDone(entry)) {
      const file = changedFile(entry);
      files.set(file.uri, withChange(files.get(file.uri), file));
    }
  }
  return files.size === 0
    ? undefined
    : { kind: "changes", id: `changes.${turnId}`, files: [...files.values()] };
}

function isDone({ status, call }: ToolEntry): boolean {
  return status === "completed" && Boolean(call.detail?.diff) && call.locations.length > 0;
}

function changedFile({ id, call }: ToolEntry): ChangedFile {
  const uri = call.locations[0]?.uri ?? "";
  const named = call.arguments.path;
  const name = typeof named === "string" ? named : decodeURIComponent(uri.split("/").at(-1) ?? uri);
  return { uri, name, callIds: [id], ...lineCounts(call.detail?.diff ?? "") };
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
