import type { TurnEnded } from "../../protocol";
import { lookup } from "../../text/lookup";
import { remedyOf } from "../remedies";
import { withTitles } from "../settingNames";
import type { ChatState, Entry, ErrorEntry, NoticeEntry } from "../state";
import { upsert } from "./entries";

const STOPPED: Readonly<Record<string, string>> = lookup({
  cancelled: "Stopped.",
  maxTokens: "The answer was cut off: it reached the model's output limit.",
  contextLimit: "The turn ended: the next request would not fit the context window.",
  refused: "The model declined to answer.",
  interrupted: "Plimsoll ended while this was answered. What was done until then stands.",
});

/** What is said of a turn that did not end well. */
export function endNote(update: TurnEnded): NoticeEntry | ErrorEntry | undefined {
  const { turnId, error, stopReason } = update;
  if (error) {
    const { kind, message, fix, item } = error;
    const remedy = remedyOf(error);
    return {
      kind: "error",
      id: `error.${turnId}`,
      errorKind: kind,
      message: withTitles(message, fix?.setting ? [fix.setting] : []),
      retry: true,
      ...(remedy ? { remedy } : {}),
      ...(fix ? { fix } : {}),
      ...(item === undefined ? {} : { item }),
    };
  }
  const markdown = STOPPED[stopReason];
  if (stopReason === "interrupted") {
    const cut = { errorKind: "interrupted", retry: true, interrupted: true } as const;
    return { kind: "error", id: `error.${turnId}`, message: markdown ?? "", ...cut };
  }
  const notice = { kind: "notice", id: `ended.${turnId}`, level: "info" } as const;
  return markdown ? { ...notice, markdown, retry: true } : undefined;
}

export function withNote(
  entries: readonly Entry[],
  note: NoticeEntry | ErrorEntry,
): readonly Entry[] {
  return note.kind === "error" ? withError(entries, note) : [...entries, note];
}

/** One box for one cause: an error in the same words, with nothing said since, takes the other's place. */
export function withError(entries: readonly Entry[], error: ErrorEntry): readonly Entry[] {
  const same = entries.findLastIndex(
    (one) => one.kind === "error" && one.message === error.message,
  );
  const since = same < 0 ? undefined : entries.slice(same + 1);
  return since?.every(({ kind }) => kind === "error" || kind === "notice")
    ? [...entries.toSpliced(same, 1), error]
    : upsert(entries, error);
}

/** The server ended by itself: what had come stays, and nobody waits for the rest. */
export function serverLost(state: ChatState, { message }: { message: string }): ChatState {
  const { turnId, waiting: _over, ...rest } = state;
  if (turnId === undefined) {
    return state;
  }
  const entries = rest.entries.map((entry) =>
    entry.kind === "answer" && entry.streaming
      ? { ...entry, streaming: false, cutOff: true }
      : withCallStopped(entry),
  );
  const lost = { kind: "error", errorKind: "serverLost", retry: true, interrupted: true } as const;
  return { ...rest, queued: [], entries: [...entries, { ...lost, id: `lost.${turnId}`, message }] };
}

function withCallStopped(entry: Entry): Entry {
  if (entry.kind !== "tool" || !UNFINISHED.has(entry.status)) {
    return entry;
  }
  const { permission: _unanswered, ...rest } = entry;
  return { ...rest, status: "failed", output: entry.output ?? "The server ended while it ran." };
}

const UNFINISHED: ReadonlySet<string> = new Set(["pending", "waiting", "running"]);
