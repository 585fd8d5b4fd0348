import { beforeEach, expect, it, vi } from "vitest";
import { AskedInVain, type LinkState, ViewLink } from "../../../src/webview/view/link";

// @vitest-environment jsdom

/** A socket whose server is the test. */
class Socket extends EventTarget {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = Socket.OPEN;
  readonly sent: { id: number; method: string; params: object }[] = [];

  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {
    super();
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  open(): void {
    this.dispatchEvent(new Event("open"));
  }

  tell(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

let states: [LinkState, string?][];

function link(): ViewLink {
  states = [];
  return new ViewLink({
    state: (...state) => states.push(state),
    context: () => undefined,
  });
}

const last = () => Socket.made.at(-1) as Socket;
const opened = { method: "plimsoll/view/opened", params: { key: "KEY", methods: [] } };

beforeEach(() => {
  Socket.made = [];
  sessionStorage.clear();
  vi.stubGlobal("WebSocket", Socket);
  vi.useFakeTimers();
  vi.clearAllTimers();
  location.hash = "#TOKEN";
});

it("shows the token once, takes it out of the address, and comes back with the key", () => {
  link();
  expect(last().protocols).toEqual(["plimsoll-view", "TOKEN"]);
  expect(location.href).not.toContain("TOKEN");
  last().open();
  last().tell(opened);
  last().close();
  vi.runOnlyPendingTimers();
  expect(last().protocols).toEqual(["plimsoll-view", "KEY"]);
  last().close();
  vi.runOnlyPendingTimers();
  expect(Socket.made).toHaveLength(3);
  expect(states.map(([state]) => state)).toEqual([
    "connecting",
    "live",
    "lost",
    "lost",
    "lost",
    "lost",
  ]);
});

it("is not let in without a token, and asks no second time with one that is refused", () => {
  link();
  last().close();
  vi.runOnlyPendingTimers();
  expect(states).toEqual([["connecting"], ["refused"]]);
  sessionStorage.clear();
  link();
  expect(states).toEqual([["refused"]]);
  expect(Socket.made).toHaveLength(1);
});

it("answers each question with its own answer, or with why it was in vain", async () => {
  const asked = link();
  last().open();
  const first = asked.ask("plimsoll/context/evict", { itemIds: ["a"] });
  const second = asked.ask("plimsoll/context/evict", { itemIds: ["b"] });
  const third = asked.ask("plimsoll/context/evict", { itemIds: ["c"] });
  expect(last().sent.map(({ params }) => params)).toEqual([
    { itemIds: ["a"] },
    { itemIds: ["b"] },
    { itemIds: ["c"] },
  ]);
  last().tell({ id: 2, error: { message: "In use.", remedy: "Wait." } });
  last().tell({ id: 1, result: "done" });
  await expect(first).resolves.toBe("done");
  await expect(second).rejects.toThrow(new AskedInVain("In use. Wait."));
  last().close();
  await expect(third).rejects.toBeInstanceOf(AskedInVain);
  await expect(asked.ask("plimsoll/context/evict", {})).rejects.toBeInstanceOf(AskedInVain);
});

it("does not come back to a session that has ended", () => {
  link();
  last().open();
  last().tell({ method: "plimsoll/view/ended", params: { message: "It was deleted." } });
  last().close();
  vi.runOnlyPendingTimers();
  expect(states.at(-1)).toEqual(["ended", "It was deleted."]);
  expect(Socket.made).toHaveLength(1);
});
