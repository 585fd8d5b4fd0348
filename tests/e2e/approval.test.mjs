// A person answers calls where the change stands, looks at what a turn changed, takes it back, and
// goes back to a prompt with the files as they were.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { say, withEditor } from "./rig.mjs";

const TUNED = (one, two, three, four) =>
  `WIDTH = ${one}\n\n\nHEIGHT = ${two}\n\n\ndef area():\n    return ${three}\n\n\nDEPTH = ${four}\n`;
const FILES = {
  "limits.py": "LIMIT = 5\n",
  "names.py": "NAME = 'a'\n",
  "tuned.py": TUNED(1, 2, "WIDTH", 4),
};
/** In Latin-1, which VS Code opens as UTF-8. */
const OLD = (word, limit = 5) =>
  Buffer.from(`Stra\u00dfe\n${word} \u00fcber \u00d6l\n\n\n\n\n\nLIMIT = ${limit}\n`, "latin1");
const edit = (file, before, after) => ({
  name: "file_edit",
  arguments: { path: file, old_string: before, new_string: after },
});
const script = {
  rules: [
    {
      when: "raise the limit",
      steps: [{ calls: [edit("limits.py", "LIMIT = 5", "LIMIT = 9")] }],
    },
    {
      when: "Tune the sizes",
      steps: [
        {
          calls: [
            {
              name: "file_write",
              arguments: { path: "tuned.py", content: TUNED(10, 20, "WIDTH * HEIGHT", 40) },
            },
          ],
        },
        { text: ["They are tuned."] },
      ],
    },
    {
      when: "Be glad",
      steps: [
        { calls: [edit("old.txt", "\u00c4rger \u00fcber", "Freude \u00fcber")] },
        { text: ["So it is."] },
      ],
    },
    {
      when: "Raise the old one",
      steps: [{ calls: [edit("old.txt", "LIMIT = 5", "LIMIT = 9")] }, { text: ["It is raised."] }],
    },
    {
      when: "Mind the names",
      steps: [
        { calls: [edit("names.py", "NAME = 'a'", "NAME = 'b'")] },
        { calls: [edit("names.py", "NAME = 'b'", "NAME = 'c'")] },
        { text: ["Both are changed."] },
      ],
    },
  ],
  steps: [{ error: "unavailable" }, { text: ["Now it answers."] }],
};
const SIZE = { width: 1280, height: 800 };

/** The side bar as narrow as on a small screen. */
async function narrow(page, width) {
  const bar = await page.locator(".part.sidebar").boundingBox();
  await page.mouse.move(bar.x + bar.width + 1, 400);
  await page.mouse.down();
  await page.mouse.move(bar.x + width, 400, { steps: 5 });
  await page.mouse.up();
}

async function inView(locator, what) {
  const box = await locator.boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y + box.height <= SIZE.height, `${what} is in view`);
}

async function holds(page, field, text) {
  while ((await field.inputValue()) !== text) await page.waitForTimeout(50);
}

/** What is sent while a turn runs waits in sight: taken back, edited, said before the next step. */
async function queues(page, editor, chat) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  const rows = chat.locator(".queue li");
  await say(chat, "Mind the name.");
  await rows.filter({ hasText: "before the next step" }).waitFor();
  await field.fill("And then commit it.");
  await field.press("Alt+Enter");
  const later = rows.filter({ hasText: "after this turn" });
  await later.getByText("And then commit it.").waitFor();
  await editor.screenshot("queue-300");
  await later.getByRole("button", { name: "Take back" }).click();
  await later.waitFor({ state: "detached" });
  await rows.getByRole("button", { name: "Edit" }).click();
  await holds(page, field, "Mind the name.");
  await rows.first().waitFor({ state: "detached" });
  await say(chat, "Mind the names.");
  await rows.getByText("Mind the names.").waitFor();
  await holds(page, field, "");
}

