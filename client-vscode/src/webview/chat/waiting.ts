import { waitingText } from "../../session/labels";
import type { ChatState } from "../../session/state";
import { h } from "../dom";

const TICK = 1000;

/** A quiet line below the conversation: what is waited for, and for how many seconds. */
export class WaitingLine {
  readonly element = h("div", { class: "waiting", hidden: true });
  private readonly words = h("span", { class: "waiting-words" });
  private readonly seconds = h("span", { "aria-hidden": "true" });
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    this.element.append(
      h("span", { class: "waiting-dot", "aria-hidden": "true" }),
      this.words,
      this.seconds,
    );
  }

  draw({ waiting, session, turnId }: ChatState): void {
    clearInterval(this.timer);
    const lasts = waiting !== undefined && turnId !== undefined;
    this.element.hidden = !lasts;
    const text = lasts ? waitingText(waiting, session?.model) : "";
    if (this.words.textContent !== text) {
      this.words.textContent = text;
    }
    if (lasts) {
      this.count(waiting.since);
      this.timer = setInterval(() => this.count(waiting.since), TICK);
    }
  }

  private count(since: string): void {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000));
    this.seconds.textContent = ` · ${seconds} s`;
  }
}
