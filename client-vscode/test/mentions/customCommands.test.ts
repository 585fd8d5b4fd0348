import { expect, it } from "vitest";
import { calledCommand, namesServer } from "../../src/mentions/customCommands";
import { asPaste } from "../../src/text/pasted";

const typed = (text: string) => ({ text, pasted: [] });

it.each([
  ["/fix", { name: "fix", arguments: "" }],
  ["/git:commit the parser\nnow ", { name: "git:commit", arguments: "the parser\nnow" }],
  ["/Fix_2 x", { name: "Fix_2", arguments: "x" }],
  ["/compact now", undefined],
  ["//fix", undefined],
  ["/src/a.py", undefined],
  ["/a:", undefined],
  ["fix", undefined],
])("takes %s for what it may be", (text, called) => {
  expect(calledCommand(typed(text))).toEqual(called);
});

it("takes several pasted lines for text, and one line for what was meant", () => {
  expect(calledCommand(asPaste("/fix a\nb"))).toBeUndefined();
  expect(calledCommand(asPaste("/fix a"))).toEqual({ name: "fix", arguments: "a" });
});

it("asks a server that may be used for what begins with its name", () => {
  const server = { runs: "", tools: [], prompts: 0, resources: 0, tokens: 0, signsIn: false };
  const servers = [
    { ...server, name: "box", state: "idle" },
    { ...server, name: "old", state: "off" },
  ];
  const named = ["box:letter", "box", "boxes:letter", "old:letter"].map((name) =>
    namesServer(servers, { name, arguments: "" }),
  );
  expect(named).toEqual([true, false, false, false]);
});
