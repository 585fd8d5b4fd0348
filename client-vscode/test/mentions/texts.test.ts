import { describe, expect, it } from "vitest";
import { filePlace } from "../../src/mentions/filePlace";
import { type Problem, problemsText } from "../../src/mentions/problemsText";
import { wholeRange } from "../../src/mentions/symbolRange";
import { type TerminalRun, terminalText, withOutput } from "../../src/mentions/terminalText";

const RUN: TerminalRun = { command: "make", raw: "", dropped: 0, ended: "running" };
const ESC = "\u001b";

describe("a terminal's last command", () => {
  it("is what a person reads: no colours, no marks, of a line that was written over the last", () => {
    const raw = `${ESC}]633;C\u0007${ESC}[31mfailed${ESC}[0m\r\n 10%\r 90%\r100%\r\nbell\u0007\r\n${ESC}]633;D;1\u0007`;
    expect(terminalText({ ...withOutput(RUN, raw), ended: 1 })).toBe(
      "$ make\nfailed\n100%\nbell\n[exit code 1]",
    );
  });

  it("says that it runs, nothing where nobody knows, and that no output was told", () => {
    expect(terminalText(RUN)).toBe("$ make\n[it still runs]");
    const none = "$ make\n[the editor passed on no output: see the terminal]";
    expect(terminalText({ ...RUN, ended: "unknown" })).toBe(none);
    expect(terminalText({ ...RUN, ended: 0 })).toBe(`${none}\n[exit code 0]`);
  });

  it("is bounded however much arrives, and says what is left out", () => {
    let run = RUN;
    for (let n = 0; n < 2_000; n += 1) {
      run = withOutput(run, `${"x".repeat(99)}\n`);
    }
    expect(run.raw.length + run.dropped).toBe(200_000);
    expect(run.raw.length).toBe(40_000);
    const text = terminalText({ ...run, ended: 0 });
    expect(text.length).toBeLessThan(16_100);
    expect(text).toMatch(/^\$ make\n\[the first 1839\d\d characters are left out\]\n/);
  });
});

describe("problems", () => {
  const problem: Problem = {
    path: "b.py",
    line: 3,
    severity: "warning",
    message: "odd\n name",
    source: "",
  };

  it("stand a line each, errors first", () => {
    const error: Problem = { ...problem, severity: "error", message: "no", source: "ts 2304" };
    expect(problemsText([problem, error, { ...problem, path: "a.py" }])).toBe(
      "b.py:3 error: no [ts 2304]\na.py:3 warning: odd name\nb.py:3 warning: odd name",
    );
  });

  it("are bounded, and the rest is counted", () => {
    const many = Array.from({ length: 75 }, () => ({ ...problem, message: "x".repeat(9_000) }));
    const rows = problemsText(many).split("\n");
    expect(rows).toHaveLength(61);
    expect(rows.at(-1)).toBe("[15 more are not listed]");
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(330);
  });
});

it("finds the whole of a symbol by the place of its name", () => {
  const range = (first: number, last: number) => ({
    start: { line: first, character: 0 },
    end: { line: last, character: 1 },
  });
  const inner = { name: "match()", range: range(4, 9), children: [] };
  const outline = [
    { name: "Other", range: range(0, 1), children: [] },
    { name: "Router", range: range(2, 20), children: [inner] },
  ];
  expect(wholeRange(outline, "match", range(4, 4))).toEqual(range(4, 9));
  expect(wholeRange(outline, "Router", range(2, 2))).toEqual(range(2, 20));
  expect(wholeRange(outline, "gone", range(30, 30))).toEqual(range(30, 30));
});

it.each([
  ["src/a.py#L10", { path: "src/a.py", line: 10 }],
  ["src/a.py#L10-L20", { path: "src/a.py", line: 10 }],
  ["./src/a%20b.py:7", { path: "./src/a b.py", line: 7 }],
  ["src/a.py:7:3", { path: "src/a.py", line: 7 }],
  ["README.md", { path: "README.md" }],
  ["README.md#install", { path: "README.md" }],
  ["src/", { path: "src/" }],
  ["a.py:3", { path: "a.py", line: 3 }],
  ["100%.md", { path: "100%.md" }],
  ["https://example.org/a.py", undefined],
  ["//example.org/a.py", undefined],
  ["command:plimsoll.stop", undefined],
  ["file:///etc/passwd", undefined],
  ["vscode://x", undefined],
  ["#top", undefined],
  ["", undefined],
])("takes the link %s as it is meant", (href, wanted) => {
  expect(filePlace(href)).toEqual(wanted);
});
