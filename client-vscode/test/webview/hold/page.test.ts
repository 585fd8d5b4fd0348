import { beforeEach, expect, it, vi } from "vitest";
import type { FromHoldPage, ToHoldPage } from "../../../src/context/hold/messages";
import type { HoldRow } from "../../../src/context/hold/rows";
import type { ServerRow } from "../../../src/mcp/model";
import { HoldPage, type HoldPageState } from "../../../src/webview/hold/page";
import { namePlaces } from "../../../src/webview/loadBar";
import { meter } from "../../values";

// @vitest-environment jsdom

let posts: FromHoldPage[];
let saved: HoldPageState | undefined;
let send: (message: ToHoldPage) => void;

function row(fields: Partial<HoldRow>): HoldRow {
  const { id = "m1.0", tokens = 10, turn = 1 } = fields;
  const rest = {
    kind: "toolResults",
    group: "files" as const,
    title: `item ${id}`,
    state: "whole · turn 1",
    form: "verbatim",
    stale: false,
    why: "",
  };
  return { ...rest, id, tokens, turn, actions: ["pin", "evict"], ...fields };
}

function open(...rows: HoldRow[]): void {
  posts = [];
  document.body.replaceChildren();
  new HoldPage(
    {
      post: (message) => posts.push(message),
      getState: () => saved,
      setState: (state) => {
        saved = state;
      },
      onMessage: (listener) => {
        send = listener;
      },
    },
    document.body,
  );
  show(...rows);
}

function show(...rows: HoldRow[]): void {
  send({
    type: "hold",
    servers: [],
    hold: { meter: meter(), fileTokens: 0, rows, cache: "", advice: [], pending: [] },
  });
}

function ids(): (string | undefined)[] {
  return [...document.querySelectorAll<HTMLElement>("li")].map(({ dataset }) => dataset.id);
}

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

beforeEach(() => {
  saved = undefined;
});

it("acts on the row whose button was pressed", () => {
  open(row({ id: "a", tokens: 5 }), row({ id: "b", tokens: 9 }));
  click("[data-id=b] [data-act=evict]");
  click("[data-id=a] [data-open]");
  expect(posts.slice(1)).toEqual([
    { type: "act", action: "evict", id: "b" },
    { type: "open", id: "a" },
  ]);
});

it("changes the order and keeps it", () => {
  open(row({ id: "big", tokens: 9, turn: 1 }), row({ id: "new", tokens: 1, turn: 5 }));
  expect(ids()).toEqual(["big", "new"]);
  click("[data-order]");
  expect(ids()).toEqual(["new", "big"]);
  open(row({ id: "big", tokens: 9, turn: 1 }), row({ id: "new", tokens: 1, turn: 5 }));
  expect(ids()).toEqual(["new", "big"]);
});

it("keeps the focus on a row that moves", () => {
  open(row({ id: "a", tokens: 5 }), row({ id: "b", tokens: 9 }));
  const name = document.querySelector<HTMLElement>("[data-id=a] [data-open]");
  name?.focus();
  show(row({ id: "a", tokens: 50 }), row({ id: "b", tokens: 9 }));
  expect(ids()).toEqual(["a", "b"]);
  expect(document.activeElement).toBe(name);
});

it("moves from row to row with the arrow keys", () => {
  open(row({ id: "a", tokens: 9 }), row({ id: "b", tokens: 5 }));
  const first = document.querySelector<HTMLElement>("[data-id=a] [data-open]");
  first?.focus();
  first?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  expect(document.activeElement?.closest("li")?.dataset.id).toBe("b");
});

