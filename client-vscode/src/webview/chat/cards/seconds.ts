import type { ToolEntry } from "../../../session/state";
import { formatSeconds } from "../../../text/format";
import { h } from "../../dom";

const TICK = 1000;

/** How long a call runs, counted on while it runs, or how long a command ran. */
export function secondsView({ status, since, milliseconds }: ToolEntry): HTMLElement[] {
  if (status === "running" && since !== undefined) {
    const hidden = { "aria-hidden": "true", "data-since": since };
    return [h("span", { class: "seconds", ...hidden }, untilNow(since))];
  }
  return milliseconds === undefined
    ? []
    : [h("span", { class: "seconds" }, formatSeconds(milliseconds))];
}

function untilNow(since: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / TICK));
  return formatSeconds(Math.max(seconds * TICK, 0)).replace(".0 s", " s");
}

/** Counts on the seconds of all calls that run, below an element. */
export class RunningSeconds {
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly root: HTMLElement) {}

  /** Counts as long as a call is drawn that runs. */
  draw(): void {
    const counts = this.counted().length > 0;
    if (counts && this.timer === undefined) {
      this.timer = setInterval(() => this.count(), TICK);
    } else if (!counts) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  private counted(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>("[data-since]")];
  }

  private count(): void {
    for (const element of this.counted()) {
      element.textContent = untilNow(element.dataset.since ?? "");
    }
  }
}
