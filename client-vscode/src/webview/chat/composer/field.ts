import type { FromChatPage } from "../../../chat/messages";
import {
  isWholeKind,
  type OfferedResource,
  type OfferedSymbol,
  offeredKinds,
} from "../../../mentions/kinds";
import type { SlashCommand } from "../../../protocol";
import type { Draft } from "../../../text/pasted";
import { h } from "../../dom";
import {
  commandSuggestions,
  fileSuggestions,
  type Suggestion,
  symbolSuggestions,
  triggerAt,
} from "./completion";
import { hintOf } from "./hint";
import { Popup } from "./popup";
import { WrittenDraft } from "./writtenDraft";

/** The field of a message: as high as its text, with suggestions, and knowing what was pasted. */
export class MessageField {
  readonly element = h("textarea", {
    id: "message",
    rows: "1",
    "aria-label": "Message",
    "aria-controls": "suggestions",
    "aria-haspopup": "listbox",
    "aria-autocomplete": "list",
    placeholder: hintOf(false, 0),
  }) as HTMLTextAreaElement;
  readonly popup = new Popup(this.element, (suggestion) => this.complete(suggestion));
  private readonly writing = new WrittenDraft();
  private commands: readonly SlashCommand[] = [];
  /** The commands are asked for, and not there yet. */
  private asked = false;
  private running = false;
  private fittedWidth = 0;

  constructor(
    private readonly post: (message: FromChatPage) => void,
    private readonly onChange: () => void,
  ) {
    this.element.addEventListener("input", (event) =>
      this.edited(event instanceof InputEvent ? event.inputType : ""),
    );
    this.element.addEventListener("blur", () => this.popup.hide());
    this.element.addEventListener("click", () => this.suggest());
  }

  get text(): string {
    return this.element.value;
  }

  /** The draft, and what of it was pasted. */
  get written(): Draft {
    return this.writing.draft;
  }

  set readOnly(readOnly: boolean) {
    this.element.readOnly = readOnly;
  }

  write(draft: Draft): void {
    this.element.value = draft.text;
    this.writing.write(draft);
    this.changed();
  }

  /** Puts a text where the caret stands, apart from the word before it. */
  insert(text: string): void {
    const caret = this.element.selectionStart;
    const before = this.text.slice(0, caret);
    const head = /(?:^|\s)$/.test(before) ? before : `${before} `;
    this.element.value = `${head}${text}${this.text.slice(caret)}`;
    this.element.setSelectionRange(head.length + text.length, head.length + text.length);
    this.edited("insertText");
    this.popup.hide();
    this.focus();
  }

  focus(): void {
    this.element.focus();
  }

  offer(commands: readonly SlashCommand[]): void {
    this.commands = commands;
    const trigger = this.trigger();
    const waits = this.popup.open || (this.asked && !this.element.readOnly);
    if (waits && trigger?.kind === "command") {
      this.popup.show(commandSuggestions(commands, trigger.query));
    }
    this.asked = false;
  }

  files(query: string, paths: readonly string[], resources: readonly OfferedResource[]): void {
    if (this.looksFor(query)) {
      this.popup.show([...offeredKinds(query), ...fileSuggestions(paths), ...resources]);
    }
  }

  symbols(query: string, symbols: readonly OfferedSymbol[]): void {
    if (this.looksFor(query)) {
      this.popup.show(symbolSuggestions(symbols));
    }
  }

  /** Hints at what can be written, and while a turn runs at something else. */
  draw(running: boolean): void {
    const refit = running !== this.running || this.fittedWidth === 0;
    this.running = running;
    // Reading a width lays the page out: a running command draws four times a second.
    if (refit) {
      this.fit();
    }
  }

  /** As high as what is written, or the hint in its place, needs; the hint fits into one line. */
  fit(): void {
    const { clientWidth } = this.element;
    const hint = hintOf(this.running, clientWidth);
    if (this.element.placeholder !== hint || this.fittedWidth !== clientWidth) {
      this.element.placeholder = hint;
      this.fittedWidth = clientWidth;
      this.grow();
    }
  }

  private looksFor(query: string): boolean {
    const trigger = this.trigger();
    return trigger?.kind === "file" && trigger.query === query;
  }

  private trigger() {
    return triggerAt(this.text, this.element.selectionStart);
  }

  private edited(inputType: string): void {
    this.writing.changed(this.text, inputType, this.element.selectionEnd);
    this.changed();
  }

  private changed(): void {
    this.grow();
    this.suggest();
    this.onChange();
  }

  private grow(): void {
    this.element.style.height = "auto";
    this.element.style.height = `${this.element.scrollHeight}px`;
  }

  private suggest(): void {
    const trigger = this.trigger();
    if (trigger?.kind === "command") {
      if (trigger.query === "") {
        // Their files may have changed since.
        this.asked = true;
        this.post({ type: "findCommands" });
      }
      this.popup.show(commandSuggestions(this.commands, trigger.query));
    } else if (trigger?.kind === "file" && !isWholeKind(trigger.query)) {
      if (!this.popup.open) {
        this.popup.show(offeredKinds(trigger.query));
      }
      this.post({ type: "findFiles", query: trigger.query });
    } else {
      this.popup.hide();
    }
  }

  private complete(suggestion: Suggestion): void {
    const caret = this.element.selectionStart;
    const trigger = this.trigger();
    this.popup.hide();
    this.asked = false;
    if (trigger === undefined) {
      return;
    }
    const end = trigger.start + suggestion.text.length;
    this.element.value =
      this.text.slice(0, trigger.start) + suggestion.text + this.text.slice(caret);
    this.element.setSelectionRange(end, end);
    this.edited("insertText");
    this.popup.hide();
  }
}
