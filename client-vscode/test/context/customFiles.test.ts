import { expect, it, vi } from "vitest";

vi.mock("vscode", () => ({}));
const { itemsOf, switchedCustom } = await import("../../src/context/customFiles");

const agent = {
  name: "reader",
  description: "Reads.",
  source: "folder",
  path: ".claude/agents/reader.md",
  tokens: 12,
  enabled: true,
};
const command = { ...agent, name: "git:commit", source: "person", tokens: 20, enabled: false };
const broken = { ...agent, path: ".claude/agents/b.md", problem: "is empty" };

it("says what each costs and may use, and why a file cannot be used", () => {
  const told = itemsOf({
    agents: [{ ...agent, tools: ["grep"], model: "a/b", unknown: ["x"] }, broken],
    commands: [command, { ...command, enabled: true }],
  });
  expect(told.map(({ label, description, picked }) => [label, description, picked])).toEqual([
    ["reader", "agent · this folder · 12 tokens · tools: grep · a/b · not known here: x", true],
    [".claude/agents/b.md", "not used: is empty", false],
    ["/git:commit", "command · your own · off", false],
    ["/git:commit", "command · your own · 20 tokens once sent", true],
  ]);
});

it("asks for the switches that change, and none of a file that cannot be used", () => {
  const items = itemsOf({ agents: [agent, broken], commands: [command] });
  expect(switchedCustom(items, new Set(items.slice(1)))).toEqual([
    { kind: "agent", name: "reader", enabled: false },
    { kind: "command", name: "git:commit", enabled: true },
  ]);
});
