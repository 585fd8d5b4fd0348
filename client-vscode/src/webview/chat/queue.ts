import type { QueuedPrompt } from "../../protocol";
import { queuedText } from "../../session/content";
import { lookup } from "../../text/lookup";
import { h, morph } from "../dom";
import { revealHidden } from "../hiddenCharacters";

const TIMES: Readonly<Record<string, string>> = lookup({
  steer: "before the next step",
  after: "after this turn",
});

/** What waits for its time, above the field: each can be edited or taken back. */
export class QueueView {
  readonly element = h("ul", { class: "queue", "aria-label": "Waiting to be said", hidden: true });

  draw(queued: readonly QueuedPrompt[]): void {
    const rows = queued.map(rowView);
    const attributes = { class: "queue", "aria-label": "Waiting to be said" };
    morph(this.element, h("ul", { ...attributes, hidden: queued.length === 0 }, ...rows));
  }
}

function rowView(prompt: QueuedPrompt): HTMLElement {
  const { queuedId, when } = prompt;
  const text = queuedText([prompt]);
  return h(
    "li",
    { "data-queued": queuedId },
    h("span", { class: "queued-text", title: text }, ...revealHidden(text)),
    h("span", { class: "queued-time" }, TIMES[when] ?? when),
    unqueueButton(queuedId, "Edit", "true"),
    unqueueButton(queuedId, "Take back", "false"),
  );
}

function unqueueButton(queuedId: string, label: string, edit: string): HTMLElement {
  const attributes = { "data-action": "unqueue", "data-queued": queuedId, "data-edit": edit };
  return h("button", { type: "button", class: "link", ...attributes }, label);
}
