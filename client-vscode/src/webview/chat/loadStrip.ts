import { loadText, remainingText } from "../../context/hold/hold";
import type { ChatState } from "../../session/state";
import { h, morph } from "../dom";
import { loadBar } from "../loadBar";

/** The load line above the field: what is used, of how much, and for how long; it opens the context. */
export class LoadStrip {
  readonly element = h("button", { type: "button", class: "strip", hidden: true });

  draw({ meter, fileTokens, connection }: ChatState): void {
    const attributes = {
      type: "button",
      class: "strip",
      title: "Show everything the model sees",
      "data-action": "run",
      "data-command": "showContext",
    };
    if (meter === undefined || connection !== "ready") {
      morph(this.element, h("button", { ...attributes, hidden: true }));
      return;
    }
    const { zone } = meter;
    const texts = [loadText(meter), remainingText(meter)].map((text) => h("span", {}, text));
    const wanted = h("button", { ...attributes, "data-zone": zone });
    wanted.append(
      loadBar(meter, fileTokens, "strip"),
      h("span", { class: "strip-text" }, ...texts),
    );
    morph(this.element, wanted);
  }
}
