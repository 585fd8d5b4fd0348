import { expect, it } from "vitest";
import { buildHold, loadText, remainingText } from "../../../src/context/hold/hold";
import { sortRows } from "../../../src/context/hold/rows";
import { titleOf } from "../../../src/context/hold/titles";
import type { ContextItem, ContextReport, Receipt } from "../../../src/protocol";
import { item, meter, receipt } from "../../values";

const SERVED = [
  "plimsoll/pin/add",
  "plimsoll/pin/remove",
  "plimsoll/context/evict",
  "plimsoll/context/restore",
  "plimsoll/session/prompt",
];

function hold(items: ContextItem[], served = SERVED, receipts: Receipt[] = []) {
  const report: ContextReport = {
    meter: meter(),
    pending: [receipt()],
    items,
    files: [],
    systemSections: [],
    tools: [],
    receipts,
    cache: { stablePrefix: 0, hitRate: 0.917 },
    advice: [],
  };
  return buildHold(report, { served, folder: "file:///w" });
}

const stale = { uri: "file:///w/src/router.py", stale: true };

it.each([
  [item({}), "whole · turn 7", ["pin", "evict"]],
  [item({ pinned: true }), "pinned · whole · turn 7", ["evict"]],
  [item({ source: stale }), "stale: changed since", ["read", "evict"]],
  [item({ state: "pruned", turn: 2 }), "removed · turn 2", ["restore"]],
  [item({ kind: "summary", state: "summarised", turn: 0 }), "in the summary", ["restore"]],
  [item({ kind: "pins", id: "pin.p1" }), "pinned", ["unpin"]],
  [item({ kind: "system", turn: 0 }), "always sent", []],
])("says the state in words and what can be done (%#)", (value, state, actions) => {
  expect(hold([value]).rows[0]).toMatchObject({ state, actions });
});

it("shows all schemas as one row, and slots by their kind", () => {
  const { rows } = hold([
    item({ id: "frame.tools.grep", kind: "tools", title: "tools.grep", tokens: 107, turn: 0 }),
    item({ id: "frame.tools.shell", kind: "tools", title: "tools.shell", tokens: 100, turn: 0 }),
    item({ id: "frame.system", kind: "system", title: "system", turn: 0 }),
    item({ id: "frame.system.environment", kind: "system", title: "system.environment", turn: 0 }),
  ]);
  expect(rows.map(({ title, tokens }) => [title, tokens])).toEqual([
    ["Tools (2)", 207],
    ["System text", 1204],
    ["System: environment", 1204],
  ]);
});

it("shows a call and its result as one item, and a call without one by itself", () => {
  const { rows } = hold([
    item({ id: "m1.1", kind: "assistant", title: "Read a.py", tokens: 20, callId: "c1" }),
    item({ id: "m2.1", kind: "assistant", title: "Run make", tokens: 9, callId: "c2" }),
    item({ id: "r1.0", tokens: 100, callId: "c1" }),
    item({ id: "m3.0", kind: "assistant", title: "Done.", tokens: 4 }),
    item({ id: "m4.0", kind: "assistant", title: "Done again.", tokens: 5 }),
  ]);
  expect(rows.map(({ id, tokens }) => [id, tokens])).toEqual([
    ["m2.1", 9],
    ["r1.0", 120],
    ["m3.0", 4],
    ["m4.0", 5],
  ]);
});

it.each([
  [{ code: "item.large", itemIds: ["a"] }, SERVED, true],
  [{ code: "item.large", itemIds: ["a"] }, [], false],
  [{ code: "item.large" }, SERVED, false],
  [{ code: "context.full" }, SERVED, true],
])("offers an advice as a button where it can be taken (%#)", (fields, served, can) => {
  const report = { meter: meter(), pending: [], files: [], systemSections: [], tools: [] };
  const advice = [{ message: "Remove it.", saves: 9, ...fields }];
  const whole = { ...report, receipts: [], cache: { stablePrefix: 0 }, advice };
  expect(buildHold(whole, { served, folder: "" }).advice).toMatchObject([{ can }]);
});

it("offers nothing that the server does not serve", () => {
  expect(hold([item({})], ["plimsoll/pin/add"]).rows[0]?.actions).toEqual(["pin"]);
});

it("puts pins first, then the biggest or the newest", () => {
  const { rows } = hold([
    item({ id: "old", tokens: 900, turn: 1 }),
    item({ id: "new", tokens: 10, turn: 9 }),
    item({ id: "pin.p1", kind: "pins", tokens: 6, turn: 0 }),
  ]);
  expect(sortRows(rows, "biggest").map(({ id }) => id)).toEqual(["pin.p1", "old", "new"]);
  expect(sortRows(rows, "newest").map(({ id }) => id)).toEqual(["pin.p1", "new", "old"]);
});

