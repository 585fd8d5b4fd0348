import { exactTokens, formatTokens } from "../../text/format";
import { lookup } from "../../text/lookup";
import type { HeldTokens } from "../state";

/** How an item stands, for people; on the wire and in the code the states keep their names. */
const STATE_WORDS: Readonly<Record<string, string>> = lookup({
  verbatim: "whole",
  truncated: "shortened",
  referred: "shown earlier",
  superseded: "outdated",
  pruned: "removed",
  summarised: "in the summary",
  evicted: "removed",
  trimmed: "removed",
});

export function stateWord(state: string): string {
  return STATE_WORDS[state] ?? state;
}

/** What became of a file that a rules file names, for people. */
const OUTCOME_WORDS: Readonly<Record<string, string>> = lookup({
  followed: "followed",
  missing: "missing",
  refused: "may not be read",
  outside: "outside the folder",
  met: "stands there already",
  tooDeep: "too deep",
  tooMany: "too many",
});

export function outcomeWord(outcome: string): string {
  return OUTCOME_WORDS[outcome] ?? outcome;
}

/** `1,204 tok`, `51.2k → 3.1k tok · shortened for the model`. */
export function heldTokensText(heldTokens: HeldTokens): string {
  const { tokens, originalTokens, state } = heldTokens;
  if (tokens === 0) {
    return stateWord(state);
  }
  if (tokens === originalTokens || state === "verbatim") {
    return `${exactTokens(tokens)} tok`;
  }
  const note = FORM_NOTES[state] ?? stateWord(state);
  return `${formatTokens(originalTokens)} → ${formatTokens(tokens)} tok · ${note}`;
}

/** A shortened result is not lost: the whole of it is kept. */
const FORM_NOTES: Readonly<Record<string, string>> = { truncated: "shortened for the model" };
