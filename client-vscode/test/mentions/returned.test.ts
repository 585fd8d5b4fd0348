import { expect, it } from "vitest";
import { returnedParts } from "../../src/mentions/returned";
import type { ContentPart, Range } from "../../src/protocol";

const lines = (first: number, last: number): Range => ({
  start: { line: first - 1, character: 0 },
  end: { line: last, character: 0 },
});
const file = (name: string, range?: Range): ContentPart => ({
  type: "file",
  uri: `file:///w%20x/${name}`,
  ...(range ? { range } : {}),
});
const terminal: ContentPart = { type: "excerpt", title: "terminal bash", text: "$ make" };
const changes: ContentPart = { type: "excerpt", title: "changes: 1 staged", text: "M a.py" };
const problems: ContentPart = { type: "excerpt", title: "problems of a.py", text: "a.py:1" };
const image: ContentPart = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
const selection: ContentPart = {
  type: "selection",
  uri: "file:///w%20x/src/a%20b.py",
  range: { start: { line: 2, character: 4 }, end: { line: 4, character: 2 } },
  text: "x",
};

function chips(text: string, ...content: ContentPart[]) {
  return returnedParts(text, [{ type: "text", text }, ...content], "/w x").map(
    ({ label, mention }) => [label, mention],
  );
}

it("brings back what the text does not name, each with its name", () => {
  const other: ContentPart = { type: "file", uri: "file:///else/b.md" };
  expect(chips("Look.", file("src/"), other, selection, terminal, image)).toEqual([
    ["src", undefined],
    ["/else/b.md", undefined],
    ["src/a b.py:3-5", undefined],
    ["terminal bash", undefined],
    ["image (1 kB)", undefined],
  ]);
});

it("leaves files to the mentions that name them, by their lines", () => {
  const text = 'See @src/ and @a.py:3-4, @"b c.md"; @./d.py';
  const named = [file("src"), file("a.py", lines(3, 4)), file("b%20c.md"), file("d.py")];
  expect(chips(text, ...named, file("a.py"))).toEqual([["a.py", undefined]]);
});

it("knows the mention that a part stands for, so that it is not looked up again", () => {
  const text = "Fix @symbol:total by @terminal, @problems:file, @changes and @selection.";
  const first = file("a.py", lines(1, 2));
  const found = chips(text, first, terminal, problems, selection, terminal, changes);
  expect(found).toEqual([
    ["a.py:1-2", "@symbol:total"],
    ["terminal bash", "@terminal"],
    ["problems of a.py", "@problems:file"],
    ["src/a b.py:3-5", "@selection"],
    ["terminal bash", undefined],
    ["changes: 1 staged", "@changes"],
  ]);
});
