import type { RequestPermissionParams, RequestPermissionResult } from "../protocol";
import type { Action } from "./reduce";

interface Cancellation {
  onCancellationRequested(listener: () => void): { dispose(): void };
}

interface PendingRequest {
  readonly action: Extract<Action, { type: "permissionRequested" }>;
  /** Of files that a command made, those that a person has chosen to keep. */
  keptFiles?: readonly string[];
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
      this.pending.set(requestId, { action, resolve });
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
    for (const { action, keptFiles } of [...this.pending.values()]) {
      if (action.sessionId === sessionId) {
        this.dispatch(action);
        if (keptFiles) {
          this.dispatch({ type: "filesChosen", requestId: action.requestId, keptFiles });
        }
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

  /** Answers a question; one that is gone stays gone. */
  answer(requestId: string, optionId: string, reason?: string, editedPlan?: string): void {
    const keptFiles = this.pending.get(requestId)?.keptFiles;
    this.settle(requestId, {
      outcome: "selected",
      optionId,
      ...(keptFiles ? { keptFiles: [...keptFiles] } : {}),
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
