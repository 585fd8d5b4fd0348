import type { ActiveChip, Attachment, FromChatPage } from "../../../chat/messages";
import { loadText } from "../../../context/hold";
import { isWholeKind, type OfferedSymbol, offeredKinds } from "../../../mentions/kinds";
import type { SlashCommand, When } from "../../../protocol";
import { modelName } from "../../../session/labels";
import type { ChatState, ConnectionState } from "../../../session/state";
import { exactTokens } from "../../../text/format";
import { asPaste, type Draft, EMPTY_DRAFT, joinedDrafts, trimmed } from "../../../text/pasted";
import { h, morph } from "../../dom";
import { chipsView } from "./chips";
import {
  commandSuggestions,
  fileSuggestions,
  type Suggestion,
  symbolSuggestions,
  triggerAt,
} from "./completion";
import { hintOf, sendLook } from "./hint";
import { takeDrops, takeImages } from "./paste";
import { Popup } from "./popup";
import { WrittenDraft } from "./writtenDraft";

/** The draft is measured when the writer pauses, in milliseconds. */
const MEASURE_AFTER = 300;

const HELD = "Goes as soon as the server has started. Escape takes it back.";

const MODES = [
  ["edit", "Edit"],
  ["plan", "Plan"],
  ["ask", "Ask"],
] as const;

/** Where a message is written: field, mode, model, the draft's tokens, Send or Stop. */
export class Composer {
  readonly element: HTMLElement;
  private readonly field = h("textarea", {
    id: "message",
    rows: "1",
    "aria-label": "Message",
    "aria-controls": "suggestions",
    "aria-haspopup": "listbox",
    "aria-autocomplete": "list",
    placeholder: hintOf(false, 0),
  }) as HTMLTextAreaElement;
  private readonly mode = h("select", {
    "aria-label": "Mode",
    title: "What the agent may do",
  }) as HTMLSelectElement;
  private readonly model = h("button", {
    type: "button",
    class: "quiet model",
    "data-action": "run",
    "data-command": "selectModel",
  });
  private readonly tokens = h("span", { class: "draft-tokens", "data-draft-tokens": "" });
  /** The load line's words, where the view is too low for them to have a line of their own. */
  private readonly load = h("span", { class: "row-load", "aria-hidden": "true" });
  private readonly send = h("button", { type: "button", class: "send" }) as HTMLButtonElement;
  private readonly chips = h("div", { class: "chips" });
  private readonly heldLine = h("p", { class: "held", hidden: true }, HELD);
  private readonly popup = new Popup(this.field, (suggestion) => this.complete(suggestion));
  private readonly writing = new WrittenDraft();
  private lastSent: Draft = EMPTY_DRAFT;
  private commands: readonly SlashCommand[] = [];
  private measuring: number | undefined;
  private running = false;
  private fittedWidth = 0;
  private sending = false;
  private connection: ConnectionState = "starting";
  /** Enter was pressed while the server started: the message goes once it has. */
  private held = false;

  constructor(
    private readonly post: (message: FromChatPage) => void,
    private readonly announce: (text: string) => void,
    private readonly onDraft: (text: string) => void,
  ) {
    this.mode.append(...MODES.map(([value, label]) => h("option", { value }, label)));
    this.element = h(
      "div",
      { class: "composer" },
      this.popup.element,
      this.chips,
      this.field,
      this.heldLine,
      h(
        "div",
        { class: "row" },
        this.mode,
        this.model,
        h("span", { class: "space" }),
        this.tokens,
        this.load,
        this.send,
      ),
    );
    this.listen();
  }

  get draft(): string {
    return this.field.value;
  }

  /** The draft, and what of it was pasted. */
  get written(): Draft {
    return this.writing.draft;
  }

  /** Writes a text that nobody typed here. */
  write(text: string): void {
    this.writeDraft(asPaste(text));
  }

  writeDraft(draft: Draft): void {
    this.field.value = draft.text;
    this.writing.write(draft);
    this.changed();
  }

