import type { SessionInfo, SessionUpdate } from "../protocol";

/** A turn of the session on the screen. */
interface Turn {
  readonly id: string;
  /** When it began, in milliseconds. */
  readonly began: number;
}

/** Knows when a turn of the shown session took so long that its end is worth a word. */
export class TurnEnds {
  private turn: Turn | undefined;

  /** Takes an update of the shown session at a time; how long a turn took that has ended with it. */
  hear(update: SessionUpdate, now: number): number | undefined {
    if (update.kind === "turnStarted") {
      this.turn = { id: update.turnId, began: now };
    }
    if (update.kind !== "turnEnded" || this.turn?.id !== update.turnId) {
      return undefined;
    }
    const { began } = this.turn;
    this.turn = undefined;
    // What was cancelled was so by a person, who is here.
    return update.stopReason === "cancelled" ? undefined : now - began;
  }
}

/** Whether the end of a turn is told: it was long, and nobody looks. Seconds; 0 tells nothing. */
export function isTold(
  milliseconds: number | undefined,
  longTurnSeconds: number,
  { agent }: Pick<SessionInfo, "agent">,
  isFocused: boolean,
): boolean {
  // Of a subagent its caller tells.
  const own = agent === undefined && longTurnSeconds > 0 && !isFocused;
  return own && milliseconds !== undefined && milliseconds >= longTurnSeconds * 1000;
}