it("puts the load, the remainingText and the cache into words", () => {
  expect(hold([])).toMatchObject({
    cache: "92 % cached",
    pending: ["Next request: 1 old result removed, 38.4k tokens freed."],
  });
  expect(loadText(meter())).toBe("55.3k of 112k");
  expect(remainingText(meter({ turnsLeft: 14, percent: 50 }))).toBe("about 14 turns left");
  expect(remainingText(meter({ turnsLeft: 50, percent: 50 }))).toBe("about 50 turns left");
  expect(remainingText(meter({ turnsLeft: 51, percent: 50 }))).toBe("many turns left");
  expect(remainingText(meter({ turnsLeft: 9, percent: 8 }))).toBe("");
  expect(remainingText(meter({ turnsLeft: 0 }))).toBe("nearly full");
  expect(remainingText(meter({ zone: "infeasible" }))).toBe("the next request does not fit");
});

it("folds what was summarised under its summary, named by its turns", () => {
  const gone = { tokens: 0, state: "summarised" } as const;
  const { rows } = hold(
    [
      item({ id: "e1", kind: "summary", tokens: 300, turn: 0 }),
      item({ id: "e2", kind: "summary", tokens: 200, turn: 0 }),
      item({ id: "m1.0", ...gone, turn: 1 }),
      item({ id: "m2.0", ...gone, turn: 2 }),
      item({ id: "m3.0", ...gone, turn: 4 }),
      item({ id: "m4.0", tokens: 0, state: "evicted" }),
    ],
    SERVED,
    [receipt({ id: "e1", items: [{ id: "m1.0", title: "", tokens: 9, where: "log" }] })],
  );
  const shown = rows.map(({ id, title, state, folded }) => [
    id,
    title,
    state,
    folded?.map((row) => row.id),
  ]);
  expect(shown).toEqual([
    ["e1", "Turn 1", "1 item", ["m1.0"]],
    ["e2", "Turns 2-4", "2 items", ["m2.0", "m3.0"]],
    ["m4.0", "src/ledger.py:1-640", "removed · turn 7", undefined],
  ]);
});

const at = (uri: string) => ({ uri, stale: false });

it.each([
  [
    item({ title: "ledger.py:1-640", source: at("file:///w/src/ledger.py") }),
    "src/ledger.py:1-640",
  ],
  [item({ title: "a b.py", source: at("file:///w/a%20b.py") }), "a b.py"],
  [item({ title: "100%.py", source: at("file:///w/100%.py") }), "100%.py"],
  [item({ title: "other.py", source: at("file:///elsewhere/other.py") }), "other.py"],
  [
    item({ title: "src/ledger.py:1-9", source: at("file:///w/src/ledger.py") }),
    "src/ledger.py:1-9",
  ],
  [item({ title: "Run python tools/build.py" }), "python tools/build.py"],
  [item({ title: "Search for total" }), "Search for total"],
  [item({ kind: "assistant", title: "Run python tools/build.py" }), "Run python tools/build.py"],
  [
    item({ kind: "pins", title: "[pinned 2] Every function carries #qa" }),
    "Every function carries #qa",
  ],
  [item({ id: "frame.system", kind: "system", title: "system" }), "System text"],
  [item({ id: "frame.mode", kind: "system", title: "mode" }), "Mode"],
  [
    item({ id: "frame.skills.folder", kind: "instructions", title: "skills.folder" }),
    "Skills of this folder",
  ],
  [item({ id: "frame.tasks", kind: "tasks", title: "tasks" }), "Tasks"],
])("names an item as a person would (%#)", (value, title) => {
  expect(titleOf(value, "file:///w")).toBe(title);
});

it("folds the files that a rules file names under it, each with what became of it", () => {
  const source = { uri: "file:///w/AGENTS.md", stale: false };
  const imports = [
    { path: "docs/a b.md", outcome: "followed", tokens: 12 },
    { path: "/etc/x.md", outcome: "outside", tokens: 0 },
  ];
  const rules = item({ id: "frame.instructions", kind: "instructions", source, imports });
  const [row] = hold([rules]).rows;
  const shown = row?.folded?.map(({ title, state, tokens, source, actions }) => ({
    row: [title, state, tokens, source?.uri],
    actions,
  }));
  expect(shown).toEqual([
    { row: ["docs/a b.md", "followed", 12, "file:///w/docs/a%20b.md"], actions: [] },
    { row: ["/etc/x.md", "outside the folder", 0, "file:///w/AGENTS.md"], actions: [] },
  ]);
  expect(new Set(row?.folded?.map(({ id }) => id)).size).toBe(2);
});
