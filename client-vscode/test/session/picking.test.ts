import { expect, it } from "vitest";
import { sessionLine } from "../../src/session/picking";
import { session } from "../values";

it("shows when, with what and how a session began", () => {
  const line = sessionLine(session({ preview: "Fix the failing build.", turns: 2 }), "other");
  expect(line.label).toBe("Repair the build");
  expect(line.description).toMatch(/^2026-11-21 \d\d:\d\d · Embedded search · 2 turns$/);
  expect(line.detail).toBe("Fix the failing build.");
});

it("says which one is open, which is a fork, and names what has no title", () => {
  const line = sessionLine(session({ title: "", parentId: "s0", model: "openai/gpt-4o" }), "s1");
  expect(line.label).toBe("Untitled session");
  expect(line.description).toMatch(/^open now · .* · gpt-4o · 1 turn · fork$/);
});
