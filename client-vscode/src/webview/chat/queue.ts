import type { QueuedPrompt } from "../../protocol";
import { queuedText } from "../../session/content";
import { plural } from "../../text/format";
import { lookup } from "../../text/lookup";
import { foldWhileLow, h, morph } from "../dom";
import { revealHidden } from "../hiddenCharacters";

const TIMES: Readonly<Record<string, string>> = lookup({
  steer: "before the next step",
  after: "after this turn",
});

/** What waits for its time, above the field: each can be edited or taken back. */
export class QueueView {
  readonly element = h("details", { class: "queue", hidden: true, open: true });

  constructor() {
    foldWhileLow(this.element);
  }

  draw(queued: readonly QueuedPrompt[]): void {
    const rows = h("ul", { "aria-label": "Waiting to be said" }, ...queued.map(rowView));
    const title = h("summary", {}, `${plural(queued.length, "message")} waiting`);
    const hidden = queued.length === 0;
    morph(this.element, h("details", { class: "queue", hidden }, title, rows));
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
