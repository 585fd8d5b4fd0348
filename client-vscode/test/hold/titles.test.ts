import { expect, it } from "vitest";
import { titleOf } from "../../src/hold/titles";
import { item } from "../values";

const at = (uri: string) => ({ uri, stale: false });

it.each([
  [
    item({ title: "ledger.py 1-640", source: at("file:///w/src/ledger.py") }),
    "src/ledger.py 1–640",
  ],
  [item({ title: "a b.py", source: at("file:///w/a%20b.py") }), "a b.py"],
  [item({ title: "100%.py", source: at("file:///w/100%.py") }), "100%.py"],
  [item({ title: "other.py", source: at("file:///elsewhere/other.py") }), "other.py"],
  [
    item({ title: "src/ledger.py 1-9", source: at("file:///w/src/ledger.py") }),
    "src/ledger.py 1–9",
  ],
  [item({ title: "Run python tools/build.py" }), "python tools/build.py"],
  [item({ title: "Search for total" }), "Search for total"],
  [item({ kind: "assistant", title: "Run python tools/build.py" }), "Run python tools/build.py"],
  [
    item({ kind: "pins", title: "[pinned 2] Every function carries #qa" }),
    "Every function carries #qa",
  ],
  [item({ id: "frame.system", kind: "system", title: "system" }), "System text"],
  [item({ id: "frame.mode", kind: "system", title: "mode" }), "Mode"],
  [item({ id: "frame.tasks", kind: "tasks", title: "tasks" }), "Tasks"],
])("names an item as a person would (%#)", (value, title) => {
  expect(titleOf(value, "file:///w")).toBe(title);
});
