import type { ActiveChip, Attachment, FromChatPage } from "../../../chat/messages";
import { loadText } from "../../../context/hold/hold";
import type { OfferedResource, OfferedSymbol } from "../../../mentions/kinds";
import type { SlashCommand, When } from "../../../protocol";
import { modelName } from "../../../session/labels/sessions";
import type { ChatState, ConnectionState } from "../../../session/state";
import { exactTokens } from "../../../text/format";
import { asPaste, type Draft, EMPTY_DRAFT, joinedDrafts, trimmed } from "../../../text/pasted";
import { h, morph } from "../../dom";
import { chipsView } from "./chips";
import { MessageField } from "./field";
import { sendLook } from "./hint";
import { takeDrops, takeImages } from "./paste";

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
  private readonly field: MessageField;
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
  private lastSent: Draft = EMPTY_DRAFT;
  private measuring: number | undefined;
  private running = false;
  private sending = false;
  private connection: ConnectionState = "starting";
  /** Enter was pressed while the server started: the message goes once it has. */
  private held = false;

  constructor(
    private readonly post: (message: FromChatPage) => void,
    private readonly announce: (text: string) => void,
    private readonly onDraft: (text: string) => void,
  ) {
    this.field = new MessageField(post, () => this.changed());
    this.mode.append(...MODES.map(([value, label]) => h("option", { value }, label)));
    this.element = h(
      "div",
      { class: "composer" },
      this.field.popup.element,
      this.chips,
      this.field.element,
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
    return this.field.text;
  }

  /** The draft, and what of it was pasted. */
  get written(): Draft {
    return this.field.written;
  }

  /** Writes a text that nobody typed here. */
  write(text: string): void {
    this.writeDraft(asPaste(text));
  }

  writeDraft(draft: Draft): void {
    this.field.write(draft);
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
    this.field.offer(commands);
  }

  attach(attachments: readonly Attachment[], active?: ActiveChip): void {
    // Not replaced: the chip that was pressed keeps the focus.
    morph(this.chips, chipsView(attachments, active));
  }

  draw(state: ChatState): void {
    this.running = state.turnId !== undefined;
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
    this.field.draw(this.running);
    this.connection = state.connection;
    this.settleHeld(state.session?.heldBy !== undefined);
    this.drawSend();
  }

  files(query: string, paths: readonly string[], resources?: readonly OfferedResource[]): void {
    this.field.files(query, paths, resources ?? []);
  }

  symbols(query: string, symbols: readonly OfferedSymbol[]): void {
    this.field.symbols(query, symbols);
  }

  /** Puts a text where the caret stands, apart from the word before it. */
  insert(text: string): void {
    this.field.insert(text);
  }

  fit(): void {
    this.field.fit();
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
    this.field.element.addEventListener("keydown", (event) => this.keydown(event));
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
    if (this.field.popup.key(event.key)) {
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

  private changed(): void {
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
