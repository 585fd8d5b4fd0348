import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Launch } from "./launch";

/** A server that was told to stop is given this long, in milliseconds. */
const STOP_MILLISECONDS = 3000;
const KEPT_OUTPUT_CHARACTERS = 4000;
/** How long its last words may take to arrive after its streams have closed. */
const LAST_OUTPUT_MILLISECONDS = 1000;

/** The running server, and what it said last on its error stream. */
export class ServerProcess {
  private child: ChildProcess | undefined;
  private errorOutput = "";

  /** `variables`: what the server finds in its environment besides the editor's own. */
  constructor(
    private readonly launch: Launch,
    private readonly variables: Readonly<Record<string, string>> = {},
  ) {}

  /** Starts the server. Raises: an error when the command cannot be run. */
  async start(): Promise<ChildProcess> {
    const { command, args, cwd } = this.launch;
    const child = spawn(command, args, { cwd, env: { ...process.env, ...this.variables } });
    this.child = child;
    this.errorOutput = "";
    child.stderr.on("data", (data: Buffer) => {
      this.errorOutput = (this.errorOutput + data.toString()).slice(-KEPT_OUTPUT_CHARACTERS);
    });
    await once(child, "spawn");
    return child;
  }

  /** Why the server ended, as well as it said itself. */
  async exitMessage(): Promise<string> {
    await this.closed();
    const code = this.child?.exitCode;
    const ended = typeof code === "number" ? `ended with code ${code}` : "ended";
    const last = this.errorOutput.trim().split("\n").at(-1)?.trim() ?? "";
    return `The Plimsoll server ${ended}${last === "" ? "." : `: ${last}`}`;
  }

  private async closed(): Promise<void> {
    if (this.child?.stderr?.closed === false) {
      const late = setTimeout(LAST_OUTPUT_MILLISECONDS, undefined, { ref: false });
      await Promise.race([once(this.child, "close"), late]);
    }
  }

  /** Waits for the end of a server that was told to stop, and ends one that does not listen. */
  async end(): Promise<void> {
    const child = this.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    const exit = once(child, "exit").then(() => true);
    const late = setTimeout(STOP_MILLISECONDS, false, { ref: false });
    if (!(await Promise.race([exit, late]))) {
      child.kill("SIGKILL");
      await exit;
    }
  }
}

/** Runs a task one at a time; calls during a run are answered by one more run after it. */
export class SerialTask {
  private running: Promise<void> | undefined;
  private queued: Promise<void> | undefined;

  constructor(private readonly task: () => Promise<void>) {}

  run(): Promise<void> {
    if (this.running === undefined) {
      return this.begin();
    }
    this.queued ??= this.running.then(
      () => this.next(),
      () => this.next(),
    );
    return this.queued;
  }

  private next(): Promise<void> {
    this.queued = undefined;
    return this.begin();
  }

  private begin(): Promise<void> {
    this.running = this.task().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }
}

const CRASH_WINDOW_MILLISECONDS = 3 * 60_000;
/** More crashes than this within the window, and the server stays down until somebody starts it. */
const MOST_RESTARTS = 4;
/** After so many starts that opened none, the stored session is not resumed: it may be the cause. */
const FAILED_STARTS_BEFORE_SAFE_START = 2;

/** What to do about a server that keeps falling over. */
export class CrashHistory {
  private times: readonly number[] = [];
  /** Starts in a row after which no session was open; no restart forgets them. */
  private failedStarts = 0;

  record(now: number): void {
    this.times = [...this.times.filter((time) => now - time < CRASH_WINDOW_MILLISECONDS), now];
  }

  forget(): void {
    this.times = [];
  }

  startFailed(): void {
    this.failedStarts += 1;
  }

  sessionOpened(): void {
    this.failedStarts = 0;
  }

  get mayRestart(): boolean {
    return this.times.length <= MOST_RESTARTS;
  }

  /** The last start of its own opens a new session: one that does open may still be the cause. */
  get mayResume(): boolean {
    return this.times.length < MOST_RESTARTS && this.failedStarts < FAILED_STARTS_BEFORE_SAFE_START;
  }
}
