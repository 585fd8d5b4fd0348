import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import type { SessionUpdate } from "../../../src/protocol";
import { call } from "../../values";
import { act, drawn, one, open } from "./openPage";

// @vitest-environment jsdom

const SINCE = "2026-11-21T12:00:00.000Z";

let ticks: MockInstance<typeof setInterval>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  ticks = vi.spyOn(globalThis, "setInterval");
  vi.setSystemTime(Date.parse(SINCE) + 11_000);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let seq = 0;
function hears(update: SessionUpdate): void {
  seq += 1;
  act({ type: "update", seq, update });
}

async function text(): Promise<string> {
  await drawn();
  const line = one(".waiting");
  return line.hidden ? "" : (line.textContent ?? "");
}

it("says what is waited for and for how long, until something comes", async () => {
  open();
  hears({ kind: "turnStarted", turnId: "t1" });
  expect(await text()).toBe("Working · 0 s");
  hears({ kind: "waiting", turnId: "t1", reason: "firstToken", since: SINCE });
  expect(await text()).toMatch(/^Waiting for .+ · 11 s$/);
  vi.setSystemTime(Date.parse(SINCE) + 13_000);
  const [tick] = ticks.mock.calls.findLast(([, every]) => every === 1000) ?? [() => undefined];
  tick();
  expect(await text()).toMatch(/ · 13 s$/);
  hears({ kind: "textDelta", turnId: "t1", messageId: "m1", text: "Hi" });
  expect(await text()).toBe("");
});

it("says that it thinks, and nothing while a card counts its seconds or asks", async () => {
  open();
  hears({ kind: "turnStarted", turnId: "t1" });
  hears({ kind: "reasoningDelta", turnId: "t1", messageId: "m1", text: "Hm" });
  expect(await text()).toBe("Thinking · 0 s");
  const toolCall = call({ arguments: { command: "make" } });
  hears({ kind: "toolCall", turnId: "t1", toolCall });
  const running = { toolCallId: "c1", status: "running", since: SINCE };
  hears({ kind: "toolUpdate", turnId: "t1", ...running });
  expect(await text()).toBe("");
  expect(one(".tool .seconds").textContent).toBe("11 s");
  vi.setSystemTime(Date.parse(SINCE) + 73_000);
  const [tick] = ticks.mock.calls.findLast(([, every]) => every === 1000) ?? [() => undefined];
  tick();
  expect(one(".tool .seconds").textContent).toBe("1 min 13 s");
  const question = { requestId: "q1", sessionId: "s1", turnId: "t1", toolCall, options: [] };
  act({ type: "permissionRequested", ...question });
  expect(await text()).toBe("");
});

it("names the model that a command waits for", async () => {
  open();
  hears({ kind: "turnStarted", turnId: "c1" });
  hears({ kind: "waiting", turnId: "", model: "small", reason: "loading", since: SINCE });
  expect(await text()).toBe("The server loads small · 11 s");
  hears({ kind: "turnEnded", turnId: "c1", stopReason: "endTurn" });
  expect(await text()).toBe("");
});

it("names the next try, and ends with the turn", async () => {
  open();
  hears({ kind: "turnStarted", turnId: "t1" });
  const retry = { attempt: 2, attempts: 5, retryAt: SINCE };
  hears({ kind: "waiting", turnId: "t1", reason: "rateLimited", since: SINCE, ...retry });
  expect(await text()).toMatch(/^Too many requests for .+, try 2 of 5 at .+ · 11 s$/);
  hears({ kind: "turnEnded", turnId: "t1", stopReason: "cancelled" });
  expect(await text()).toBe("");
});
