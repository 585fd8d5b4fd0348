import { expect, it } from "vitest";
import { heldTokensText } from "../../../src/session/labels/items";

it.each([
  [{ tokens: 1204, originalTokens: 1204, state: "verbatim" }, "1,204 tok"],
  [
    { tokens: 3104, originalTokens: 51_200, state: "truncated" },
    "51.2k → 3.1k tok · shortened for the model",
  ],
  [{ tokens: 18, originalTokens: 900, state: "pruned" }, "900 → 18 tok · removed"],
  [{ tokens: 0, originalTokens: 1834, state: "summarised" }, "in the summary"],
  [{ tokens: 0, originalTokens: 1834, state: "evicted" }, "removed"],
])("says how much of a result is held %#", (weight, text) => {
  expect(heldTokensText(weight)).toBe(text);
});
