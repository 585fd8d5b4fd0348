import {
  ContextMeterRequest,
  SessionCancelRequest,
  SessionForkRequest,
  SessionLoadRequest,
  SessionNewRequest,
  SessionPromptContentRequest,
  SessionPromptRequest,
  SessionRewindRequest,
  SessionUnqueueRequest,
  StatusRequest,
} from "../methods";
import type {
  ContentPart,
  ContextReport,
  Meter,
  Mode,
  QueuedPrompt,
  SessionInfo,
  SessionLoadResult,
  SessionRewindResult,
  SessionUpdateParams,
  When,
} from "../protocol";
import { isCommand, sentAgain } from "./content";
import { failedPrompt, messageBefore } from "./entries/entries";
import { failureOf, type RequestFailure } from "./failure";
import { type Action, hasGap, reduce } from "./reduce";
import { SessionReports } from "./reports";
import type { ServerConnection } from "./serverConnection";
import { type ChatState, type ConnectionState, EMPTY_STATE, type UserEntry } from "./state";

type ActionListener = (action: Action, before: ChatState) => void;

const GO_ON = "Go on where you stopped.";

/** Keeps one conversation true: folds what the server says, and asks again what it missed. */
export class SessionController {
  private current: ChatState = EMPTY_STATE;
  private readonly listeners = new Set<ActionListener>();
  private readonly reports: SessionReports;
  private loading: Promise<void> | undefined;
  private failures = 0;
  private commands = 0;

  constructor(
    private readonly server: ServerConnection,
    private readonly onError: (context: string, error: unknown) => void,
  ) {
    this.reports = new SessionReports(server, () => this.sessionId, onError);
    this.reports.onReport((report) => this.applyReport(report));
  }

  get state(): ChatState {
    return this.current;
  }

  get sessionId(): string | undefined {
    return this.current.session?.id;
  }

  onAction(listener: ActionListener): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** Hears every report of the open session, each time the context has moved. */
  onReport(listener: (report: ContextReport) => void): { dispose(): void } {
    return this.reports.onReport(listener);
  }

  dispatch(action: Action): void {
    const before = this.current;
    this.current = reduce(before, action);
    for (const listener of this.listeners) {
      listener(action, before);
    }
  }

  connection(connection: ConnectionState, message = "", failure?: string): void {
    this.dispatch({ type: "connection", connection, message, ...(failure ? { failure } : {}) });
  }

  /** Ends once the server is not being started, or started again: it is ready, or it failed. */
  async whileStarting(): Promise<void> {
    if (this.current.connection !== "starting") {
      return;
    }
    await new Promise<void>((resolve) => {
      const heard = this.onAction(() => {
        if (this.current.connection !== "starting") {
          heard.dispose();
          resolve();
        }
      });
    });
  }

  /** Asks where sessions are kept: in memory, they end with the server, and that is shown. */
  requestStoreKind(): void {
    const asked = this.server
      .request(StatusRequest, {})
      .then(({ store }) => this.dispatch({ type: "store", inMemory: store.kind === "memory" }));
    this.logFailure("ask where sessions are kept", asked);
  }

  /** Shows a failure in the chat. */
  showFailure({ kind, message, remedy, data }: RequestFailure): void {
    this.failures += 1;
    const id = `failure.${this.failures}`;
    const fix = data?.fix;
    const told = { ...(remedy ? { remedy } : {}), ...(fix ? { fix } : {}) };
    this.dispatch({ type: "failed", error: { id, errorKind: kind, message, ...told } });
  }

  /** Opens a new session in a folder. */
  async create(workspaceFolder: string): Promise<void> {
    const { session, seq } = await this.server.request(SessionNewRequest, { workspaceFolder });
    this.opened({ session, messages: [], seq });
  }

  /** Loads a session, or the latest of the folder, with everything that its transcript shows. */
  async load(workspaceFolder: string, sessionId?: string): Promise<void> {
    const params = { workspaceFolder, ...(sessionId ? { sessionId } : {}) };
    this.opened(await this.server.request(SessionLoadRequest, params));
  }