async function approvals(page, editor, chat, workspace) {
  await say(chat, "Please raise the limit.");
  const question = chat.locator(".question");
  const tab = (name) => page.locator(".tab", { hasText: name });
  const bar = page.locator(".editor-actions");

  await inView(question.getByText("Edit limits.py"), "the title");
  await inView(question.getByText("+1 −1"), "the count");
  await inView(question.getByRole("button", { name: "Allow", exact: true }), "the answer");
  await editor.screenshot("approval-300");
  await queues(page, editor, chat);
  await question.getByText("open diff").click();
  await tab("Edit limits.py").waitFor();
  await bar.getByRole("button", { name: /^Allow the Call/ }).click();
  await tab("Edit limits.py").waitFor({ state: "detached" });

  await question.getByText("Edit names.py").waitFor();
  await chat.locator("[data-kind=user]", { hasText: "Mind the names." }).waitFor();
  assert.equal(await chat.locator(".queue li").count(), 0);
  await question.getByText("open diff").click();
  await tab("Edit names.py").waitFor();
  // The diff is there with its answers; before that its keys mean something else.
  await bar.getByRole("button", { name: /^Allow the Call/ }).waitFor();
  await page.locator(".diff-editor, .monaco-diff-editor").first().click();
  await page.keyboard.press("Control+Enter");
  await tab("Edit names.py").waitFor({ state: "detached" });

  await question.getByRole("button", { name: "Reject…" }).click();
  await question.getByPlaceholder(/^Why not/).fill("one is enough");
  await page.keyboard.press("Enter");
  await chat.getByText("You rejected it: one is enough").waitFor();
  await chat.getByText("Both are changed.").waitFor();
  assert.equal(await readFile(path.join(workspace, "limits.py"), "utf8"), "LIMIT = 9\n");
}

async function takesBack(editor, chat, workspace) {
  const changes = chat.locator("[data-kind=changes]");
  await changes.getByText("2 files changed").waitFor();
  await changes.getByRole("button", { name: "Undo limits.py" }).click();
  await changes.locator("[data-settled=undone]", { hasText: "limits.py" }).waitFor();
  assert.equal(await readFile(path.join(workspace, "limits.py"), "utf8"), FILES["limits.py"]);
  await changes.getByRole("button", { name: "Keep names.py" }).click();
  await changes.locator("[data-settled=kept]", { hasText: "names.py" }).waitFor();
  await editor.screenshot("changed-files");
}

async function retries(editor, chat) {
  await say(chat, "Please fail once.");
  const error = chat.locator("[data-kind=error]");
  await error.getByRole("button", { name: "Retry" }).waitFor();
  assert.equal(await chat.getByPlaceholder(/^(Ask|Add)/).inputValue(), "Please fail once.");
  await editor.screenshot("retry");
  await error.getByRole("button", { name: "Retry" }).click();
  await chat.getByText("Now it answers.").waitFor();
  assert.equal(await chat.getByPlaceholder(/^(Ask|Add)/).inputValue(), "");
  assert.equal(await chat.locator("[data-kind=user]", { hasText: "fail once" }).count(), 1);
}

async function goesBack(page, editor, chat, workspace) {
  const names = () => readFile(path.join(workspace, "names.py"), "utf8");
  const prompt = chat.locator("[data-kind=user]", { hasText: "raise the limit" });
  await prompt.hover();
  await prompt.getByRole("button", { name: "Go back to here" }).click();
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.getByText("Go back to this prompt?").waitFor();
  await editor.screenshot("go-back-asked");
  await dialog.getByRole("button", { name: "Go back and restore 1 file" }).click();
  await chat.getByText("1 file restored.").waitFor();
  assert.equal(await names(), FILES["names.py"]);
  assert.equal(await chat.getByText("Now it answers.").count(), 0);
  await prompt.waitFor({ state: "detached" });
  await holds(page, chat.getByPlaceholder(/^(Ask|Add)/), "Please raise the limit.");
  await editor.screenshot("went-back-to-field");
  await editor.reload();
  await editor.statusText(/\d+\s*% ·/);
  await editor.runCommand("Plimsoll: Focus Chat");
  await chat.getByText("1 file restored.").waitFor();
  await editor.screenshot("went-back");
  await chat.getByRole("button", { name: "Undo", exact: true }).click();
  await chat.getByText("What had left the conversation is back.").waitFor();
  await chat.getByText("Now it answers.").waitFor();
  assert.equal(await names(), "NAME = 'b'\n");
  await editor.screenshot("brought-back");
}

