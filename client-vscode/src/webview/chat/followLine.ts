import { holderWords, workingWords } from "../../session/labels/sessions";
import type { ChatState } from "../../session/state";
import { h, morph } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { commandButton } from "./entries";

/**
 * In the place of the field while another window or machine writes the session: who does, whether a turn runs
 * there, and what to do.
 */
export class FollowLine {
  readonly element = h("div", { class: "follow", hidden: true });

  draw({ session, connection }: ChatState): void {
    const heldBy = connection === "ready" ? session?.heldBy : undefined;
    const attributes = { class: "follow", role: "group", "aria-label": "Read only" };
    if (heldBy === undefined) {
      morph(this.element, h("div", { ...attributes, hidden: true }));
      return;
    }
    const text = h("p", {}, h("b", {}, "Read only. "), ...revealHidden(holderWords(heldBy)));
    const working = h(
      "p",
      { class: "working", role: "status", hidden: session?.state !== "running" },
      ...revealHidden(workingWords(heldBy)),
    );
    const choices = h(
      "div",
      { class: "choices" },
      commandButton("takeOverSession", "Take over", "primary"),
      commandButton("forkSession", "Fork", "secondary"),
    );
    morph(this.element, h("div", attributes, text, working, choices));
  }
}
