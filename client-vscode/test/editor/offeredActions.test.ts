import { expect, it } from "vitest";
import { offeredActions } from "../../src/editor/offeredActions";

const NOWHERE = { selected: false, invoked: false, problems: [], held: [], file: "budget.py" };
const titles = (place: Partial<typeof NOWHERE> & Record<string, unknown>) =>
  offeredActions({ ...NOWHERE, ...place }).map(({ title }) => title);

it("offers nothing where there is nothing", () => {
  expect(titles({})).toEqual([]);
});

it("offers what can be done with a selection", () => {
  expect(titles({ selected: true })).toEqual([
    "Explain with Plimsoll",
    "Edit Here with Plimsoll…",
    "Add Selection to Chat",
    "Pin Selection",
    "Remember Selection…",
  ]);
});

it("offers what can be done with the cursor's line where a person asks for the list", () => {
  expect(titles({ invoked: true })).toEqual(["Explain with Plimsoll", "Edit Here with Plimsoll…"]);
});

it("asks about each problem once, where it first stands, among its fixes", () => {
  const problems = ["name is not defined", "name is not defined", "unused"].map(
    (message, line) => ({ message, line }),
  );
  const offered = offeredActions({ ...NOWHERE, problems });
  expect(offered.map(({ title, fixes }) => [title.split(" ")[0], fixes])).toEqual([
    ["Fix", "name is not defined"],
    ["Ask", "name is not defined"],
    ["Fix", "unused"],
    ["Ask", "unused"],
  ]);
  expect(offered.map((one) => one.arguments?.[0])).toEqual(
    [0, 0, 2, 2].map((line) => problems[line]),
  );
});

it("removes the file that the model holds", () => {
  const [removed] = offeredActions({ ...NOWHERE, held: ["m1.0", "m2.0"] });
  expect(removed).toEqual({
    title: "Remove budget.py from the Context",
    command: "plimsoll.removeFile",
    arguments: [["m1.0", "m2.0"]],
  });
});
