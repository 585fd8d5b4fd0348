/** Runs a task one at a time; calls during a run are answered by one more run after it. */
export class Serial {
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
