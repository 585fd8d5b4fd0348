import { expect, it } from "vitest";
import { keptText, salvagedText } from "../../src/session/stores";

const SAVED = { sessions: 2, entries: 90, lost: 0, memories: 4, pins: 1, damagedPath: "/d" };

it("says what was saved of a damaged store, and what is missing", () => {
  expect(salvagedText(SAVED)).toBe(
    "Saved: 2 sessions with 90 entries, 4 memories, 1 pins. The damaged file is kept in /d.",
  );
  expect(salvagedText({ ...SAVED, lost: 3 })).toContain("3 entries between others");
});

it("lists what is kept of each folder, also of one that cannot be read", () => {
  const sound = { path: "/a", sessions: 2, memories: 0, pins: 1, files: 3, bytes: 500 };
  const damaged = { path: "/b", files: 1, bytes: 7 };

  expect(keptText([sound, damaged]).split("\n")).toEqual([
    "/a: 2 sessions, 0 memories, 1 pins, 500 bytes",
    "/b: sessions that cannot be read, memories that cannot be read, pins that cannot be read, 7 bytes",
  ]);
  expect(keptText([])).toBe("Nothing is kept.");
});
