import { expect, it } from "vitest";
import {
  auditMarkdown,
  groupsOf,
  importedText,
  memoryDetails,
  memoryNote,
  proposedTitle,
  suggestionText,
} from "../../src/memory/model";
import { memory } from "../values";

it("groups by type, the inbox first, an unknown type and earlier sessions last", () => {
  const groups = groupsOf([
    memory({ id: "record", class: "working", digest: true }),
    memory({ id: "new", type: "ritual" }),
    memory({ id: "choice", type: "decision" }),
    memory({ id: "waiting", type: "decision", state: "inbox" }),
    memory({ id: "fact" }),
  ]);
  expect(groups.map(({ label, memories }) => [label, memories.map(({ id }) => id)])).toEqual([
    ["Inbox", ["waiting"]],
    ["Project knowledge", ["fact"]],
    ["Key decisions", ["choice"]],
    ["ritual", ["new"]],
    ["Previous sessions", ["record"]],
  ]);
});

it("puts the pinned first, then by class, then the newest", () => {
  const [group] = groupsOf([
    memory({ id: "working", class: "working" }),
    memory({ id: "old" }),
    memory({ id: "young", createdAt: "2026-11-21T10:00:00Z" }),
    memory({ id: "priority", class: "priority" }),
    memory({ id: "pinned", class: "working", pinned: true }),
  ]);
  expect(group?.memories.map(({ id }) => id)).toEqual([
    "pinned",
    "priority",
    "young",
    "old",
    "working",
  ]);
});

it.each([
  [memory(), ""],
  [memory({ state: "stale", class: "priority" }), "stale: its file changed · priority"],
  [memory({ state: "inbox", author: "extraction" }), "proposed by extraction"],
  [memory({ pinned: true }), "pinned"],
  [
    memory({ importance: 5, scope: "team", tags: ["ci", "net"] }),
    "importance 5 · team · #ci · #net",
  ],
  [memory({ scope: "mine", pendingSync: true }), "my machines · waits to be sent"],
  [memory({ scope: "team", authorName: "anna" }), "by anna · team"],
  [memory({ state: "inbox", scope: "team", authorName: "anna" }), "shared by anna · team"],
])("notes what is out of the ordinary (%#)", (value, note) => {
  expect(memoryNote(value)).toBe(note);
});

it("tells all about a memory, and cuts a long text", () => {
  const long = memoryDetails(
    memory({ content: "x".repeat(5000), timesUsed: 1, lastUsedAt: "2026-11-21T10:00:00Z" }),
  );
  expect(long).toMatch(/^Deploys\n\nx{600}…\n\nBy you, 2026-11-20 .*used 1 time, last 2026-11-21/);
  expect(memoryDetails(memory())).toContain("not used yet");
  const waiting = memory({ state: "inbox", supersedes: "k1" });
  expect(memoryDetails(waiting)).toContain("accepting it hides k1");
  expect(memoryDetails(memory({ supersedes: "k1" }))).toContain("took the place of k1");
});

it("shows what stands now beside what is suggested, and orders by importance", () => {
  const superseded = { title: "Deploys", content: "From main." };
  const correction = memory({ state: "inbox", supersedes: "k0", superseded });
  expect(memoryDetails(correction)).toContain("In the place of this:\nDeploys\nFrom main.");
  expect(suggestionText(correction)).toBe(
    "Now:\nDeploys\nFrom main.\n\nThen:\nDeploys\nWe deploy from the branch release.",
  );
  const removal = memory({ state: "inbox", supersedes: "k0", superseded, removal: true });
  expect(suggestionText(removal)).toBe("Now:\nDeploys\nFrom main.");
  const [group] = groupsOf([memory({ id: "a" }), memory({ id: "b", importance: 4 })]);
  expect(group?.memories.map(({ id }) => id)).toEqual(["b", "a"]);
});

it("says what became of a file", () => {
  expect(importedText(1, 0)).toBe("1 memory from the file to review in the inbox.");
  expect(importedText(2, 3)).toContain("3 others known, forgotten before or without room.");
});

it("proposes the first line as a title, as far as it goes", () => {
  expect(proposedTitle("\n  We   deploy from release. \nNever from main.")).toBe(
    "We deploy from release.",
  );
  expect(proposedTitle("word ".repeat(40))).toHaveLength(60);
});

it("lists changes newest first, and lets nothing in them act", () => {
  const event = { memoryId: "k1", action: "added", author: "agent" } as const;
  const markdown = auditMarkdown(
    [
      { ...event, at: "2026-11-20T10:00:00Z" },
      { ...event, at: "2026-11-21T10:00:00Z", action: "forgot", reason: "![x](http://e/x.png)" },
    ],
    [memory()],
  );
  expect(markdown.indexOf("forgot")).toBeLessThan(markdown.indexOf("added"));
  expect(markdown).toContain("Deploys");
  expect(markdown).not.toContain("![x]");
  expect(auditMarkdown([], [])).toContain("Nothing was remembered yet.");
});
