import { loadText } from "../../context/hold/hold";
import type { SessionInfo } from "../../protocol";
import { h, morph } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { HoldPage } from "../hold/page";
import { BrowserHost } from "./browserHost";
import { AskedInVain, type LinkState, type ShownContext, ViewLink } from "./link";
import { receiptList } from "./receiptList";

const STATE_WORDS: Readonly<Record<LinkState, string>> = {
  connecting: "connecting",
  live: "live",
  lost: "not connected",
  refused: "not let in",
  ended: "ended",
};

/** What a person can do about it. */
const STATE_HELP: Readonly<Partial<Record<LinkState, string>>> = {
  lost: "The process that serves this page does not answer. The page comes back by itself when it does.",
  refused:
    "This address was used already, or its process has ended. Type /view in the session, or run “plimsoll view” in its folder: each says a new address.",
};

/** The page of a browser: what session it is, the context view, and the receipts. */
export class BrowserPage {
  private readonly host: BrowserHost;
  private readonly link: ViewLink;
  private readonly title = h("h1", {}, "Plimsoll");
  private readonly about = h("p", { class: "about" });
  private readonly load = h("p", { class: "load-words" });
  private readonly state = h("span", { class: "link-state", role: "status" });
  private readonly help = h("p", { class: "help", role: "alert", hidden: true });
  private readonly receipts = h("div", { class: "receipts" });
  private readonly explained = h("dialog", { class: "explained" }) as HTMLDialogElement;
  /** What is drawn next; what comes meanwhile takes its place. */
  private coming: (() => void)[] = [];

  constructor(root: HTMLElement) {
    const hold = h("div", { class: "view-hold" });
    const aside = h("aside", { class: "view-receipts", "aria-label": "What left" }, this.receipts);
    const words = h("div", { class: "view-words" }, this.title, this.about);
    const head = h("header", { class: "view-head" }, mark(), words, this.load, this.state);
    root.append(head, this.help, h("div", { class: "view-body" }, hold, aside), this.explained);
    this.host = new BrowserHost({
      ask: (method, params) => this.ask(method, params),
      explain: (title, text) => this.explain(title, text),
    });
    new HoldPage(this.host, hold);
    root.addEventListener("click", (event) => this.clicked(event));
    this.link = new ViewLink({
      state: (state, why) => this.showState(state, why),
      context: (shown, methods) => this.show(shown, methods),
    });
  }

  /** In steps, so that nothing that is typed or scrolled waits for a long list. */
  private show(shown: ShownContext, methods: readonly string[]): void {
    const idle = this.coming.length === 0;
    this.coming = [
      () => this.host.prepare(shown, methods),
      () => this.host.draw(),
      () => this.showSession(shown),
      () => morph(this.receipts, receiptList(shown.report.receipts)),
    ];
    if (idle) {
      this.step();
    }
  }

  private step(): void {
    setTimeout(() => {
      this.coming.shift()?.();
      if (this.coming.length > 0) {
        this.step();
      }
    });
  }

  private showSession({ session, running, report }: ShownContext): void {
    const name = session.title || "Untitled session";
    const { percent } = report.meter;
    document.title = `${loadText(report.meter)} · ${name}`;
    this.load.textContent = `${loadText(report.meter)} tokens · ${Math.round(percent)} %`;
    this.title.replaceChildren(...revealHidden(name));
    this.about.replaceChildren(...revealHidden(aboutText(session)));
    this.state.toggleAttribute("data-running", running);
    this.state.textContent = running ? "a turn runs" : "live";
  }

  private showState(state: LinkState, why?: string): void {
    this.state.dataset.state = state;
    this.state.textContent = STATE_WORDS[state];
    this.state.removeAttribute("data-running");
    document.body.toggleAttribute("data-away", state !== "live");
    this.tell(why ?? STATE_HELP[state] ?? "");
  }

  private tell(text: string): void {
    this.help.textContent = text;
    this.help.hidden = text === "";
  }

  /** Nothing, where it was in vain: why is told. */
  private async ask(method: string, params: object): Promise<unknown> {
    try {
      const done = await this.link.ask(method, params);
      this.tell("");
      return done;
    } catch (error) {
      if (!(error instanceof AskedInVain)) {
        throw error;
      }
      this.tell(error.message);
      return undefined;
    }
  }

  /** As it stands: it quotes what tools and files said. */
  private explain(title: string, text: string): void {
    const close = h("button", { type: "button", class: "secondary", "data-close": true }, "Close");
    this.explained.replaceChildren(
      h("h2", {}, ...revealHidden(title)),
      h("pre", { tabindex: "0" }, ...revealHidden(text)),
      close,
    );
    this.explained.showModal();
    close.focus();
  }

  private clicked(event: Event): void {
    const target = (event.target as Element).closest<HTMLElement>("[data-undo], [data-close]");
    if (target?.dataset.undo) {
      void this.ask("plimsoll/context/undo", { editId: target.dataset.undo });
    } else if (target !== null) {
      this.explained.close();
    }
  }
}

/** `harbour · openai/gpt-4o · edit`. */
function aboutText({ workspaceFolder, model, mode }: SessionInfo): string {
  const folder = workspaceFolder.replace(/\/+$/, "");
  return [decoded(folder.slice(folder.lastIndexOf("/") + 1)), model, mode].join(" · ");
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function mark(): HTMLElement {
  return h("img", { class: "mark", src: "/icon.svg", alt: "" });
}