  /**
   * Loads a session. One that is gone, as those in memory when the server ends, gives way to the
   * latest; one that cannot be opened to a new one, which says why.
   */
  async loadOrCreate(workspaceFolder: string, sessionId?: string): Promise<void> {
    try {
      await this.load(workspaceFolder, sessionId);
    } catch (error) {
      const failure = failureOf(error);
      const gone = failure.kind === "sessionNotFound";
      if (gone && sessionId !== undefined) {
        return this.loadOrCreate(workspaceFolder);
      }
      await this.create(workspaceFolder);
      if (!gone) {
        this.showFailure(failure);
      }
    }
  }

  /** Shows another session of the folder. */
  async show(sessionId: string): Promise<void> {
    const folder = this.current.session?.workspaceFolder;
    if (folder !== undefined && sessionId !== this.sessionId) {
      await this.load(folder, sessionId);
    }
  }

  /** Carries on in a copy of a session, which no other window holds. */
  async fork(sessionId = this.requiredId()): Promise<void> {
    const { session } = await this.server.request(SessionForkRequest, { sessionId });
    await this.load(session.workspaceFolder, session.id);
  }

  /**
   * Says something to the agent; the answer comes as updates, a command of ours stands before it. A
   * prompt that failed unanswered gives way to this one. `when`: its time, while a turn runs.
   */
  async prompt(content: ContentPart[], text: string, when?: When): Promise<void> {
    const sessionId = this.requiredId();
    if (isCommand(text)) {
      this.commands += 1;
      this.dispatch({ type: "command", id: `command${this.commands}`, text });
    } else {
      await this.dropUnanswered();
    }
    const time = when ? { when } : {};
    await this.server.request(SessionPromptRequest, { sessionId, content, ...time });
  }

  /** Takes back a prompt that waits for its time; returns it. */
  async unqueue(queuedId: string): Promise<QueuedPrompt | undefined> {
    const queued = this.current.queued.find((one) => one.queuedId === queuedId);
    const sessionId = this.requiredId();
    await this.server.request(SessionUnqueueRequest, { sessionId, queuedId });
    return queued;
  }

  /** What was sent with a prompt, whole. */
  async promptContent(messageId: string): Promise<readonly ContentPart[]> {
    const params = { sessionId: this.requiredId(), messageId };
    return (await this.server.request(SessionPromptContentRequest, params)).content;
  }

  /** Says again what failed unanswered, with what went along; else lets the agent go on. */
  async retry(): Promise<void> {
    const failed = failedPrompt(this.current.entries);
    const content = failed ? await this.promptContent(failed.id) : [];
    const text = failed?.text ?? GO_ON;
    await this.prompt(sentAgain(text, content), text);
  }

  /**
   * Goes back to before a prompt, which leaves too. Where `restoreFiles` is given, the session keeps
   * a notice of what was done; true: the files are as they were then.
   */
  async goBackBefore(promptId: string, restoreFiles?: boolean): Promise<SessionRewindResult> {
    const result = await this.server.request(SessionRewindRequest, {
      sessionId: this.requiredId(),
      messageId: promptId,
      before: true,
      ...(restoreFiles === undefined ? {} : { restoreFiles }),
    });
    await this.load(result.session.workspaceFolder, result.session.id);
    return result;
  }

  /** Says a prompt once more in its own place, with what went along. */
  async sayAgain({ id, text }: UserEntry): Promise<void> {
    const content = await this.promptContent(id);
    await this.goBackBefore(id);
    await this.prompt(sentAgain(text, content), text);
  }

  /** Carries on in a copy of the session up to a prompt. Raises: its message before is not known. */
  async forkBefore(promptId: string): Promise<void> {
    const messageId = messageBefore(this.current.entries, promptId);
    if (messageId === undefined) {
      throw new Error("What stands before this prompt has no end yet. Reload the window first.");
    }
    if (messageId === null) {
      return this.createLike();
    }
    const params = { sessionId: this.requiredId(), messageId };
    const { session } = await this.server.request(SessionForkRequest, params);
    await this.load(session.workspaceFolder, session.id);
  }

