import { expect, it } from "vitest";
import { activeRow } from "../../src/connect/box";

const rows = (...labels: string[]) => labels.map((label) => ({ label }));

it.each([
  ["nothing stood there before", undefined, undefined, "a"],
  ["the first row was active", "x", "x", "a"],
  ["a person moved to a row that is there still", "x", "b", "b"],
  ["a person moved to a row that is gone", "x", "y", "a"],
])("has a row that Enter takes: %s", (_, first, active, taken) => {
  expect(activeRow(rows("a", "b"), first, active)).toEqual(rows(taken));
});

it("has none where there are no rows", () => {
  expect(activeRow(rows(), undefined, undefined)).toEqual([]);
});
