import type { RequestPermissionParams, RequestPermissionResult } from "../protocol";
import type { Action } from "./reduce";

interface Cancellation {
  onCancellationRequested(listener: () => void): { dispose(): void };
}

interface PendingRequest {
  readonly action: Extract<Action, { type: "permissionRequested" }>;
  /** Of files that a command made, those that a person has chosen to keep. */
  keptFiles?: readonly string[];
  /** Of the hunks of a change, those that a person has chosen to keep or to leave out. */
  readonly hunks: Map<number, boolean>;
  resolve(result: RequestPermissionResult): void;
}

/** The requests for permission that wait for a person. */
export class PermissionRequests {
  private readonly pending = new Map<string, PendingRequest>();
  private count = 0;

  constructor(private readonly dispatch: (action: Action) => void) {}

  /** Shows a question and waits for its answer; a question that is withdrawn is `cancelled`. */
  async ask(
    params: RequestPermissionParams,
    cancellation: Cancellation,
  ): Promise<RequestPermissionResult> {
    this.count += 1;
    const requestId = `question${this.count}`;
    const { sessionId, turnId, toolCall, options } = params;
    const action = {
      type: "permissionRequested",
      requestId,
      sessionId,
      turnId,
      toolCall,
      options,
    } as const;
    const answer = new Promise<RequestPermissionResult>((resolve) => {
      this.pending.set(requestId, { action, hunks: new Map(), resolve });
    });
    const withdrawn = cancellation.onCancellationRequested(() => this.cancel(requestId));
    this.dispatch(action);
    try {
      return await answer;
    } finally {
      withdrawn.dispose();
      this.dispatch({ type: "permissionAnswered", requestId });
    }
  }

  /** Shows the pending requests of a session that was loaded again. */
  showAgain(sessionId: string): void {
    for (const { action, keptFiles, hunks } of [...this.pending.values()]) {
      if (action.sessionId === sessionId) {
        this.dispatch(action);
        if (keptFiles) {
          this.dispatch({ type: "filesChosen", requestId: action.requestId, keptFiles });
        }
        this.tellHunks(action.requestId, hunks);
      }
    }
  }

  /** Of files that a command made, chooses those that "Keep" keeps, by whatever way it is given. */
  chooseFiles(requestId: string, keptFiles: readonly string[]): void {
    const pending = this.pending.get(requestId);
    if (pending) {
      pending.keptFiles = keptFiles;
      this.dispatch({ type: "filesChosen", requestId, keptFiles });
    }
  }

  /** What a person has chosen of the hunks of a change that waits, by their numbers. */
  chosenHunks(requestId: string): ReadonlyMap<number, boolean> {
    return this.pending.get(requestId)?.hunks ?? new Map();
  }

  /** Chooses a hunk of a change that waits; with the last one the question is answered. */
  chooseHunk(requestId: string, number: number, kept: boolean): void {
    const pending = this.pending.get(requestId);
    if (pending === undefined) {
      return;
    }
    const { hunks, action } = pending;
    hunks.set(number, kept);
    if (hunks.size === action.toolCall.detail?.hunks?.length) {
      const kind = [...hunks.values()].includes(true) ? "allowOnce" : "rejectOnce";
      this.answer(requestId, action.options.find((one) => one.kind === kind)?.optionId ?? "");
    } else {
      this.tellHunks(requestId, hunks);
    }
  }

  private tellHunks(requestId: string, hunks: ReadonlyMap<number, boolean>): void {
    if (hunks.size > 0) {
      const left = [...hunks.values()].filter((kept) => !kept).length;
      this.dispatch({ type: "hunksChosen", requestId, rejectedHunks: left });
    }
  }

  /** Answers a question; one that is gone stays gone. Of a change all is made but what was left out. */
  answer(requestId: string, optionId: string, reason?: string, editedPlan?: string): void {
    const pending = this.pending.get(requestId);
    const { keptFiles } = pending ?? {};
    const keptHunks = pending && keptOf(pending.hunks, pending.action);
    this.settle(requestId, {
      outcome: "selected",
      optionId,
      ...(keptFiles ? { keptFiles: [...keptFiles] } : {}),
      ...(keptHunks ? { keptHunks } : {}),
      ...(reason ? { reason } : {}),
      ...(editedPlan === undefined ? {} : { editedPlan }),
    });
  }

  cancel(requestId: string): void {
    this.settle(requestId, { outcome: "cancelled" });
  }

  /** The server is gone: nobody waits for an answer any more. */
  cancelAll(): void {
    for (const requestId of [...this.pending.keys()]) {
      this.cancel(requestId);
    }
  }

  private settle(requestId: string, result: RequestPermissionResult): void {
    const pending = this.pending.get(requestId);
    this.pending.delete(requestId);
    pending?.resolve(result);
  }
}

/** The hunks that are made once a call is allowed; undefined: all of them. */
function keptOf(
  chosen: ReadonlyMap<number, boolean>,
  { toolCall }: PendingRequest["action"],
): number[] | undefined {
  const numbers = (toolCall.detail?.hunks ?? []).map((_, number) => number);
  const kept = numbers.filter((number) => chosen.get(number) !== false);
  return kept.length === numbers.length ? undefined : kept;
}
