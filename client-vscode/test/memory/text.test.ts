import { expect, it } from "vitest";
import { editedMemory, memoryText } from "../../src/memory/text";
import { memory } from "../values";

const RICH = memory({ importance: 4, tags: ["ci", "net"], class: "priority" });

it("is a document with the properties, the title as a heading, and the text", () => {
  expect(memoryText(RICH)).toBe(`---
type: project
class: priority
scope: private
pinned: no
importance: 4
tags: ci, net
---

# Deploys

We deploy from the branch release.
`);
});

it.each([
  ["Deploys", "From release.\n\n# Not a title\n\n---\ntype: none\n---"],
  ["One", ""],
])("reads back what it wrote, and changes no property (%#)", (title, content) => {
  const value = memory({ title, content });
  expect(editedMemory(memoryText(value), value)).toEqual({ title, content });
});

it.each([
  ["No heading at all.\n", { content: "No heading at all." }],
  ["# New\r\nText\r\n", { title: "New", content: "Text" }],
  ["#\nText\n", { content: "#\nText" }],
  [
    "---\r\nTags: #a b,c\r\n---\r\n# New\r\nText",
    { title: "New", content: "Text", tags: ["a", "b", "c"] },
  ],
  [
    "---\n\npinned: Yes\nimportance: 5\n---\nText",
    { content: "Text", pinned: true, importance: 5 },
  ],
  [
    "---\ntype: decision\nclass: working\nscope: team\ntags:\n---",
    { content: "", type: "decision", class: "working", scope: "team", tags: [] },
  ],
  ["---\nno end of it", { content: "---\nno end of it" }],
])("reads what a person made of it (%#)", (text, edit) => {
  expect(editedMemory(text, RICH)).toEqual(edit);
});

it.each([
  ["class: urgent", "“urgent” is no class of a memory: write priority, durable or working."],
  ["importance: 9", "“9” is no importance of a memory: write 1, 2, 3, 4 or 5."],
  ["importance:", "“” is no importance of a memory"],
  ["constructor: x", "“constructor: x” names no property of a memory: it is type, class,"],
  ["just words", "“just words” names no property of a memory"],
])("says what is wrong with a property (%#)", (line, problem) => {
  expect(() => editedMemory(`---\n${line}\n---\n# T\n`, RICH)).toThrow(problem);
});
