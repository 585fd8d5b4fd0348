import { describe, expect, it } from "vitest";
import {
  afterSaying,
  type Choices,
  goesAlong,
  isSamePlace,
  type OfferedPlace,
  placeLabel,
  toggled,
} from "../../src/mentions/offer";

const FILE: OfferedPlace = { uri: "file:///w/src/a.py", name: "a.py" };
const LINES: OfferedPlace = { ...FILE, selection: { lines: [3, 5], text: "x = 1" } };
const OTHER: OfferedPlace = { ...FILE, selection: { lines: [8, 8], text: "y = 2" } };
const FRESH: Choices = { selections: true };

it("sends a selection along unasked, and a whole file only when it was added", () => {
  expect([FILE, LINES].map((place) => goesAlong(place, FRESH))).toEqual([false, true]);
  const added = toggled(FILE, FRESH);
  expect(goesAlong(FILE, added)).toBe(true);
  expect(goesAlong({ ...FILE, uri: "file:///w/b.py" }, added)).toBe(false);
  expect(goesAlong(FILE, toggled(FILE, added))).toBe(false);
});

describe("a selection that was left out", () => {
  const left = toggled(LINES, FRESH);

  it("takes those that come later with it, until one is added", () => {
    expect([LINES, OTHER].map((place) => goesAlong(place, left))).toEqual([false, false]);
    const again = toggled(OTHER, left);
    expect([LINES, OTHER].map((place) => goesAlong(place, again))).toEqual([true, true]);
  });
});

describe("what was said", () => {
  const said = afterSaying(LINES, FRESH);

  it("does not go along twice, and what is selected next does", () => {
    expect([LINES, OTHER].map((place) => goesAlong(place, said))).toEqual([false, true]);
    expect(goesAlong(FILE, afterSaying(FILE, toggled(FILE, FRESH)))).toBe(false);
  });

  it("is added once more by hand, which changes nothing for later ones", () => {
    const again = toggled(LINES, said);
    expect(goesAlong(LINES, again)).toBe(true);
    expect(toggled(LINES, { ...said, selections: false }).selections).toBe(false);
  });

  it("goes along again when its text has changed", () => {
    const changed: OfferedPlace = { ...FILE, selection: { lines: [3, 5], text: "x = 2" } };
    expect(goesAlong(changed, said)).toBe(true);
  });
});

it("names the lines", () => {
  expect([FILE, LINES, OTHER].map(placeLabel)).toEqual(["a.py", "a.py:3-5", "a.py:8"]);
});

it("knows the same text of the same file, however its address is written", () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const selection = { type: "selection", range, text: "x" } as const;
  const own = { ...selection, uri: "file:///w/a%28b%29.py" };
  expect(isSamePlace(own, { ...selection, uri: "file:///w/a(b).py" })).toBe(true);
  expect(isSamePlace(own, { ...own, text: "y" })).toBe(false);
  expect(isSamePlace(own, { type: "file", uri: own.uri })).toBe(false);
  expect(isSamePlace({ type: "file", uri: own.uri, range }, { type: "file", uri: own.uri })).toBe(
    false,
  );
  expect(isSamePlace({ type: "file", uri: own.uri }, { type: "file", uri: own.uri })).toBe(true);
});
