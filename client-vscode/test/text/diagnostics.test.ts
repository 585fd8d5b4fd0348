import { expect, it } from "vitest";
import type { StatusResult } from "../../src/protocol";
import { diagnosticsText, settingText } from "../../src/text/diagnostics";

const status: StatusResult = {
  version: "0.3.0",
  model: "openai/gpt-4o",
  provider: "openai",
  store: { path: "/home/ada/.local/share/plimsoll", bytes: 12_345, kind: "disk" },
  sessions: 3,
  warnings: [{ code: "folderMoved", message: "The folder '/home/ada/secret-plan' looks moved." }],
  counters: {
    turns: 2,
    requests: [
      {
        model: "openai/gpt-4o",
        purpose: "turn",
        requests: 5,
        failed: 1,
        input: 12_000,
        cached: 9000,
        output: 300,
      },
    ],
    reductions: [{ stage: "prune", times: 2, tokens: 4000 }],
    cacheMisses: [{ cause: "expired", times: 1, tokens: 700 }],
    waits: [{ reason: "retrying", times: 3 }],
  },
};

it("tells versions, settings, status, counters and the log", () => {
  const text = diagnosticsText({
    versions: { extension: "0.3.0", server: "0.3.0" },
    settings: [
      ["model.name", "gpt-4o"],
      ["compaction.keepTurns", 5],
      ["compaction.guidance", "keep what I said of the hull"],
    ],
    status,
    logLines: ["WARNING /home/ada/x cannot be read ``` end"],
    home: "/home/ada",
  });

  expect(text).toContain("extension: 0.3.0");
  expect(text).toContain("model.name: gpt-4o\ncompaction.keepTurns: 5\ncompaction.guidance: set");
  expect(text).toContain("store: disk, 12,345 bytes, 3 sessions\nwarning: folderMoved");
  expect(text).toContain(
    "requests of openai/gpt-4o for turn: 5, failed: 1; tokens in: 12,000 (9,000 from the cache), out: 300",
  );
  expect(text).toContain("prune: 2, freed: 4,000 tokens");
  expect(text).toContain("cache misses (expired): 1, sent again: 700 tokens\nwaits (retrying): 3");
  expect(text).toContain("WARNING ~/x cannot be read ''' end");
  expect(text).not.toMatch(/ada|hull|secret-plan/);
});

it("says that no server answers", () => {
  const facts = { versions: {}, settings: [], status: undefined, logLines: [], home: "" };

  expect(diagnosticsText(facts)).toContain("the server does not answer");
});

it.each([
  [
    "model.baseUrl",
    "https://ada:hush@models.example.org:8443/v1?key=hush",
    "https://models.example.org:8443",
  ],
  ["model.baseUrl", "https://ada:hush@[", "an address"],
  ["telemetry.otlpEndpoint", "http://127.0.0.1:4318/token/hush", "http://127.0.0.1:4318"],
  ["model.apiKeyEnv", "sk-hush-that-was-pasted", "set"],
  ["compaction.prompt", "hush", "set"],
  ["sandbox.readable", ["/home/hush"], "set"],
  ["pruning.weights", { hush: 1 }, "set"],
  ["model.provider", "openai", "openai"],
  ["memory.enabled", false, "false"],
  ["budget.warningAt", 0.6, "0.6"],
])("shows of %s = %j only %s", (key, value, shown) => {
  expect(settingText(key, value)).toBe(shown);
});