  /** Writes a text, unless something else is being written; tells whether it did. */
  giveBack(text: string): boolean {
    const free = this.draft.trim() === "";
    if (free) {
      this.writeDraft(this.lastSent.text === text ? this.lastSent : asPaste(text));
    }
    return free;
  }

  /** A prompt that had returned, and is said again without the field. */
  takeAway(text: string | undefined): void {
    if (text !== undefined && this.draft === text) {
      this.write("");
    }
  }

  /** What was not said after all stands before what is being written. */
  takeBack({ text, pasted }: Draft): void {
    if (text !== "") {
      const back = { text, pasted };
      const { written } = this;
      const alone = written.text.trim() === "" || written.text === text;
      this.writeDraft(alone ? back : joinedDrafts(back, "\n\n", written));
    }
  }

  focus(): void {
    this.field.focus();
  }

  offer(commands: readonly SlashCommand[]): void {
    this.commands = commands;
  }

  attach(attachments: readonly Attachment[], active?: ActiveChip): void {
    // Not replaced: the chip that was pressed keeps the focus.
    morph(this.chips, chipsView(attachments, active));
  }

  draw(state: ChatState): void {
    const running = state.turnId !== undefined;
    const refit = running !== this.running || this.fittedWidth === 0;
    this.running = running;
    this.element.hidden = state.session?.heldBy !== undefined;
    const mode = state.session?.mode ?? "edit";
    if (this.mode.value !== mode) {
      this.mode.value = mode;
    }
    this.mode.disabled = state.session === undefined;
    const model = state.session?.model ?? "";
    this.model.textContent = modelName(model) || "model";
    this.model.setAttribute("aria-label", `Model ${model}`);
    this.model.title = `${model}: select another`;
    this.load.textContent = state.meter === undefined ? "" : loadText(state.meter);
    // Reading a width lays the page out: a running command draws four times a second.
    if (refit) {
      this.fit();
    }
    this.connection = state.connection;
    this.settleHeld(state.session?.heldBy !== undefined);
    this.drawSend();
  }

  files(query: string, paths: readonly string[]): void {
    const trigger = triggerAt(this.draft, this.field.selectionStart);
    if (trigger?.kind === "file" && trigger.query === query) {
      this.popup.show([...offeredKinds(query), ...fileSuggestions(paths)]);
    }
  }

  symbols(query: string, symbols: readonly OfferedSymbol[]): void {
    const trigger = triggerAt(this.draft, this.field.selectionStart);
    if (trigger?.kind === "file" && trigger.query === query) {
      this.popup.show(symbolSuggestions(symbols));
    }
  }

  /** Puts a text where the caret stands, apart from the word before it. */
  insert(text: string): void {
    const caret = this.field.selectionStart;
    const before = this.draft.slice(0, caret);
    const head = /(?:^|\s)$/.test(before) ? before : `${before} `;
    this.field.value = `${head}${text}${this.draft.slice(caret)}`;
    this.field.setSelectionRange(head.length + text.length, head.length + text.length);
    this.edited("insertText");
    this.popup.hide();
    this.focus();
  }

  measured(text: string, tokens: number): void {
    if (text === this.draft) {
      this.tokens.textContent = tokens > 0 ? `draft ${exactTokens(tokens)} tok` : "";
    }
  }

  /** The host took the message, or gave it back. */
  sent(ok: boolean): void {
    this.sending = false;
    this.field.readOnly = false;
    if (ok) {
      this.write("");
    } else {
      this.announce("The message was not sent. It is still in the field.");
    }
  }

  private listen(): void {
    this.field.addEventListener("input", (event) =>
      this.edited(event instanceof InputEvent ? event.inputType : ""),
    );
    this.field.addEventListener("keydown", (event) => this.keydown(event));
    this.field.addEventListener("blur", () => this.popup.hide());
    this.field.addEventListener("click", () => this.suggest());
    this.mode.addEventListener("change", () =>
      this.post({ type: "setMode", mode: this.mode.value }),
    );
    takeImages(this.element, this.post);
    takeDrops(this.element, this.post);
    this.send.addEventListener("click", () => this.submitOrStop());
  }

