import type { ActiveChip, Attachment } from "../../../chat/messages";
import { h } from "../../dom";

const ACTIVE = {
  selection: "the selection of the active editor",
  file: "the file of the active editor",
};

/** What goes along with the next message: what the active editor shows, then what was added. */
export function chipsView(attachments: readonly Attachment[], active?: ActiveChip): HTMLElement {
  return h(
    "div",
    { class: "chips" },
    active !== undefined && activeChip(active),
    ...attachments.map(attachedChip),
  );
}

function attachedChip({ id, label, thumbnail }: Attachment): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "chip",
      "data-action": "detach",
      "data-id": id,
      "aria-label": `Remove ${label}`,
      title: "Remove",
    },
    thumbnail !== undefined && h("img", { class: "thumbnail", src: thumbnail, alt: "" }),
    h("span", { class: "chip-name" }, label),
    " ×",
  );
}

/** What the active editor shows: dimmed until it is added, by one click. */
function activeChip({ what, label, attached }: ActiveChip): HTMLElement {
  const does = attached ? "Leave out" : "Add";
  return h(
    "button",
    {
      type: "button",
      class: "chip active",
      "data-key": "active",
      "data-action": "toggleActive",
      "data-attached": String(attached),
      "aria-label": `${does} ${ACTIVE[what]}, ${label}`,
      title: attached ? `Goes with your message: ${ACTIVE[what]}` : `Add ${ACTIVE[what]}`,
    },
    h("span", { class: "chip-name" }, attached ? label : `+ ${label}`),
    attached && " ×",
  );
}
