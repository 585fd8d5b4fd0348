import { describe, expect, it } from "vitest";
import type { SessionUpdate } from "../../src/protocol";
import { type Action, reduce } from "../../src/session/reduce";
import { EMPTY_STATE } from "../../src/session/state";
import { receipt } from "../values";

function updates(...all: SessionUpdate[]): Action[] {
  return all.map((update, index) => ({ type: "update", seq: index + 1, update }));
}

describe("the answer of a command", () => {
  const told = (data: object) =>
    ({ kind: "notice", markdown: "Done.", level: "info", data }) as const;
  const shown = (actions: readonly Action[]) =>
    actions.reduce(reduce, EMPTY_STATE).entries.map(({ kind }) => kind);
  const reduced = { kind: "reduction", receipt: receipt({}) } as const;

  it("is not shown beside the receipt that says the same", () => {
    expect(shown(updates(reduced, told({ receipt: receipt({}) })))).toEqual(["receipt"]);
  });

  it("is shown where no card, or one far above, says it", () => {
    const undone = receipt({ undone: true });
    expect(shown(updates(told({ receipt: receipt({}) })))).toHaveLength(1);
    expect(shown(updates(reduced, told({ receipt: undone })))).toHaveLength(2);
    expect(shown(updates(reduced, told({})))).toHaveLength(2);
  });
});
