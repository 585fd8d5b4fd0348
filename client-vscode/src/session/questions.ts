import type { RequestPermissionParams, RequestPermissionResult } from "../protocol";
import type { Action } from "./reduce";

interface Cancellation {
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** The questions of tool calls that wait for a person. */
export class Questions {
  private readonly waiting = new Map<string, (result: RequestPermissionResult) => void>();
  private count = 0;

  constructor(private readonly dispatch: (action: Action) => void) {}

  /** Shows a question and waits for its answer; a question that is withdrawn is `cancelled`. */
  async ask(
    params: RequestPermissionParams,
    cancellation: Cancellation,
  ): Promise<RequestPermissionResult> {
    this.count += 1;
    const requestId = `question${this.count}`;
    const { turnId, toolCall, options } = params;
    const answer = new Promise<RequestPermissionResult>((resolve) => {
      this.waiting.set(requestId, resolve);
    });
    const withdrawn = cancellation.onCancellationRequested(() => this.cancel(requestId));
    this.dispatch({ type: "asked", requestId, turnId, toolCall, options });
    try {
      return await answer;
    } finally {
      withdrawn.dispose();
      this.dispatch({ type: "answered", requestId });
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
    const resolve = this.waiting.get(requestId);
    this.waiting.delete(requestId);
    resolve?.(result);
  }
}
