import { expect, it } from "vitest";
import { keptText, rescuesOf, rescueText, salvagedText } from "../../src/session/stores";

const SAVED = { sessions: 2, entries: 90, lost: 0, memories: 4, pins: 1, damagedPath: "/d" };

it("says what was saved of a damaged store, and what is missing", () => {
  expect(salvagedText(SAVED)).toBe(
    "Saved: 2 sessions with 90 entries, 4 memories, 1 pin. The damaged file is kept in /d.",
  );
  expect(salvagedText({ ...SAVED, lost: 3 })).toContain("3 entries between others");
  expect(salvagedText({ ...SAVED, leftTeam: "harbour" })).toContain(
    "takes no part in the team's project harbour any more",
  );
});

it("lists what is kept of each folder, also of one that cannot be read", () => {
  const sound = { path: "/a", sessions: 2, memories: 0, pins: 1, files: 3, bytes: 296_400 };
  const damaged = { path: "/b", files: 1, bytes: 7 };

  expect(keptText([sound, damaged]).split("\n")).toEqual([
    "/a: 2 sessions, 0 memories, 1 pin, 296 kB",
    "/b: damaged or of another version, 7 bytes",
  ]);
});

it("offers what helps a store, and no command to be typed for what it offers itself", () => {
  const failed = (kind: string) =>
    Object.assign(new Error("It cannot be used."), {
      code: -32803,
      data: { kind, remedy: "Do this." },
    });

  expect(rescuesOf("storeDamaged")).toEqual(["salvageStore", "useMemory"]);
  expect(rescueText(failed("storeDamaged"))).toBe("It cannot be used.");
  expect(rescuesOf("storeUnavailable")).toEqual(["useMemory"]);
  expect(rescueText(failed("storeUnavailable"))).toBe("It cannot be used. Do this.");
  expect(rescuesOf("providerAuth")).toEqual([]);
});
