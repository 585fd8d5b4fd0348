import type { ContextReport, SessionInfo } from "../../protocol";

/** How it stands with the process that serves the page. */
export type LinkState = "connecting" | "live" | "lost" | "refused" | "ended";

/** What stands in the context now. */
export interface ShownContext {
  readonly report: ContextReport;
  readonly session: SessionInfo;
  /** A turn runs, in whichever process. */
  readonly running: boolean;
}

export interface LinkEvents {
  /** `why`: in the server's words, where it ended. */
  state(state: LinkState, why?: string): void;
  /** `methods`: what may be asked. */
  context(shown: ShownContext, methods: readonly string[]): void;
}

/** Why something that was asked was not done, in the server's words. */
export class AskedInVain extends Error {}

interface Asked {
  resolve(result: unknown): void;
  reject(error: AskedInVain): void;
}

/** What comes from the server: answers by number, and what it tells by itself. */
type Told =
  | { id: number; result?: unknown; error?: { message: string; remedy?: string } }
  | { method: "plimsoll/view/opened"; params: { key: string; methods: string[] } }
  | { method: "plimsoll/view/didChange"; params: ShownContext }
  | { method: "plimsoll/view/ended"; params: { message: string } };

/** What a tab remembers, so that it can be loaded again: the token of its address is good once. */
const KEY = "plimsoll.key";
const PROTOCOL = "plimsoll-view";
const AGAIN_MILLISECONDS = 2000;

/** The connection of the page with the process that serves it; lost, it is tried again. */
export class ViewLink {
  private socket: WebSocket | undefined;
  private readonly waiting = new Map<number, Asked>();
  private asked = 0;
  private methods: readonly string[] = [];
  private ended = false;

  constructor(private readonly events: LinkEvents) {
    const token = location.hash.slice(1);
    if (token !== "") {
      sessionStorage.setItem(KEY, token);
      // The token leaves the address bar, and the history with it.
      history.replaceState(null, "", "/");
    }
    this.connect("connecting");
  }

  /** Asks for something. Raises: `AskedInVain`. */
  ask(method: string, params: object): Promise<unknown> {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new AskedInVain("The page is not connected now."));
    }
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  }

  private connect(state: LinkState): void {
    const word = sessionStorage.getItem(KEY);
    if (word === null) {
      this.events.state("refused");
      return;
    }
    this.events.state(state);
    const socket = new WebSocket(`ws://${location.host}/socket`, [PROTOCOL, word]);
    this.socket = socket;
    let opened = false;
    socket.addEventListener("open", () => {
      opened = true;
    });
    socket.addEventListener("message", ({ data }) => this.hear(JSON.parse(String(data)) as Told));
    socket.addEventListener("close", () => this.closed(opened || state === "lost"));
  }

  private hear(told: Told): void {
    if ("id" in told) {
      this.settle(told.id, told.result, told.error);
      return;
    }
    switch (told.method) {
      case "plimsoll/view/opened":
        sessionStorage.setItem(KEY, told.params.key);
        this.methods = told.params.methods;
        this.events.state("live");
        break;
      case "plimsoll/view/didChange":
        this.events.context(told.params, this.methods);
        break;
      case "plimsoll/view/ended":
        this.ended = true;
        this.events.state("ended", told.params.message);
        break;
    }
  }

  private settle(id: number, result: unknown, error?: { message: string; remedy?: string }): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) {
      waiting?.resolve(result);
    } else {
      waiting?.reject(new AskedInVain([error.message, error.remedy ?? ""].join(" ").trim()));
    }
  }

  /** A browser does not tell a refusal from a process that is gone: only what was let in comes again. */
  private closed(letIn: boolean): void {
    for (const { reject } of this.waiting.values()) {
      reject(new AskedInVain("The connection was lost before it was answered."));
    }
    this.waiting.clear();
    if (this.ended) {
      return;
    }
    this.events.state(letIn ? "lost" : "refused");
    if (letIn) {
      setTimeout(() => this.connect("lost"), AGAIN_MILLISECONDS);
    }
  }
}