it("tells the bar in words, and draws no inline style, which the policy would drop", () => {
  open(row({}));
  expect(document.querySelector("svg.bar")?.getAttribute("aria-label")).toBe(
    "55,300 of 112,000 tokens: Commands and searches 52.2k, Always sent 3.1k. Marks: warn at 75, compact at 85, stop at 97 percent.",
  );
  expect(document.querySelectorAll("[style]")).toHaveLength(0);
  const widths = [...document.querySelectorAll("rect.segment")].map((one) =>
    one.getAttribute("width"),
  );
  expect(widths).toEqual(["2.768%", "46.607%"]);
});

it("shows what a summary stands for when it is asked, and keeps it open", () => {
  const summary = row({ id: "e1", kind: "summary", folded: [row({ id: "gone", tokens: 0 })] });
  open(summary);
  expect(ids()).toEqual(["e1"]);
  click("[data-id=e1] [data-fold]");
  expect(ids()).toEqual(["e1", "gone"]);
  show(summary, row({ id: "a", tokens: 1 }));
  expect(ids()).toEqual(["e1", "gone", "a"]);
  click("[data-id=gone] [data-act=pin]");
  expect(posts.at(-1)).toEqual({ type: "act", action: "pin", id: "gone" });
  click("[data-id=e1] [data-fold]");
  expect(ids()).toEqual(["e1", "a"]);
});

it("folds what is small, what has left and what is always sent, once there are three of each", () => {
  const small = ["s1", "s2", "s3"].map((id) => row({ id, tokens: 9 }));
  const gone = ["g1", "g2", "g3"].map((id) => row({ id, form: "evicted", tokens: 5 }));
  const fixed = ["f1", "f2"].map((id) => row({ id, kind: "system", group: "fixed" }));
  open(row({ id: "big", tokens: 900 }), ...small, ...gone, ...fixed);
  expect(ids()).toEqual(["big", "small", "removed", "f1", "f2"]);
  expect(document.querySelector("[data-id=small] .tokens")?.textContent).toBe("27 tokens");
  click("[data-id=small] [data-fold]");
  expect(ids()).toEqual(["big", "small", "s1", "s2", "s3", "removed", "f1", "f2"]);
});

it("folds nothing that a person has to see: pins, what is stale, pinned or just removed", () => {
  const pins = ["p1", "p2", "p3"].map((id) => row({ id, kind: "pins", group: "pins" }));
  const stale = ["a", "b", "c"].map((id) => row({ id, stale: true }));
  const pinned = ["d", "e", "f"].map((id) => row({ id, state: "pinned · whole · turn 1" }));
  const removed = ["g", "h"].map((id) => row({ id, form: "evicted" }));
  open(...pins, ...stale, ...pinned, ...removed, row({ id: "small" }));
  expect(ids()).toHaveLength(12);
});

it("keeps the keyboard in the row whose button has gone", () => {
  open(row({ id: "a" }), row({ id: "b", tokens: 5 }));
  document.querySelector<HTMLElement>("[data-id=a] [data-act=evict]")?.focus();
  show(row({ id: "a", tokens: 1, actions: ["restore"] }), row({ id: "b", tokens: 5 }));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("restore item a");
  show(row({ id: "b", tokens: 5 }));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("pin item b");
});

it("says what will leave before the next request", () => {
  open();
  const pending = ["Next request: 4 old results removed, 5.1k tokens freed."];
  send({
    type: "hold",
    servers: [],
    hold: { meter: meter(), fileTokens: 0, rows: [], cache: "", advice: [], pending },
  });
  expect(document.querySelector(".pending")?.textContent).toBe(pending[0]);
});

it("offers the advice that frees the most as a button, and no other", () => {
  open();
  const advice = [
    { code: "item.large", message: "Remove a.py.", saves: 900, itemIds: ["a"], can: true },
    { code: "context.full", message: "Compact it.", saves: 10_341, itemIds: [], can: true },
  ];
  send({
    type: "hold",
    servers: [],
    hold: { meter: meter(), fileTokens: 0, rows: [], cache: "", advice, pending: [] },
  });
  const shown = [...document.querySelectorAll(".advice")].map((one) => one.textContent);
  expect(shown).toEqual(["Compact it: frees 10.3k"]);
  click("[data-advice]");
  expect(posts.at(-1)).toEqual({ type: "advice", code: "context.full" });
});

