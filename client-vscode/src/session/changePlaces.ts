import { changedLines } from "../text/changedLines";
import { diffsOf } from "./changes";
import type { Entry } from "./state";

/** The beginning of something that the agent changed. */
export interface ChangePlace {
  readonly uri: string;
  /** From 0. */
  readonly line: number;
}

/** What the last turn with changes has changed and nobody has undone: file by file, line by line. */
export function changePlaces(entries: readonly Entry[]): ChangePlace[] {
  const last = entries.findLast((entry) => entry.kind === "changes");
  const files = last?.kind === "changes" ? last.files : [];
  return files
    .filter(({ settled }) => settled !== "undone")
    .flatMap((file) =>
      changedLines(diffsOf(entries, file)).map((line) => ({ uri: file.uri, line })),
    );
}

/** The place to go to from here, round and round; the first or last where here is none of the files. */
export function nextPlace(
  places: readonly ChangePlace[],
  here: ChangePlace | undefined,
  step: 1 | -1,
): ChangePlace | undefined {
  const ordered = step === 1 ? places : places.toReversed();
  const file = ordered.findIndex(({ uri }) => uri === here?.uri);
  if (here === undefined || file === -1) {
    return ordered[0];
  }
  const beyond = ordered.findIndex(
    ({ uri, line }, index) => index >= file && (uri !== here.uri || (line - here.line) * step > 0),
  );
  return ordered[beyond] ?? ordered[0];
}
