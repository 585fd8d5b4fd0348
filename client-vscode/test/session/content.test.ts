import { expect, it } from "vitest";
import {
  foldersOf,
  isCommand,
  mentions,
  mentionText,
  promptContent,
} from "../../src/session/content";

it.each([
  ["look at @src/a.py please", [{ path: "src/a.py" }]],
  [
    "@src/a.py:10-20, then @b.py:3",
    [
      { path: "src/a.py", lines: [10, 20] },
      { path: "b.py", lines: [3, 3] },
    ],
  ],
  ['read @"a name.md".', [{ path: "a name.md" }]],
  ["is it @src/a.py?", [{ path: "src/a.py" }]],
  ["mail me@example.org", []],
  ["@src/ and @selection", [{ path: "src/" }]],
  ['@problems, @terminal, @"problems"', [{ path: "problems" }]],
])("finds the mentions of %s", (text, wanted) => {
  expect(mentions(text)).toEqual(wanted);
});

it("puts the text first and turns lines into a range from 0", () => {
  const content = promptContent(
    { text: "x", pasted: [] },
    [{ uri: "file:///w/a.py", lines: [10, 20] }],
    [],
  );
  expect(content).toEqual([
    { type: "text", text: "x", pasted: [] },
    {
      type: "file",
      uri: "file:///w/a.py",
      range: { start: { line: 9, character: 0 }, end: { line: 20, character: 0 } },
    },
  ]);
});

it.each([
  ["/compact", true],
  ["/pin keep this", true],
  ["//compact", false],
  ["/etc/hosts", false],
  ["/Compact", false],
])("takes %s as the server does", (text, wanted) => {
  expect(isCommand(text)).toBe(wanted);
});

it("sends nothing twice", () => {
  const file = { uri: "file:///w/a.py" };
  expect(
    promptContent({ text: "x", pasted: [] }, [file, file], [{ type: "file", uri: file.uri }]),
  ).toEqual([
    { type: "text", text: "x", pasted: [] },
    { type: "file", uri: file.uri },
  ]);
});

it.each([
  "src/a.py",
  "a name.md",
  "src/",
  "a,b.md",
  'say "no".md',
  "a\u00a0b\u200d.md",
  "a\nb\t.md",
  "⟨U+0041⟩.md",
  "what?",
  "me@home.md",
  "c:10-20",
  "problems",
])("mentions %s so that it is found", (path) => {
  expect(mentions(`see ${mentionText(path)} please`)).toEqual([{ path }]);
});

it("knows folders by what stands in them, short ones first", () => {
  expect(foldersOf(["src/deep/a.py", "src/b.py", "c.py", "docs/d.md"])).toEqual([
    "src/",
    "docs/",
    "src/deep/",
  ]);
});
