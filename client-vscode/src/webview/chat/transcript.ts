import type { ChatState, Entry } from "../../session/state";
import { RESCUE_LABELS, rescuesOf } from "../../session/stores";
import { h, morph } from "../dom";
import { author, commandButton, entryView } from "./entries";
import { WaitingLine } from "./waiting";
import { connectLine, emptyView } from "./welcome";

interface Shown {
  readonly entry: Entry;
  readonly element: HTMLElement;
}

/** Closer to the end than this, in pixels, the view follows what arrives. */
const FOLLOW_WITHIN = 48;

/** The list of messages, calls and receipts: redraws only the entries that changed. */
export class Transcript {
  readonly element = h("div", { class: "transcript", id: "transcript", tabindex: "-1" });
  private readonly banner = h("div", { class: "banner" });
  private readonly list = h("div", {
    class: "entries",
    "aria-label": "Conversation",
  });
  private readonly connect = h("div", {});
  private readonly waiting = new WaitingLine();
  private shown = new Map<string, Shown>();
  private follows = true;

  constructor(onScroll: () => void) {
    this.element.append(this.banner, this.list, this.connect, this.waiting.element);
    this.element.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.element;
      this.follows = scrollHeight - scrollTop - clientHeight <= FOLLOW_WITHIN;
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
    this.drawBanner(state);
    this.drawEntries(state);
    this.waiting.draw(state);
    this.list.setAttribute("aria-busy", String(state.turnId !== undefined));
    this.settle();
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

  private drawBanner(state: ChatState): void {
    this.banner.replaceChildren(...bannerViews(state));
  }

  private drawEntries(state: ChatState): void {
    const seen = new Map<string, Shown>();
    const elements: HTMLElement[] = [];
    for (const entry of state.entries) {
      const key = `${entry.kind}.${entry.id}`;
      const shown = this.reuse(key, entry);
      if (shown !== undefined) {
        seen.set(key, shown);
        elements.push(shown.element);
      }
    }
    this.shown = seen;
    for (const [index, element] of elements.entries()) {
      label(element, index, elements.length);
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
