import { expect, it } from "vitest";
import {
  foundItems,
  nameFlaw,
  proposedName,
  serverRow,
  splitWords,
  switchedTools,
  toolItem,
  variablesOf,
} from "../../src/mcp/model";
import type { McpServer, McpTool } from "../../src/protocol";

const tool: McpTool = { name: "log", description: "Shows.", enabled: true, claimsReading: true };
const server: McpServer = {
  name: "git",
  state: "ready",
  runs: "uvx mcp-server-git",
  tools: [tool, { ...tool, name: "reset", enabled: false, claimsReading: false }],
  prompts: 0,
  resources: 0,
  tokens: 20,
  signsIn: false,
};

it("says how a server does, and offers what can be done", () => {
  expect(serverRow(server)).toEqual({
    name: "git",
    state: "running · 1 of 2 tools",
    tokens: 20,
    why: "uvx mcp-server-git",
    failed: false,
    wantsLogin: false,
    told: false,
    actions: ["tools", "restart", "off"],
  });
  expect(serverRow({ ...server, state: "off" })).toMatchObject({ state: "off", actions: ["on"] });
  expect(serverRow({ ...server, state: "idle", tools: [] })).toMatchObject({
    state: "starts when needed",
    actions: ["restart", "off"],
  });
  expect(serverRow({ ...server, missing: ["GIT_TOKEN"], tools: [] }).state).toBe("needs GIT_TOKEN");
  const failed = { ...server, state: "failed", error: "It ended.", remedy: "Correct it." };
  expect(serverRow(failed)).toMatchObject({
    failed: true,
    wantsLogin: false,
    told: true,
    why: "It ended. Correct it.",
  });
  const crashed = { ...server, state: "idle", error: "It ended by itself." };
  expect(serverRow(crashed)).toMatchObject({ failed: false, told: true });
  expect(serverRow({ ...crashed, state: "off" }).told).toBe(false);
  const signIn = serverRow({ ...server, state: "signIn", signsIn: true });
  expect(signIn).toMatchObject({ failed: true, wantsLogin: true });
  expect(signIn.actions).toContain("logIn");
  expect(serverRow({ ...server, state: "newer than this client" }).state).toContain("newer");
});

it("shows what a tool claims as a claim, and asks for the switches that change", () => {
  expect(toolItem(tool).description).toBe("says that it changes nothing");
  expect(toolItem({ ...tool, name: "$(check) ok" })).toMatchObject({
    name: "$(check) ok",
    label: "$\u200b(check) ok",
  });
  expect(switchedTools(server.tools, new Set(["reset"]))).toEqual([
    { tool: "log", enabled: false },
    { tool: "reset", enabled: true },
  ]);
});

it("splits a command line as a shell does", () => {
  expect(splitWords(`npx -y "a b" 'c "d"' e\\ f --x="g h" "q\\"r"`)).toEqual([
    "npx",
    "-y",
    "a b",
    'c "d"',
    "e f",
    "--x=g h",
    'q"r',
  ]);
  expect(splitWords("   ")).toEqual([]);
  expect(splitWords(`npx "a`)).toBeUndefined();
});

it.each([
  ["uvx mcp-server-git --repository .", "git"],
  ["npx -y @modelcontextprotocol/server-memory", "memory"],
  ["npx -y @playwright/mcp@latest", "mcp"],
  ["/usr/bin/thing", "thing"],
  ["https://mcp.linear.app/mcp", "linear"],
  ["https://127.0.0.1:8080/mcp", "127"],
])("proposes a name for %s", (target, name) => {
  expect(proposedName(target)).toBe(name);
});

it("refuses names that are none or taken", () => {
  const taken = new Set(["git"]);
  expect(nameFlaw("wiki", taken)).toBeUndefined();
  for (const name of ["", "git", "a b", "-a", "a".repeat(41)]) {
    expect(nameFlaw(name, taken), name).toBeDefined();
  }
});

it("reads variables by name or with a value", () => {
  // The reference is meant as a text.
  const own = "$".concat("{TOKEN}");
  expect(variablesOf(`TOKEN LEVEL=2 A="b c"`)).toEqual({ TOKEN: own, LEVEL: "2", A: "b c" });
  expect(variablesOf("")).toEqual({});
  expect(variablesOf("a-b")).toBeUndefined();
});

it("offers only what can be taken over and is not there yet", () => {
  const file = {
    path: "/w/.mcp.json",
    servers: [
      { name: "a", runs: "x y", notes: ["needs the variable T"], known: false },
      { name: "b", runs: "z", notes: [], known: true },
      { name: "c", notes: ["it is reached by SSE"], known: false },
    ],
  };
  expect(foundItems(file)).toEqual([
    {
      label: "a",
      description: "needs the variable T",
      detail: "would run: x y",
      path: "/w/.mcp.json",
    },
  ]);
});
