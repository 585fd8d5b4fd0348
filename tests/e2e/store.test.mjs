// When something is wrong: a damaged store, a change that is asked each time, a link out of the folder.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { MACHINE_SETTINGS } from "./parts/code-server.mjs";
import { say, withEditor } from "./rig.mjs";

const PAGE_BYTES = 4096;
const edit = (file, before, after) => ({
  calls: [
    { name: "file_read", arguments: { path: file } },
    { name: "file_edit", arguments: { path: file, old_string: before, new_string: after } },
  ],
});
const script = {
  rules: [
    { when: "hello", steps: [{ text: ["Hello to you."] }] },
    {
      when: "first failure",
      steps: [edit("Makefile", "pytest", "pytest -x"), { text: ["They stop at once."] }],
    },
    {
      when: "raise the limit",
      steps: [edit("ledger.py", "LIMIT = 8", "LIMIT = 9"), { text: ["The limit is nine."] }],
    },
  ],
};
const FILES = {
  Makefile: "test:\n\tpytest\n",
  "ledger.py": "LIMIT = 8\nNAME = 'ledger'\n",
};

async function folders() {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-store-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  for (const [name, text] of Object.entries(FILES))
    await writeFile(path.join(workspace, name), text);
  await writeFile(path.join(home, "elsewhere.txt"), "of another folder\n");
  await symlink(path.join(home, "elsewhere.txt"), path.join(workspace, "notes.txt"));
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  return { home, workspace };
}

/** A store that holds one session, and then has lost its first page. */
async function damagedStore({ home, workspace }, env) {
  const python = MACHINE_SETTINGS["plimsoll.server.interpreter"];
  await promisify(execFile)(
    python,
    ["-m", "plimsoll", "run", "--workspace", workspace, "hello there"],
    { env: { ...process.env, ...env } },
  );
  for await (const file of glob(path.join(home, "data", "projects", "*", "plimsoll.db"))) {
    const bytes = await readFile(file);
    await writeFile(file, Buffer.concat([Buffer.alloc(PAGE_BYTES), bytes.subarray(PAGE_BYTES)]));
  }
}

/** From the field of the chat back to the `steps`-th thing that can be pressed, and pressed. */
async function pressBefore(page, chat, steps) {
  await chat.locator("textarea#message:focus").waitFor();
  for (let step = 0; step < steps; step += 1) await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
}

async function rescue(page, editor, chat) {
  await editor
    .toast(/store of this folder/)
    .getByRole("button")
    .first()
    .click();
  const labels = chat.locator(".banner button");
  await chat.getByRole("button", { name: "Salvage…" }).waitFor();
  assert.deepEqual((await labels.allInnerTexts()).slice(0, 2), ["Salvage…", "Work in memory"]);
  await editor.screenshot("damaged");
  await pressBefore(page, chat, 3);
  await chat.getByText(/^Kept in memory alone/).waitFor();
  await editor.statusText(/\d+% · .* · in memory/);
  await editor.screenshot("in-memory");

  await editor.runCommand("Plimsoll: Salvage Damaged Store");
  await editor.dialog.getByText(/damaged file is kept/).waitFor();
  await editor.dialog.getByRole("button", { name: "Salvage" }).click();
  const saved = editor.toast(/Saved: 1 session with \d+ entries, .*The damaged file is kept in/);
  await saved.getByRole("button", { name: "Restart Server" }).click();
  await chat.getByText("Hello to you.").waitFor();
  await chat.getByText(/^Kept in memory alone/).waitFor({ state: "detached" });
}

async function askedEachTime(page, editor, chat, workspace) {
  await say(chat, "Please let make run the tests to the first failure.");
  const card = chat.locator(".question");
  await card.getByText("Asked each time, because of Makefile: building, testing").waitFor();
  const answers = await card.locator(".choices button").allInnerTexts();
  assert.deepEqual(answers, ["Allow", "Reject…"]);
  await editor.screenshot("asked-each-time");
  await pressBefore(page, chat, 3);
  await chat.getByText("They stop at once.").waitFor();
  assert.match(await readFile(path.join(workspace, "Makefile"), "utf8"), /pytest -x/);
}

async function refusedAttachments(chat) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  for (const mention of ["@notes.txt", "@../elsewhere.txt"]) {
    await say(chat, `What does ${mention} say?`);
    const error = chat.locator("[data-kind=error]").last();
    await error.getByText(`not attached: ${mention.slice(1)}`).waitFor();
    assert.match(await error.innerText(), /outside the folder/);
    assert.equal(await field.inputValue(), `What does ${mention} say?`);
  }
}

/** What is typed and not saved is what is changed, and stays. */
async function openDocument(page, editor, chat, workspace) {
  await editor.openFile("ledger.py");
  const line = (text) => page.locator(".view-line", { hasText: text });
  // A tab is there before its editor has the focus.
  await line(/NAME/).click();
  await page.keyboard.press("End");
  await page.keyboard.type("  # typed");
  await line(/#.typed/).waitFor();
  await say(chat, "Please raise the limit.");
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await line(/LIMIT.=.9/).waitFor();
  await line(/#.typed/).waitFor();
  assert.equal(await readFile(path.join(workspace, "ledger.py"), "utf8"), FILES["ledger.py"]);
}

async function forget(page, editor, chat) {
  await editor.runCommand("Plimsoll: Forget Everything");
  await editor.pick("This folder");
  await editor.dialog.getByText(/workspace: 1 session, \d+ memor.*, 0 pins, /).waitFor();
  await editor.screenshot("forget");
  await page.keyboard.press("Escape");
  await chat.getByText("The limit is nine.").waitFor();
  await editor.runCommand("Plimsoll: Forget Everything");
  await editor.pick("This folder");
  await editor.dialog.getByRole("button", { name: "Forget Everything" }).click();
  await editor.toast(/Everything was deleted/).waitFor();
  await chat.getByText("See everything the model sees.").waitFor();
  await page.locator(".codelens-decoration").first().waitFor({ state: "detached" });
}

test("salvage a store, be asked each time, attach nothing from outside, forget it all", async () => {
  const { home, workspace } = await folders();
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_MODEL__CONTEXT_WINDOW: "32000",
    PLIMSOLL_DATA_DIR: path.join(home, "data"),
  };
  const settings = { "workbench.colorTheme": "Default Dark Modern", "files.autoSave": "off" };
  try {
    await damagedStore({ home, workspace }, env);
    await withEditor({ name: "store", workspace, env, settings }, async (page, editor) => {
      const chat = editor.webview(0);
      await rescue(page, editor, chat);
      await askedEachTime(page, editor, chat, workspace);
      await editor.runCommand("Preferences: Toggle between Light/Dark Themes");
      await refusedAttachments(chat);
      await openDocument(page, editor, chat, workspace);
      await forget(page, editor, chat);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
