const WINDOW_MILLISECONDS = 3 * 60_000;
/** More crashes than this within the window, and the server stays down until somebody starts it. */
const RESTARTS = 4;
/** After so many, the stored session is not resumed: it may be their cause. */
const BEFORE_SAFE_START = 2;

/** What to do about a server that keeps falling over. */
export class Crashes {
  private times: readonly number[] = [];

  record(now: number): void {
    this.times = [...this.times.filter((time) => now - time < WINDOW_MILLISECONDS), now];
  }

  forget(): void {
    this.times = [];
  }

  get mayRestart(): boolean {
    return this.times.length <= RESTARTS;
  }

  get mayResume(): boolean {
    return this.times.length < BEFORE_SAFE_START;
  }
}
