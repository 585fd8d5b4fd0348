import type { ChatState, Entry } from "../../session/state";
import { RESCUE_LABELS, rescuesOf } from "../../session/stores";
import { isRefused, teamBanner } from "../../team/model";
import { h, morph } from "../dom";
import { RunningSeconds } from "./cards/seconds";
import { author, commandButton, entryView } from "./entries";
import { WaitingLine } from "./waiting";
import { connectLine, emptyView } from "./welcome";

interface Shown {
  readonly entry: Entry;
  readonly element: HTMLElement;
}

/** Closer to the end than this, in pixels, the view follows what arrives. */
const FOLLOW_WITHIN = 48;
/** Of a long conversation the newest entries are drawn at first, and more as the reader nears them. */
const DRAWN_AT_FIRST = 60;
const DRAWN_MORE = 10;
/** Nearer to the first drawn entry than this, in pixels, older ones are drawn. */
const NEAR_TOP = 1500;

/** The list of messages, calls and receipts: redraws what changed, of what was drawn. */
export class Transcript {
  readonly element = h("div", { class: "transcript", id: "transcript", tabindex: "-1" });
  private readonly banner = h("div", { class: "banner" });
  private readonly list = h("div", {
    class: "entries",
    "aria-label": "Conversation",
  });
  private readonly connect = h("div", {});
  private readonly waiting = new WaitingLine();
  private readonly seconds = new RunningSeconds(this.list);
  private state: ChatState | undefined;
  private shown = new Map<string, Shown>();
  /** How many entries stand before the first that is drawn. */
  private older = 0;
  private follows = true;

  constructor(onScroll: () => void) {
    this.element.append(this.banner, this.list, this.connect, this.waiting.element);
    this.element.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.element;
      this.follows = scrollHeight - scrollTop - clientHeight <= FOLLOW_WITHIN;
      this.drawOlder();
      onScroll();
    });
    // What a card opens to is read at once; the event does not bubble.
    this.list.addEventListener(
      "toggle",
      ({ target }) => (target as Element).scrollIntoView?.({ block: "nearest" }),
      true,
    );
  }

  /** The reader is at the end and stays there, whatever arrives. */
  get followsEnd(): boolean {
    return this.follows;
  }

  draw(state: ChatState): void {
    const rest = Math.max(0, state.entries.length - DRAWN_AT_FIRST);
    const another = this.state?.session?.id !== state.session?.id || this.shown.size === 0;
    this.older = another ? rest : Math.min(this.older, rest);
    this.state = state;
    this.drawBanner(state);
    this.drawEntries(state);
    this.waiting.draw(state);
    this.seconds.draw();
    this.list.setAttribute("aria-busy", String(state.turnId !== undefined));
    this.settle();
    this.drawOlder();
  }

  /** How far the first line that is seen stands from the end, in pixels. */
  get fromEnd(): number {
    return this.element.scrollHeight - this.element.scrollTop;
  }

  /** Shows the place that stood so far from the end. */
  goTo(fromEnd: number): void {
    while (this.older > 0 && this.element.scrollHeight < fromEnd) {
      this.drawMore();
    }
    this.element.scrollTop = this.element.scrollHeight - fromEnd;
  }

  /** Room was gained or lost: a reader at the end stays there. */
  settle(): void {
    if (this.follows) {
      this.toEnd();
    }
  }

  toEnd(): void {
    this.follows = true;
    this.element.scrollTop = this.shown.size > 0 ? this.element.scrollHeight : 0;
  }

  focusLast(): void {
    const messages = this.list.querySelectorAll<HTMLElement>(
      "[data-kind=answer], [data-kind=user], [data-kind=notice], [data-kind=error], [data-kind=tool]",
    );
    [...messages].at(-1)?.focus();
  }

  /** Draws older entries while the reader is near; what is read stays in its place. */
  private drawOlder(): void {
    const { element } = this;
    // A hidden view has no height, and nobody reads it.
    while (this.older > 0 && element.clientHeight > 0 && element.scrollTop < NEAR_TOP) {
      const { fromEnd } = this;
      this.drawMore();
      element.scrollTop = element.scrollHeight - fromEnd;
    }
  }

  private drawMore(): void {
    this.older = Math.max(0, this.older - DRAWN_MORE);
    if (this.state !== undefined) {
      this.drawEntries(this.state);
    }
  }

  private drawBanner(state: ChatState): void {
    this.banner.replaceChildren(...bannerViews(state));
  }

  private drawEntries(state: ChatState): void {
    const seen = new Map<string, Shown>();
    const elements: HTMLElement[] = [];
    for (const entry of state.entries.slice(this.older)) {
      const key = `${entry.kind}.${entry.id}`;
      const shown = this.reuse(key, entry);
      if (shown !== undefined) {
        seen.set(key, shown);
        elements.push(shown.element);
      }
    }
    this.shown = seen;
    const newest = elements.findLastIndex(({ dataset }) => dataset.kind === "user");
    for (const [index, element] of elements.entries()) {
      label(element, this.older + index, this.older + elements.length);
      element.toggleAttribute("data-past", index < newest);
    }
    const empty = elements.length === 0 && state.connection === "ready";
    this.list.setAttribute("role", empty ? "group" : "feed");
    this.place(empty ? [emptyView(state)] : elements);
    this.connect.replaceChildren(...[connectLine(state)].filter((line) => line !== undefined));
  }

  private reuse(key: string, entry: Entry): Shown | undefined {
    const known = this.shown.get(key);
    if (known?.entry === entry) {
      return known;
    }
    const view = entryView(entry);
    if (view === undefined) {
      return undefined;
    }
    const article = h(
      "article",
      {
        class: "entry",
        tabindex: "-1",
        "data-kind": entry.kind,
        "data-id": entry.id,
        "data-author": author(entry),
      },
      view,
    );
    if (known === undefined) {
      return { entry, element: article };
    }
    for (const name of ["aria-label", "aria-posinset", "aria-setsize"]) {
      article.setAttribute(name, known.element.getAttribute(name) ?? "");
    }
    morph(known.element, article);
    return { entry, element: known.element };
  }

  /** Moves only what stands in the wrong place: a moved node loses its focus. */
  private place(elements: readonly HTMLElement[]): void {
    elements.forEach((element, index) => {
      if (this.list.children[index] !== element) {
        this.list.insertBefore(element, this.list.children[index] ?? null);
      }
    });
    while (this.list.children.length > elements.length) {
      this.list.lastElementChild?.remove();
    }
  }
}

