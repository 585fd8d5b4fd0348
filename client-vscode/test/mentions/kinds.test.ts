import { expect, it } from "vitest";
import {
  kindMentions,
  namedSymbol,
  offeredKinds,
  symbolMention,
  symbolQuery,
} from "../../src/mentions/kinds";

it("finds what is no file behind an @, each once", () => {
  const text =
    'Fix @problems, @problems:file and @symbol:Router.match; see @terminal and @changes. @problems @symbol:"a b"';
  expect(kindMentions(text)).toEqual([
    { kind: "problems", where: "workspace", text: "@problems" },
    { kind: "problems", where: "file", text: "@problems:file" },
    { kind: "symbol", name: "Router.match", text: "@symbol:Router.match" },
    { kind: "terminal", text: "@terminal" },
    { kind: "changes", text: "@changes" },
    { kind: "symbol", name: "a b", text: '@symbol:"a b"' },
  ]);
});

it.each(["me@selection.org", "@selections", "@src/changes", "@problems/a.py", "@symbol:"])(
  "leaves %s alone",
  (text) => {
    expect(kindMentions(text)).toEqual([]);
  },
);

it("offers the kinds before anything is typed, and those that begin so", () => {
  expect(offeredKinds("").map(({ label }) => label)).toEqual([
    "@selection",
    "@problems",
    "@problems:file",
    "@terminal",
    "@changes",
    "@symbol:",
    "@folder:",
  ]);
  expect(offeredKinds("prob").map(({ label }) => label)).toEqual(["@problems", "@problems:file"]);
  expect(offeredKinds("src")).toEqual([]);
});

it("names a symbol so that it is found again, also where two have its name", () => {
  const all = [
    { name: "main", path: "a.py" },
    { name: "main", path: "src/b.py" },
    { name: "total()", path: "a.py" },
  ];
  const texts = all.map((symbol) => symbolMention(symbol, all));
  expect(texts).toEqual(['@symbol:"main in a.py"', '@symbol:"main in src/b.py"', "@symbol:total"]);
  const wanted = texts.flatMap((text) => kindMentions(text));
  expect(wanted.map((one) => one.kind === "symbol" && namedSymbol(one.name, all))).toEqual(all);
  expect(namedSymbol("total", all)).toEqual(all[2]);
  expect(namedSymbol("nothing", all)).toBeUndefined();
  expect(["main in src/b.py", "total()", "ns::f"].map(symbolQuery)).toEqual([
    "main",
    "total",
    "ns::f",
  ]);
});
