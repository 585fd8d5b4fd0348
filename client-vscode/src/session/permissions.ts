import type { RequestPermissionParams, RequestPermissionResult } from "../protocol";
import type { Action } from "./reduce";

interface Cancellation {
  onCancellationRequested(listener: () => void): { dispose(): void };
}

interface Waiting {
  readonly asked: Extract<Action, { type: "asked" }>;
  resolve(result: RequestPermissionResult): void;
}

/** The questions of tool calls that wait for a person. */
export class Questions {
  private readonly waiting = new Map<string, Waiting>();
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
    const asked = { type: "asked", requestId, sessionId, turnId, toolCall, options } as const;
    const answer = new Promise<RequestPermissionResult>((resolve) => {
      this.waiting.set(requestId, { asked, resolve });
    });
    const withdrawn = cancellation.onCancellationRequested(() => this.cancel(requestId));
    this.dispatch(asked);
    try {
      return await answer;
    } finally {
      withdrawn.dispose();
      this.dispatch({ type: "answered", requestId });
    }
  }

  /** Shows the waiting questions of a session that was loaded again. */
  repeat(sessionId: string): void {
    for (const { asked } of [...this.waiting.values()]) {
      if (asked.sessionId === sessionId) {
        this.dispatch(asked);
      }
    }
  }

  /** Answers a question; one that is gone stays gone. */
  answer(requestId: string, optionId: string, reason?: string): void {
    this.settle(requestId, { outcome: "selected", optionId, ...(reason ? { reason } : {}) });
  }

  cancel(requestId: string): void {
    this.settle(requestId, { outcome: "cancelled" });
  }

  /** The server is gone: nobody waits for an answer any more. */
  cancelAll(): void {
    for (const requestId of [...this.waiting.keys()]) {
      this.cancel(requestId);
    }
  }

  private settle(requestId: string, result: RequestPermissionResult): void {
    const waiting = this.waiting.get(requestId);
    this.waiting.delete(requestId);
    waiting?.resolve(result);
  }
}
