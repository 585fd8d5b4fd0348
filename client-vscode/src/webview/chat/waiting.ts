import { workingText } from "../../session/labels/waits";
import type { ChatState } from "../../session/state";
import { h } from "../dom";

const TICK = 1000;

/** A quiet line below the conversation: what the turn does or waits for, and for how many seconds. */
export class WaitingLine {
  readonly element = h("div", { class: "waiting", hidden: true });
  private readonly words = h("span", { class: "waiting-words" });
  private readonly seconds = h("span", { "aria-hidden": "true" });
  private timer: ReturnType<typeof setInterval> | undefined;
  /** When what is done now began here, where nobody says so. */
  private began = "";

  constructor() {
    this.element.append(
      h("span", { class: "waiting-dot", "aria-hidden": "true" }),
      this.words,
      this.seconds,
    );
  }

  draw(state: ChatState): void {
    clearInterval(this.timer);
    const text = workingText(state) ?? "";
    this.element.hidden = text === "";
    if (this.words.textContent !== text) {
      this.words.textContent = text;
      this.began = new Date().toISOString();
    }
    if (text !== "") {
      const since = state.waiting?.since ?? this.began;
      this.count(since);
      this.timer = setInterval(() => this.count(since), TICK);
    }
  }

  private count(since: string): void {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000));
    this.seconds.textContent = ` · ${seconds} s`;
  }
}