  private keydown(event: KeyboardEvent): void {
    if (event.isComposing) {
      return;
    }
    if (this.popup.key(event.key)) {
      event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.submit(event.altKey ? "after" : "steer");
    } else if (event.key === "Escape" && this.held) {
      event.preventDefault();
      this.hold(false);
    } else if (event.key === "Escape" && this.running) {
      event.preventDefault();
      this.stop();
    }
  }

  private edited(inputType: string): void {
    this.writing.changed(this.draft, inputType, this.field.selectionEnd);
    this.changed();
  }

  private changed(): void {
    this.grow();
    this.suggest();
    this.onDraft(this.draft);
    window.clearTimeout(this.measuring);
    if (this.draft.trim() === "") {
      this.tokens.textContent = "";
      return;
    }
    this.measuring = window.setTimeout(
      () => this.post({ type: "draft", text: this.draft }),
      MEASURE_AFTER,
    );
  }

  /** As high as what is written, or the hint in its place, needs; the hint fits into one line. */
  fit(): void {
    const { clientWidth } = this.field;
    const hint = hintOf(this.running, clientWidth);
    if (this.field.placeholder !== hint || this.fittedWidth !== clientWidth) {
      this.field.placeholder = hint;
      this.fittedWidth = clientWidth;
      this.grow();
    }
  }

  private grow(): void {
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
  }

  private suggest(): void {
    const trigger = triggerAt(this.draft, this.field.selectionStart);
    if (trigger?.kind === "command") {
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
    const caret = this.field.selectionStart;
    const trigger = triggerAt(this.draft, caret);
    this.popup.hide();
    if (trigger === undefined) {
      return;
    }
    const end = trigger.start + suggestion.text.length;
    this.field.value =
      this.draft.slice(0, trigger.start) + suggestion.text + this.draft.slice(caret);
    this.field.setSelectionRange(end, end);
    this.edited("insertText");
    this.popup.hide();
  }

  private submitOrStop(): void {
    if (this.held) {
      this.hold(false);
    } else if (this.running) {
      this.stop();
    } else {
      this.submit();
    }
  }

  private stop(): void {
    this.post({ type: "run", command: "cancelTurn" });
    this.announce("Stopping");
  }

  /** `when`: the time of what is sent while a turn runs. */
  private submit(when: When = "steer"): void {
    const draft = trimmed(this.written);
    const { text, pasted } = draft;
    if (text === "" || this.sending || this.held) {
      return;
    }
    if (this.connection !== "ready") {
      this.submitLater();
      return;
    }
    this.sending = true;
    this.lastSent = draft;
    this.field.readOnly = true;
    // A command acts at once, or says that it cannot.
    const waits = this.running && !text.startsWith("/");
    this.post({ type: "send", text, pasted, ...(waits ? { when } : {}) });
    if (waits) {
      this.announce("Queued");
    }
  }

  private submitLater(): void {
    if (this.connection === "starting") {
      this.hold(true);
      this.announce(HELD);
    } else {
      this.announce("Not sent: the server is not running. The message is still in the field.");
    }
  }

  private hold(held: boolean): void {
    this.held = held;
    this.field.readOnly = held;
    this.heldLine.hidden = !held;
    this.drawSend();
  }

  /** The start has ended: what was held goes, or is free again where nothing can be sent. */
  private settleHeld(isReadOnly: boolean): void {
    if (!this.held || this.connection === "starting") {
      return;
    }
    this.hold(false);
    if (!isReadOnly) {
      this.submit();
    }
  }

  private drawSend(): void {
    const [sign, label, title] = sendLook(this.held, this.running);
    this.send.disabled = this.connection !== "ready" && !this.held;
    this.send.dataset.running = String(this.running);
    this.send.title = title;
    this.send.replaceChildren(h("span", { "aria-hidden": "true" }, sign), ` ${label}`);
  }
}
