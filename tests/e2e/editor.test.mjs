// The extension installs, its view stands in the activity bar, and nothing leaves the machine.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { withEditor } from "./rig.mjs";

test("the workbench opens with Plimsoll in it", async () => {
  const workspace = await mkdtemp(path.join(tmpdir(), "plimsoll-workspace-"));
  await writeFile(path.join(workspace, "budget.py"), "LIMIT = 8\n");
  try {
    await withEditor({ name: "workbench", workspace }, async (_page, editor) => {
      await editor.openView("Plimsoll");
      await editor.webview().getByPlaceholder(/^Ask/).waitFor();
      await editor.openFile("budget.py");
      await editor.screenshot("workbench");
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
});
