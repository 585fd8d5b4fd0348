import { expect, it, vi } from "vitest";

vi.mock("vscode", () => ({}));
const { itemOf, switched } = await import("../../src/context/skills");

const skill = {
  name: "pdf",
  description: "Reads PDFs.",
  source: "folder",
  tokens: 12,
  enabled: true,
};

it("asks for the switches that change, and no others", () => {
  const skills = [skill, { ...skill, name: "off", enabled: false }, { ...skill, name: "same" }];
  expect(switched(skills, new Set(["off", "same"]))).toEqual([
    { name: "pdf", enabled: false },
    { name: "off", enabled: true },
  ]);
});

it("says whose a skill is, what it takes, and what has no effect", () => {
  expect(itemOf({ ...skill, shortened: true, asksForTools: true })).toEqual({
    name: "pdf",
    label: "pdf",
    description: "this folder · 12 tokens · description cut · asks for tools, is given none",
    detail: "Reads PDFs.",
    picked: true,
  });
  expect(itemOf({ ...skill, source: "person", enabled: false }).description).toBe("your own · off");
});
