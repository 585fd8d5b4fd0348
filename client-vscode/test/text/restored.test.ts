import { expect, it } from "vitest";
import type { FileResult } from "../../src/protocol";
import { remarksText } from "../../src/text/restored";

const FILES: FileResult[] = [
  { uri: "file:///w/a.txt", action: "restored" },
  { uri: "file:///w/b%20c.txt", action: "left", why: "It was deleted since." },
];

it.each([
  [[], 0, ""],
  [FILES.slice(0, 1), 0, ""],
  [
    FILES.slice(1),
    1,
    "Left as it is:\n\n- `b c.txt`: It was deleted since.\n\nNot undone: what 1 command changed since.",
  ],
  [
    FILES,
    2,
    "Left as it is:\n\n- `b c.txt`: It was deleted since.\n\nNot undone: what 2 commands changed since.",
  ],
  [
    [
      { uri: "file:///w/a.txt", action: "restored", why: "It may have been changed." },
      { uri: "file:///w/d.txt", action: "removed" },
    ],
    0,
    "Perhaps not as at the prompt:\n\n- `a.txt`: It may have been changed.",
  ],
])("says of files what more is to be known", (files, commands, said) => {
  expect(remarksText(files as FileResult[], commands as number)).toBe(said);
});
