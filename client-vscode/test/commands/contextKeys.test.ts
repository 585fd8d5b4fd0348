import { expect, it, vi } from "vitest";
import { contextKeys } from "../../src/commands/contextKeys";
import { EMPTY_STATE } from "../../src/session/state";
import { receipt, session } from "../values";

vi.mock("vscode", () => ({}));

const ready = { ...EMPTY_STATE, connection: "ready", session: session() } as const;
const shown = (fields: Parameters<typeof receipt>[0]) => ({
  ...ready,
  entries: [{ kind: "receipt", id: "e1", receipt: receipt(fields) }] as const,
});

it.each([
  [EMPTY_STATE, []],
  [{ ...ready, connection: "failed" } as const, []],
  [ready, ["session"]],
  [{ ...ready, turnId: "t1" }, ["session", "running"]],
  [{ ...ready, session: session({ heldBy: "another" }) } as const, ["session", "followed"]],
  [shown({}), ["session", "reduced"]],
  [shown({ undone: true }), ["session"]],
  [shown({ status: "planned" }), ["session", "planned"]],
])("offers what can act now (%#)", (state, keys) => {
  const told = Object.entries(contextKeys(state)).filter(([, value]) => value);
  expect(told.map(([key]) => key)).toEqual(keys.map((key) => `plimsoll.${key}`));
});
