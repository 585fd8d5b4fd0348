import { ContextReportRequest } from "../methods";
import type { ContextReport } from "../protocol";
import type { ServerConnection } from "./serverConnection";

/** Calls of `requestSoon` are held back this long, in milliseconds: a turn moves the context many times a second. */
const DELAY = 400;
/** A long session's report takes its time: at least this many times as long lies between two. */
const PAUSE_FACTOR = 4;

/** Asks for the report of the open session, at once or in a moment, and tells who listens. */
export class SessionReports {
  private readonly listeners = new Set<(report: ContextReport) => void>();
  private timer: NodeJS.Timeout | undefined;
  private duration = 0;

  constructor(
    private readonly server: ServerConnection,
    private readonly openSession: () => string | undefined,
    private readonly onError: (context: string, error: unknown) => void,
  ) {}

  onReport(listener: (report: ContextReport) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  request(): void {
    const sessionId = this.openSession();
    if (sessionId !== undefined) {
      this.ask(sessionId).catch((error: unknown) => this.onError("weigh the items", error));
    }
  }

  /** Asks in a moment; many calls are one. */
  requestSoon(): void {
    if (this.openSession() === undefined) {
      return;
    }
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.request();
      },
      Math.max(DELAY, PAUSE_FACTOR * this.duration),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.clear();
  }

  private async ask(sessionId: string): Promise<void> {
    const began = Date.now();
    const params = { sessionId, detail: "detail" as const };
    const report = await this.server.request(ContextReportRequest, params);
    this.duration = Date.now() - began;
    if (sessionId === this.openSession()) {
      for (const listener of this.listeners) {
        listener(report);
      }
    }
  }
}
