import { expect, it } from "vitest";
import { matchLine, sessionLine } from "../../../src/session/labels/sessions";
import { session } from "../../values";

it("shows when, with what and how a session began", () => {
  const line = sessionLine(session({ preview: "Fix the failing build.", turns: 2 }), "other");
  expect(line.label).toBe("Repair the build");
  expect(line.description).toMatch(/^2026-11-21 \d\d:\d\d · Keyword search · 2 turns$/);
  expect(line.detail).toBe("Fix the failing build.");
});

it("says which one is open, which is a fork, and names what has no title", () => {
  const line = sessionLine(session({ title: "", parentId: "s0", model: "openai/gpt-4o" }), "s1");
  expect(line.label).toBe("Untitled session");
  expect(line.description).toMatch(/^open now · .* · gpt-4o · 1 turn · fork$/);
});

it.each([
  [session({ state: "asking" }), /^asks you · 2026/],
  [session({ state: "running", unread: true }), /^running · unread · 2026/],
  [session({ state: "idle", unread: false }), /^2026/],
  [session({ elsewhere: "laptop" }), /^on laptop · 2026/],
  [session({ agent: "explore", parentId: "s0" }), /^explore agent · 2026.* · 1 turn$/],
])("says what a session does, whether it was read, and whose agent it is (%#)", (listed, words) => {
  expect(sessionLine(listed, undefined).description).toMatch(words);
});

it("shows who said what was found, under the title of its session", () => {
  const match = { session: session({ title: "Fix the build" }), snippet: "the cache key is stale" };
  expect(matchLine({ ...match, messageId: "m1", role: "assistant" }, "s9")).toMatchObject({
    label: "Fix the build",
    detail: "Plimsoll: the cache key is stale",
  });
  expect(matchLine({ ...match, messageId: "m1", role: "other" }, "s9").detail).toBe(match.snippet);
});