function label(element: HTMLElement, index: number, count: number): void {
  const wanted = {
    "aria-label": `${element.dataset.author}, ${index + 1} of ${count}`,
    "aria-posinset": String(index + 1),
    "aria-setsize": String(count),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (element.getAttribute(name) !== value) {
      element.setAttribute(name, value);
    }
  }
}

function bannerViews(state: ChatState): HTMLElement[] {
  const views: HTMLElement[] = [];
  if (state.connection === "noFolder") {
    views.push(
      banner(
        "Open a folder to begin: a session belongs to one.",
        commandButton("openFolder", "Open folder", "primary"),
      ),
    );
  } else if (state.connection === "starting") {
    views.push(banner("Starting the server…"));
  } else if (state.connection === "failed") {
    views.push(banner(state.connectionMessage, ...rescueButtons(state.connectionFailure)));
  }
  if (state.inMemory) {
    views.push(
      banner(
        "Kept in memory alone: this conversation ends with the server or the window.",
        commandButton("exportSession", "Export session…", "secondary"),
      ),
    );
  }
  if (!state.trusted) {
    views.push(
      banner(
        "This folder is not trusted: no tools run and nothing is remembered.",
        commandButton("manageTrust", "Manage trust", "secondary"),
      ),
    );
  }
  const trouble = teamBanner(state.team);
  if (trouble !== undefined) {
    const change = commandButton("shareWithTeam", "Team…", "secondary");
    views.push(banner(trouble, ...(isRefused(state.team) ? [change] : [])));
  }
  return views;
}

function rescueButtons(failure: string | undefined): HTMLElement[] {
  const rescues = rescuesOf(failure);
  const restart = rescues.length > 0 ? "secondary" : "primary";
  return [
    ...rescues.map((rescue, index) =>
      commandButton(rescue, RESCUE_LABELS[rescue], index === 0 ? "primary" : "secondary"),
    ),
    commandButton("restartServer", "Restart server", restart),
    commandButton("showLogs", "Show logs", "secondary"),
  ];
}

function banner(text: string, ...buttons: HTMLElement[]): HTMLElement {
  return h(
    "div",
    { class: "banner-line" },
    h("p", {}, text),
    buttons.length > 0 && h("div", { class: "choices" }, ...buttons),
  );
}
