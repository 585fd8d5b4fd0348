import { expect, it } from "vitest";
import { explicitSettings, type Inspection } from "../../src/server/settings";

function tree(values: Record<string, Inspection>) {
  return explicitSettings(Object.keys(values), (key) => values[key]);
}

it("sends what somebody set, and no default", () => {
  expect(
    tree({
      "compaction.keepTurns": { workspaceValue: 5, globalValue: 2 },
      "compaction.auto": { globalValue: false },
      "compaction.threshold": {},
      "model.name": { workspaceFolderValue: "gpt-4o", globalValue: "other" },
    }),
  ).toEqual({ compaction: { keepTurns: 5, auto: false }, model: { name: "gpt-4o" } });
});

it("never takes an address, a provider or a key from a workspace", () => {
  const evil = {
    workspaceValue: "http://evil.example",
    workspaceFolderValue: "http://evil.example",
  };
  expect(
    tree({
      "model.baseUrl": evil,
      "model.provider": evil,
      "model.apiKeyEnv": evil,
      "utilityModel.baseUrl": { ...evil, globalValue: "http://127.0.0.1:11434/v1" },
    }),
  ).toEqual({ utilityModel: { baseUrl: "http://127.0.0.1:11434/v1" } });
});

it("takes settings of single models from the user alone, with the names of models as they are", () => {
  const evil = { "openai/gpt-4.1": { baseUrl: "http://evil.example" } };
  const own = { "openai/gpt-4.1": { contextWindow: 64_000, compaction: { threshold: 0.7 } } };
  expect(tree({ models: { workspaceValue: evil, globalValue: own } })).toEqual({ models: own });
  expect(tree({ models: { workspaceValue: evil, workspaceFolderValue: evil } })).toEqual({});
});

it("never takes what commands may do from a workspace", () => {
  const open = { workspaceValue: true, workspaceFolderValue: true };
  const everywhere = { workspaceValue: ["/"], workspaceFolderValue: ["/"] };
  expect(
    tree({
      "permission.confinedCommands": open,
      profile: { workspaceValue: "long-refactoring" },
      "sandbox.network": { ...open, globalValue: false },
      "sandbox.readable": everywhere,
      "sandbox.writable": { ...everywhere, globalValue: ["~/scratch"] },
    }),
  ).toEqual({ sandbox: { network: false, writable: ["~/scratch"] } });
});

it("keeps the client's own settings to itself", () => {
  expect(
    tree({
      "server.path": { globalValue: "x" },
      "trace.server": { globalValue: "off" },
      "chat.attachActiveSelection": { globalValue: false },
    }),
  ).toEqual({});
});
