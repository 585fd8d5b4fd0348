import { expect, it } from "vitest";
import { promptCommands, resourceOffers } from "../../src/mentions/serverOffers";
import type { McpServer } from "../../src/protocol";

const off: McpServer = {
  name: "off",
  state: "off",
  runs: "x",
  tools: [],
  prompts: 1,
  resources: 1,
  tokens: 0,
  signsIn: false,
};
const box: McpServer = {
  ...off,
  name: "box",
  state: "idle",
  offers: {
    prompts: [
      { name: "praise", description: "Praises.", hint: "of=… [in=…]" },
      { name: "again", hint: "[of=…]" },
      { name: "two words" },
    ],
    resources: [{ uri: "note://one", name: "Monday", description: "Rain." }, { uri: "note://two" }],
  },
};

it("offers prompts that can be called as commands, and none of a server that is off", () => {
  expect(promptCommands([off, box])).toEqual([
    { name: "box:praise", arguments: "of=… [in=…]", alone: false, help: "Praises." },
    { name: "box:again", arguments: "[of=…]", alone: true, help: "" },
  ]);
});

it("offers resources by their mention or their name, as a message names them", () => {
  const labels = (query: string) => resourceOffers([off, box], query).map(({ label }) => label);
  expect(resourceOffers([box], "box:note://o")).toEqual([
    { label: "@box:note://one", detail: "Monday: Rain.", text: "@box:note://one " },
  ]);
  expect(labels("")).toEqual(["@box:note://one", "@box:note://two"]);
  expect(labels("mond")).toEqual(["@box:note://one"]);
  expect(labels("rain")).toEqual([]);
  expect(labels("box:two")).toEqual(["@box:note://two"]);
  expect(labels("Box:mon")).toEqual(["@box:note://one"]);
  expect(labels("other:two")).toEqual([]);
});

it("lists so many resources that files can be seen beside them", () => {
  const resources = Array.from({ length: 100 }, (_, at) => ({ uri: `note://${at}` }));
  expect(resourceOffers([{ ...box, offers: { prompts: [], resources } }], "")).toHaveLength(20);
});
