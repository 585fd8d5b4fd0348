import { expect, it } from "vitest";
import { mergedPins, pinGroups, pinKey, pinLabel, pinNote } from "../../src/pins/model";
import type { Pin } from "../../src/protocol";
import { item } from "../values";

function pin(fields: Partial<Pin>): Pin {
  return {
    id: "p1",
    number: 1,
    text: "Every function carries #qa",
    scope: "session",
    tokens: 6,
    ...fields,
  };
}

it("groups pins by scope, in the order of their numbers", () => {
  const pins = [
    pin({ id: "p3", number: 3 }),
    pin({ id: "w1", scope: "workspace" }),
    pin({ id: "p2", number: 2 }),
  ];
  expect(pinGroups(pins).map(({ id, pins: all }) => [id, all.map((one) => one.id)])).toEqual([
    ["session", ["p2", "p3"]],
    ["workspace", ["w1"]],
  ]);
  expect(pinGroups([])).toEqual([]);
});

it("shows a pin that two lists name once, by the number of the later list", () => {
  expect(mergedPins([pin({})], [pin({ number: 2 })])).toEqual([pin({ number: 2 })]);
  expect(mergedPins([pin({})], [pin({}), pin({ id: "w1" })]).map(({ id }) => id)).toEqual([
    "p1",
    "w1",
  ]);
});

it("says a pin on one line, with what it weighs", () => {
  expect(pinLabel(pin({ text: "Two\n  lines" }))).toBe("1 · Two lines");
  expect(pinNote(pin({ tokens: 1204, itemId: "m1.0" }))).toBe("1,204 tokens · item");
  const shared = pin({ tokens: 12, scope: "team", authorName: "anna" });
  expect(pinNote(shared)).toBe("12 tokens · by anna · team");
});

it("changes with the pins of a report alone", () => {
  const key = pinKey([item({ id: "pin.p1", kind: "pins" }), item({ id: "m1.0" })]);
  expect(pinKey([item({ id: "pin.p1", kind: "pins" })])).toBe(key);
  expect(pinKey([item({ id: "pin.p1", kind: "pins" }), item({ pinned: true })])).not.toBe(key);
});
