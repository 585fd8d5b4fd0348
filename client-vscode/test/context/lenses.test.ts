import { expect, it } from "vitest";
import { lensKey } from "../../src/context/lenses";
import { item } from "../values";

const read = item({ id: "m1.0", source: { uri: "file:///w/a.py", stale: false } });

it("changes with what a lens shows, and with nothing else", () => {
  const key = lensKey([read, item({ id: "m2.0" })]);
  expect(lensKey([read])).toBe(key);
  expect(lensKey([{ ...read, why: "permissionRequested" }])).toBe(key);
  expect(lensKey([{ ...read, tokens: 1 }])).not.toBe(key);
  expect(lensKey([{ ...read, source: { uri: "file:///w/a.py", stale: true } }])).not.toBe(key);
});