it("makes no more of thousands of items than it shows, folded or open", () => {
  const made = vi.spyOn(document, "createElement");
  open(...Array.from({ length: 1000 }, (_, at) => row({ id: `r${at}`, tokens: 1000 + at })));
  expect(ids()).toHaveLength(300);
  expect(document.querySelector(".more-items")?.textContent).toBe("700 more in the context report");
  show(...Array.from({ length: 1000 }, (_, at) => row({ id: `g${at}`, form: "evicted" })));
  click("[data-id=removed] [data-fold]");
  expect(ids()).toHaveLength(300);
  expect(made.mock.calls.length).toBeLessThan(7500);
});

it("keeps the names of the marks apart in the narrowest bar that has them", () => {
  const letter = 5.2;
  const bar = 266;
  for (const at of [
    [0.75, 0.85, 0.97],
    [0.84, 0.85, 0.86],
    [0.1, 0.11, 1],
  ]) {
    const marks = ["warn", "compact", "stop"].map((name, index) => ({ name, at: at[index] ?? 0 }));
    const ends = namePlaces(marks).map((shift, index) => (at[index] ?? 0) * bar + shift);
    const starts = ends.map((end, index) => end - (marks[index]?.name.length ?? 0) * letter);
    expect(Math.max(...ends)).toBeLessThanOrEqual(bar);
    expect((starts[1] ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(4);
    expect((starts[2] ?? 0) - (ends[1] ?? 0)).toBeGreaterThan(4);
  }
});

it("shows each server with what can be done, and the list open where one fails", () => {
  open();
  const git = serverValue({ name: "git", state: "running · 12 tools", actions: ["tools", "off"] });
  const hold = { meter: meter(), fileTokens: 0, rows: [], cache: "", advice: [], pending: [] };
  send({ type: "hold", servers: [git], hold });
  expect(document.querySelector("details.servers")?.hasAttribute("open")).toBe(false);
  click('[data-server="git"][data-action="tools"]');
  expect(posts.at(-1)).toEqual({ type: "server", name: "git", action: "tools" });

  document.querySelector("details.servers")?.setAttribute("open", "");
  for (const pending of [["It is compacted soon."], []]) {
    send({ type: "hold", servers: [git], hold: { ...hold, pending } });
    expect(document.querySelector("details.servers")?.hasAttribute("open")).toBe(true);
  }
  document.querySelector("details.servers")?.removeAttribute("open");

  const wiki = serverValue({
    name: "wiki",
    failed: true,
    told: true,
    why: "It ended. <b>at once</b>",
  });
  send({ type: "hold", servers: [git, wiki], hold });
  const list = document.querySelector("details.servers");
  expect(list?.hasAttribute("open")).toBe(true);
  list?.removeAttribute("open");
  send({ type: "hold", servers: [git, wiki], hold });
  expect(list?.hasAttribute("open")).toBe(false);
  expect(list?.querySelector("summary")?.textContent).toBe("2 MCP servers: wiki cannot be used");
  expect(list?.querySelector(".title")?.textContent).toBe("wiki");
  expect(list?.querySelector(".why")?.textContent).toBe("It ended. <b>at once</b>");

  const far = serverValue({ name: "far", failed: true, wantsLogin: true });
  send({ type: "hold", servers: [git, wiki, far], hold });
  expect(list?.querySelector("summary")?.textContent).toBe(
    "3 MCP servers: wiki cannot be used, far wants a login",
  );
});

function serverValue(fields: Partial<ServerRow>): ServerRow {
  const plain = { name: "git", state: "failed", tokens: 20, why: "", failed: false, told: false };
  return { ...plain, wantsLogin: false, actions: [], ...fields };
}
