import { h } from "../../dom";
import type { Suggestion } from "./completion";

/** A list of suggestions under the caret's control; the text field keeps the focus. */
export class Popup {
  readonly element = h("ul", {
    class: "popup",
    id: "suggestions",
    role: "listbox",
    "aria-label": "Suggestions",
    hidden: true,
  });
  private suggestions: readonly Suggestion[] = [];
  private active = 0;

  constructor(
    private readonly field: HTMLTextAreaElement,
    private readonly accept: (suggestion: Suggestion) => void,
  ) {
    this.element.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = (event.target as Element).closest<HTMLElement>("[role=option]");
      const suggestion = this.suggestions[Number(option?.dataset.index)];
      if (suggestion) {
        this.accept(suggestion);
      }
    });
  }

  get open(): boolean {
    return this.suggestions.length > 0;
  }

  show(suggestions: readonly Suggestion[]): void {
    this.suggestions = suggestions;
    this.active = 0;
    this.draw();
  }

  hide(): void {
    if (this.open) {
      this.show([]);
    }
  }

  /** True when the key was for the list. */
  key(name: string): boolean {
    if (!this.open) {
      return false;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[name];
    if (step !== undefined) {
      this.active = (this.active + step + this.suggestions.length) % this.suggestions.length;
      this.draw();
      return true;
    }
    if (name === "Escape") {
      this.hide();
      return true;
    }
    const suggestion = this.suggestions[this.active];
    const value = this.field.value;
    if (name === "Enter" && (suggestion?.text === value || suggestion?.whole === value)) {
      // Nothing is left to complete: Enter means what it means without a list.
      this.hide();
      return false;
    }
    if ((name === "Enter" || name === "Tab") && suggestion) {
      this.accept(suggestion);
      return true;
    }
    return false;
  }

  private draw(): void {
    this.element.hidden = !this.open;
    this.element.replaceChildren(
      ...this.suggestions.map(({ label, detail }, index) =>
        h(
          "li",
          {
            role: "option",
            id: `suggestion-${index}`,
            "data-index": String(index),
            "aria-selected": String(index === this.active),
          },
          h("b", {}, label),
          h("span", {}, detail),
        ),
      ),
    );
    if (this.open) {
      this.field.setAttribute("aria-activedescendant", `suggestion-${this.active}`);
      this.element.children[this.active]?.scrollIntoView?.({ block: "nearest" });
    } else {
      this.field.removeAttribute("aria-activedescendant");
    }
  }
}
