import type {
  ContextItem,
  Memory,
  MessageView,
  Meter,
  Receipt,
  SessionInfo,
  TeamStatus,
  ToolCall,
} from "../src/protocol";

/** Whole wire values for tests, each with a few fields to choose. */
export function session(fields: Partial<SessionInfo> = {}): SessionInfo {
  return {
    id: "s1",
    title: "Repair the build",
    workspaceFolder: "file:///w",
    mode: "edit",
    model: "embedded/search",
    createdAt: "2026-11-21T10:00:00Z",
    updatedAt: "2026-11-21T10:00:00Z",
    turns: 1,
    preview: "",
    ...fields,
  };
}

export function meter(fields: Partial<Meter> = {}): Meter {
  return {
    sessionId: "s1",
    used: 55_300,
    window: 128_000,
    effective: 112_000,
    reservedOutput: 16_000,
    percent: 49.375,
    zone: "ok",
    basis: "counted",
    marginTokens: 0,
    thresholds: { warning: 84_000, compact: 95_200, blocking: 108_640 },
    parts: [
      { kind: "system", tokens: 3100 },
      { kind: "toolResults", tokens: 52_200 },
    ],
    ...fields,
  };
}

export function call(fields: Partial<ToolCall> = {}): ToolCall {
  return {
    id: "c1",
    itemId: "m2.0",
    name: "shell",
    title: "shell make test",
    arguments: {},
    kind: "execute",
    detail: { command: "make test" },
    locations: [],
    ...fields,
  };
}

export function receipt(fields: Partial<Receipt> = {}): Receipt {
  return {
    id: "e1",
    stage: "prune",
    status: "completed",
    at: "2026-11-21T10:02:00Z",
    why: "at the warning mark",
    tokensBefore: 93_400,
    tokensAfter: 55_000,
    items: [{ id: "i1", title: "make", tokens: 400, where: "log" }],
    lost: { identifiers: [], constraints: [], tasks: [] },
    undone: false,
    prefixRewritten: 0,
    ...fields,
  };
}

export function message(fields: Partial<MessageView> = {}): MessageView {
  return {
    id: "m1",
    role: "user",
    turnId: "t1",
    at: "2026-11-21T10:01:00Z",
    parts: [{ itemId: "m1.0", type: "text", text: "Fix the build.", state: "verbatim" }],
    ...fields,
  };
}

export function item(fields: Partial<ContextItem> = {}): ContextItem {
  return {
    id: "m1.0",
    kind: "toolResults",
    title: "src/ledger.py:1-640",
    tokens: 1204,
    originalTokens: 1204,
    state: "verbatim",
    turn: 7,
    pinned: false,
    ...fields,
  };
}

export function teamStatus(fields: Partial<TeamStatus> = {}): TeamStatus {
  return {
    state: "ok",
    project: "harbour",
    url: "postgresql://anna@db.example.org/team",
    role: "anna",
    rights: "write",
    queued: 0,
    ...fields,
  };
}

export function memory(fields: Partial<Memory> = {}): Memory {
  return {
    id: "k1",
    type: "project",
    class: "durable",
    title: "Deploys",
    content: "We deploy from the branch release.",
    pinned: false,
    author: "user",
    trust: "user",
    scope: "private",
    state: "active",
    createdAt: "2026-11-20T10:00:00Z",
    timesUsed: 0,
    ...fields,
  };
}
