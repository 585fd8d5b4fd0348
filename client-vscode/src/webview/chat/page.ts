import type { FromChatPage, ToChatPage } from "../../chat/messages";
import { returnedPrompts } from "../../session/content";
import { failedPrompt } from "../../session/entries/entries";
import { type Action, reduce } from "../../session/reduce";
import { type ChatState, EMPTY_STATE } from "../../session/state";
import { asPaste, queuedDraft, type Ranges } from "../../text/pasted";
import { h, landmark } from "../dom";
import type { Host } from "../host";
import { CallerLine } from "./agent";
import { announcement } from "./announcement";
import { CLICK_HANDLERS } from "./clicks";
import { Composer } from "./composer/composer";
import { FollowLine } from "./followLine";
import { LoadStrip } from "./loadStrip";
import { chosenFiles } from "./question/made";
import { PLAN_FIELD } from "./question/plan";
import { QueueView } from "./queue";
import { TaskList } from "./tasks";
import { Transcript } from "./transcript";

/** What outlives the page while it is hidden. */
export interface ChatPageState {
  readonly draft: string;
  readonly pasted?: Ranges;
  /** Where the reader was, in pixels from the end; nothing for a reader at the end. */
  readonly fromEnd?: number;
}

export type ChatHost = Host<ToChatPage, FromChatPage, ChatPageState>;

/** The chat page: folds what the host says and draws it; keeps nothing but draft and scroll. */
export class ChatPage {
  private state: ChatState = EMPTY_STATE;
  private readonly status = h("div", { class: "sr", role: "status", id: "status" });
  private readonly caller = new CallerLine();
  private readonly transcript = new Transcript(() => this.save());
  private readonly tasks = new TaskList();
  private readonly queue = new QueueView();
  private readonly strip = new LoadStrip();
  private readonly follow = new FollowLine();
  private readonly composer: Composer;
  private drawing = false;

  constructor(
    private readonly host: ChatHost,
    private readonly root: HTMLElement,
  ) {
    this.composer = new Composer(
      (message) => host.post(message),
      (text) => this.announce(text),
      () => this.drafted(),
    );
    const { caller, transcript, tasks, queue, strip, follow, composer } = this;
    const parts = [caller, transcript, tasks, queue, strip, follow, composer];
    root.append(landmark("Chat", ...parts.map(({ element }) => element), this.status));
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("submit", (event) => this.submitted(event));
    root.addEventListener("change", (event) => this.changed(event));
    root.addEventListener("keydown", (event) => this.answerByKey(event), true);
    window.addEventListener("resize", () => {
      this.composer.fit();
      this.transcript.settle();
    });
    host.onMessage((message) => this.receive(message));
    host.post({ type: "ready" });
  }

  private receive(message: ToChatPage): void {
    switch (message.type) {
      case "state":
        this.state = message.state;
        this.composer.offer(message.commands);
        this.composer.attach(message.attachments, message.active);
        this.draw();
        this.restore();
        break;
      case "commands":
        this.composer.offer(message.commands);
        break;
      case "action":
        this.act(message.action);
        break;
      case "attachments":
        this.composer.attach(message.attachments, message.active);
        this.transcript.settle();
        break;
      case "files":
        this.composer.files(message.query, message.paths, message.resources);
        break;
      case "symbols":
        this.composer.symbols(message.query, message.symbols);
        break;
      case "insert":
        this.composer.insert(message.text);
        break;
      case "draftTokens":
        this.composer.measured(message.text, message.tokens);
        break;
      case "sent":
        this.composer.sent(message.ok);
        this.transcript.toEnd();
        break;
      case "compose":
        this.composer.write(message.text);
        this.composer.focus();
        break;
      case "giveBack":
        this.composer.takeBack(message);
        this.composer.focus();
        break;
      case "focus":
        this.focus(message.target);
        break;
    }
  }

  private act(action: Action): void {
    this.composer.takeBack(queuedDraft(returnedPrompts(action, this.state)));
    const text = announcement(action, this.state);
    this.state = reduce(this.state, action);
    if (text !== undefined) {
      this.announce(text);
    }
    this.drawSoon();
    if (action.type === "update" && action.update.kind === "turnEnded") {
      this.giveBackFailed();
    }
    if (action.type === "permissionRequested") {
      this.draw();
      this.transcript.toEnd();
    }
  }