/** Each place of a change is kept or rejected where it stands, and what was made is undone there: by key. */
async function reviews(page, editor, chat, workspace) {
  const onDisk = () => readFile(path.join(workspace, "tuned.py"), "utf8");
  const lenses = page.locator(".codelens-decoration");
  const lens = (text) => lenses.filter({ hasText: text });
  const row = (letter) => page.keyboard.press(`Control+Shift+Alt+${letter}`);
  await editor.openFile("tuned.py");
  await say(chat, "Tune the sizes.");
  await lens("change 4 of 4: proposed, not in the file yet, +1 −1").waitFor();
  assert.equal(await page.locator(".view-lines").getByText("WIDTH * HEIGHT").count(), 0);
  await row("J");
  await page.locator(".monaco-hover").getByText("Would become:").waitFor();
  await editor.screenshot("hunks-proposed");
  await row("L");
  await lens("change 2 of 4: will be made").waitFor();
  await row("U");
  await lens("change 3 of 4: rejected").waitFor();
  await chat.getByRole("button", { name: "Allow 3 of 4 changes" }).waitFor();
  await row("L");
  await lens("change 4 of 4: will be made").waitFor();
  await editor.screenshot("hunks-chosen");
  assert.equal(await onDisk(), FILES["tuned.py"]);
  await row("L");
  await chat.getByText("They are tuned.").waitFor();

  await lens("change 3 of 3: made by Plimsoll").waitFor();
  await page.keyboard.press("Escape");
  await editor.screenshot("hunks-made");
  await row("U");
  await lens("change 2 of 2: made by Plimsoll").waitFor();
  // The cursor goes on when the file is saved, after the lenses.
  await editor.statusText(/^Ln 4, Col 1/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  await page.keyboard.type(" ");
  await lens("change 1 of 1: made by Plimsoll").waitFor();
  await editor.screenshot("hunks-left");
  await editor.runCommand("Plimsoll: Keep All Changes in This File");
  await lenses.filter({ hasText: "made by Plimsoll" }).waitFor({ state: "detached" });
  await page.keyboard.press("Control+S");
  while ((await onDisk()) !== TUNED(1, "20 ", "WIDTH", 40)) await page.waitForTimeout(50);
}

/** A file that the editor shows in a wrong encoding is changed by its own bytes, and its diff has its letters. */
async function misread(page, editor, chat, workspace) {
  const old = path.join(workspace, "old.txt");
  await editor.openFile("old.txt");
  const shown = page.locator(".view-lines");
  await shown.getByText("\ufffdrger").waitFor();
  await say(chat, "Be glad.");
  await chat.locator(".question").getByText("open diff").click();
  const tab = page.locator(".tab", { hasText: "old.txt.diff" });
  await tab.waitFor();
  await shown.getByText("-\u00c4rger \u00fcber \u00d6l").waitFor();
  await editor.screenshot("misread-proposed");
  await page
    .locator(".editor-actions")
    .getByRole("button", { name: /^Allow the Call/ })
    .click();
  await tab.waitFor({ state: "detached" });
  await shown.getByText("Freude \ufffdber").waitFor();
  await chat.getByText("So it is.").waitFor();
  assert.deepEqual(await readFile(old), OLD("Freude"));
  await page.locator(".codelens-decoration", { hasText: "change 1 of 1" }).waitFor();
  await shown.getByText("LIMIT").click();
  await page.keyboard.press("Control+Shift+Alt+J");
  const hover = page.locator(".monaco-hover", { hasText: "Stood there before:" });
  await hover.waitFor();
  await page.keyboard.press("Control+Shift+Alt+U");
  await shown.getByText("\ufffdrger").waitFor();
  await hover.waitFor({ state: "hidden" });
  assert.deepEqual(await readFile(old), OLD("\u00c4rger"));

  await say(chat, "Raise the old one.");
  await chat.locator(".question").getByRole("button", { name: "Allow", exact: true }).click();
  await chat.getByText("It is raised.").waitFor();
  assert.deepEqual(await readFile(old), OLD("\u00c4rger", 9));
  const changed = chat.locator("[data-kind=changes]").last();
  await changed.getByRole("button", { name: "Undo old.txt" }).click();
  await changed.locator("[data-settled=undone]").waitFor();
  assert.deepEqual(await readFile(old), OLD("\u00c4rger"));
}

test("a call is answered in the diff, by key and with a reason; its change is taken back", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-approval-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  for (const [name, text] of Object.entries(FILES))
    await writeFile(path.join(workspace, name), text);
  await writeFile(path.join(workspace, "old.txt"), OLD("\u00c4rger"));
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
  };
  try {
    await withEditor({ name: "approval", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      await narrow(page, 300);
      const chat = editor.webview();
      await approvals(page, editor, chat, workspace);
      await takesBack(editor, chat, workspace);
      await retries(editor, chat);
      await goesBack(page, editor, chat, workspace);
      await reviews(page, editor, chat, workspace);
      await misread(page, editor, chat, workspace);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
