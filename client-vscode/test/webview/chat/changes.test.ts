import { expect, it } from "vitest";
import type { ChangesEntry, ToolEntry } from "../../../src/session/state";
import { call } from "../../values";
import { button, one, open, posts, READY } from "./openPage";

// @vitest-environment jsdom

const file = { uri: "file:///w/a.py", name: "a.py", added: 3, removed: 0, callIds: ["c1"] };
const changes: ChangesEntry = {
  kind: "changes",
  id: "changes.t1",
  files: [file, { ...file, uri: "file:///w/b.py", name: "b.py", settled: "kept" }],
};

it("offers to look at, keep or undo each file that is open", () => {
  open({ ...READY, entries: [changes] });
  button("Undo").click();
  expect(posts.at(-1)).toEqual({
    type: "settleChange",
    entryId: "changes.t1",
    how: "undo",
    uri: "file:///w/a.py",
  });
  button("a.py").click();
  expect(posts.at(-1)).toEqual({ type: "openDiff", toolCallId: "c1", uri: "file:///w/a.py" });
  expect(one("[data-settled=kept]").textContent).toBe("b.py+3 −0kept");
});

it("shows the name of a file apart from its folders, which give way to it", () => {
  const deep = { ...file, name: "src/very/deep/a.py" };
  open({ ...READY, entries: [{ ...changes, files: [deep] }] });
  const parts = [...one(".changes .target").children].map((part) => part.textContent);
  expect(parts).toEqual(["src/very/deep/", "a.py"]);
});

it("keeps the counts and the diff of an edit that is done, and says who rejected one", () => {
  const detail = { diff: "@@ -1,1 +1,2 @@\n a\n+b" };
  const done: ToolEntry = {
    kind: "tool",
    id: "c1",
    turnId: "t1",
    call: call({ name: "file_edit", kind: "edit", detail }),
    status: "completed",
    output: "Edited.",
  };
  const rejection = { by: "person", reason: "use the other file" } as const;
  open({ ...READY, entries: [done, { ...done, id: "c2", status: "rejected", rejection }] });
  expect(one("[data-state=completed] .counts").textContent).toBe("+1 −0");
  expect(one("[data-state=rejected] .rejection").textContent).toBe(
    "You rejected it: use the other file",
  );
});