  /** A prompt that failed returns with what went along, unless something else is being written. */
  private giveBackFailed(): void {
    const failed = failedPrompt(this.state.entries);
    if (failed !== undefined && this.composer.giveBack(failed.text)) {
      this.host.post({ type: "takeParts", promptId: failed.id, text: failed.text });
    }
  }

  /** Many deltas, one drawing. */
  private drawSoon(): void {
    if (!this.drawing) {
      this.drawing = true;
      requestAnimationFrame(() => {
        this.drawing = false;
        this.draw();
      });
    }
  }

  private draw(): void {
    this.root.dataset.followed = String(this.state.session?.heldBy !== undefined);
    this.caller.draw(this.state);
    this.tasks.draw(this.state.tasks);
    this.queue.draw(this.state.queued);
    this.strip.draw(this.state);
    this.follow.draw(this.state);
    this.composer.draw(this.state);
    // Last, since what grows below it takes of its room: a reader at the end stays there.
    this.transcript.draw(this.state);
  }

  private restore(): void {
    const saved = this.host.getState();
    if (saved?.draft && this.composer.draft === "") {
      this.composer.writeDraft({
        text: saved.draft,
        pasted: saved.pasted ?? asPaste(saved.draft).pasted,
      });
    }
    if (saved?.fromEnd === undefined) {
      this.transcript.toEnd();
    } else {
      this.transcript.goTo(saved.fromEnd);
    }
  }

  private drafted(): void {
    this.transcript.settle();
    this.save();
  }

  private save(): void {
    const { text: draft, pasted } = this.composer.written;
    const { followsEnd, fromEnd } = this.transcript;
    this.host.setState(followsEnd ? { draft, pasted } : { draft, pasted, fromEnd });
  }

  private focus(target: "composer" | "lastMessage"): void {
    if (target === "composer") {
      this.composer.focus();
    } else {
      this.transcript.focusLast();
    }
  }

  private announce(text: string): void {
    this.status.textContent = text;
  }

  /** Nobody who writes a message answers a question by the same keys. */
  private answerByKey(event: KeyboardEvent): void {
    const kind = (event.ctrlKey || event.metaKey) && ANSWER_KEYS[event.key];
    const answer = kind && document.querySelector<HTMLElement>(`.question [data-kind=${kind}]`);
    const writing = isWriting(event) || this.composer.draft !== "";
    if (answer && !writing) {
      event.preventDefault();
      event.stopPropagation();
      answer.click();
    }
  }

  private clicked(event: Event): void {
    const target = (event.target as Element).closest<HTMLElement>("[data-action]");
    const act = target && CLICK_HANDLERS[target.dataset.action ?? ""];
    if (target && act) {
      event.preventDefault();
      event.stopPropagation();
      const message = act(target, (text) => this.prompt(text));
      if (message?.type === "retry") {
        this.composer.takeAway(failedPrompt(this.state.entries)?.text);
      }
      if (message) {
        this.host.post(message);
      }
    }
  }

  private changed({ target }: Event): void {
    const chosen = chosenFiles(target as HTMLElement);
    if (chosen) {
      this.host.post({ type: "chooseFiles", ...chosen });
    }
  }

  private prompt(text: string): void {
    this.composer.write(text);
    this.composer.focus();
  }

  private submitted(event: Event): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const reason = form.querySelector("input")?.value.trim() ?? "";
    const { request = "", option = "" } = form.dataset;
    this.host.post({
      type: "answer",
      requestId: request,
      optionId: option,
      ...(reason ? { reason } : {}),
    });
    this.composer.focus();
  }
}

/** In a plan that is edited, Ctrl+Backspace takes a word away and Ctrl+Enter accepts it. */
function isWriting({ target, key }: KeyboardEvent): boolean {
  const inPlan = target instanceof Element && target.matches(PLAN_FIELD);
  const inField = target instanceof HTMLInputElement && target.type !== "checkbox";
  return inField || (inPlan && key !== "Enter");
}

const ANSWER_KEYS: Readonly<Record<string, string>> = {
  Enter: "allowOnce",
  Backspace: "rejectOnce",
};
