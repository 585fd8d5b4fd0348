// node --test tests/e2e/by-hand/worktrees.mjs
// Agents work apart, each in a git worktree of its own: one question each, a conflict that is said, and an undo.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { say, withEditor } from "../rig.mjs";

const TEXT = "one\ntwo\nthree\n";
const apart = (description, prompt) => ({
  name: "subagent",
  arguments: { description, prompt, kind: "work", isolated: true },
});
const edit = (before, after) => ({
  name: "file_edit",
  arguments: { path: "a.txt", old_string: before, new_string: after },
});
const write = (file) => ({ name: "file_write", arguments: { path: file, content: "new\n" } });
const child = (when, ...calls) => ({ when, steps: [{ calls }, { text: ["Changed."] }] });
const script = {
  rules: [
    {
      when: "Work side by side",
      steps: [
        { calls: [apart("first task", "CHILD-1"), apart("second task", "CHILD-2")] },
        { text: ["Both are done."] },
      ],
    },
    child("CHILD-1", edit("two\n", "TWO of one\n"), write("first.txt")),
    child("CHILD-2", edit("two\n", "TWO of the other\n"), write("second.txt")),
  ],
};

function git(folder, ...words) {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...identity, ...words], { cwd: folder, encoding: "utf8" });
}

async function worksApart(editor, chat, workspace) {
  await say(chat, "Work side by side.");
  const question = chat.locator(".question");
  for (const number of [1, 2]) {
    await question
      .getByText(/^Merge .* of “(first|second) task”$/)
      .first()
      .waitFor();
    await editor.screenshot(`worktrees-question-${number}`);
    await question.getByRole("button", { name: "Allow", exact: true }).click();
  }
  await chat.getByText("Both are done.").waitFor();
  await chat.getByText("work agent · in a worktree of its own").first().waitFor();
  const branches = git(workspace, "branch", "--list", "plimsoll/*").trim().split("\n");
  assert.equal(branches.length, 1);
  const told = chat.locator("[data-kind=notice]", { hasText: branches[0]?.trim() });
  await told.getByText("a.txt (it was changed on both sides, in the same lines)").waitFor();
  await editor.screenshot("worktrees-merged");
}

async function takesBack(editor, chat, workspace) {
  const changes = chat.locator("[data-kind=changes]");
  await changes.getByText("3 files changed").waitFor();
  await changes.getByRole("button", { name: "Undo a.txt" }).click();
  await changes.locator("[data-settled=undone]", { hasText: "a.txt" }).waitFor();
  assert.equal(await readFile(path.join(workspace, "a.txt"), "utf8"), TEXT);
  await editor.screenshot("worktrees-undone");
}

test("agents work apart, are merged one after another, and what conflicts is said", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-worktrees-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(workspace, "a.txt"), TEXT);
  git(workspace, "init", "-q", "-b", "main");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-qm", "x");
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
  };
  try {
    await withEditor({ name: "worktrees", workspace, env }, async (_page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview();
      await worksApart(editor, chat, workspace);
      await takesBack(editor, chat, workspace);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