  /** Stops the turn; one that has ended unseen is no longer shown as running. */
  async cancel(): Promise<void> {
    const sessionId = this.requiredId();
    const { cancelled } = await this.server.request(SessionCancelRequest, { sessionId });
    if (!cancelled) {
      this.dispatch({ type: "idle" });
    }
  }

  /** The tokens that an unsent text would add. */
  async draftTokens(text: string): Promise<number> {
    const sessionId = this.requiredId();
    const meter = await this.server.request(ContextMeterRequest, {
      sessionId,
      draft: [{ type: "text", text }],
    });
    return meter.parts.find((part) => part.kind === "draft")?.tokens ?? 0;
  }

  onUpdate({ sessionId, seq, update }: SessionUpdateParams): void {
    if (sessionId !== this.sessionId) {
      return;
    }
    if (seq <= this.current.seq) {
      return;
    }
    if (hasGap(this.current, seq)) {
      this.reload();
      return;
    }
    this.dispatch({ type: "update", seq, update });
    this.afterUpdate(update);
  }

  onMeter(meter: Meter): void {
    if (meter.sessionId === this.sessionId) {
      this.dispatch({ type: "meter", meter });
    }
  }

  dispose(): void {
    this.reports.dispose();
    this.listeners.clear();
  }

  /** Asks for a report in a moment; many calls are one. */
  requestReportSoon(): void {
    this.reports.requestSoon();
  }

  /** The session that is open. Raises: an error that says that none is. */
  requiredId(): string {
    if (this.sessionId === undefined) {
      throw new Error("No session is open. Open a folder, or wait until the server has started.");
    }
    return this.sessionId;
  }

  /** Opens a new session with the folder, the mode and the model of this one. */
  private async createLike(): Promise<void> {
    const { session } = this.current;
    if (session !== undefined) {
      const { workspaceFolder, model } = session;
      const mode = session.mode as Mode;
      this.opened({
        messages: [],
        ...(await this.server.request(SessionNewRequest, { workspaceFolder, mode, model })),
      });
    }
  }

  private async dropUnanswered(): Promise<void> {
    const failed = failedPrompt(this.current.entries);
    if (failed !== undefined) {
      await this.goBackBefore(failed.id);
    }
  }

  private opened(loaded: SessionLoadResult): void {
    this.dispatch({ type: "loaded", ...loaded });
    this.logFailure("measure the session", this.requestMeter());
    this.reports.request();
  }

  /** `/new` and `/resume` move the conversation to another session, as this one's update says. */
  private afterUpdate(update: SessionUpdateParams["update"]): void {
    if (update.kind === "sessionChanged" && update.session.id !== this.sessionId) {
      this.loadInstead(update.session);
    } else if (update.kind === "turnEnded" || update.kind === "toolUpdate") {
      this.requestReportSoon();
    }
  }

  private loadInstead(session: SessionInfo): void {
    this.logFailure("load the session", this.load(session.workspaceFolder, session.id));
  }

  private reload(): void {
    const session = this.current.session;
    if (session !== undefined && this.loading === undefined) {
      this.loading = this.load(session.workspaceFolder, session.id).finally(() => {
        this.loading = undefined;
      });
      this.logFailure("load the session again after missed updates", this.loading);
    }
  }

  private async requestMeter(): Promise<void> {
    const sessionId = this.requiredId();
    this.onMeter(await this.server.request(ContextMeterRequest, { sessionId }));
  }

  private applyReport(report: ContextReport): void {
    const { items = [], spending } = report;
    this.dispatch({ type: "heldTokens", items, ...(spending ? { spending } : {}) });
    const receipts = report.receipts.filter(({ status }) => status === "completed");
    this.dispatch({ type: "receipts", receipts });
  }

  private logFailure(context: string, work: Promise<void>): void {
    work.catch((error: unknown) => this.onError(context, error));
  }
}
