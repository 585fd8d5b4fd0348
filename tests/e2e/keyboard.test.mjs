// A person without a mouse connects a model, answers a question, takes a lasting permission back, picks a model and
// reviews a change; what each of them says to a screen reader stands beside it among the artefacts.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { calls, startModel, words } from "./parts/model.mjs";
import { artefacts, repository, withEditor } from "./rig.mjs";

const TUNED = (one, two) => `WIDTH = ${one}\n\n\ndef area():\n    return ${two}\n`;

/** What the model does of a person's last words; after a result it says that it is done. */
function answer(messages) {
  const last = messages.at(-1);
  const said = JSON.stringify(last.content);
  const id = `c${messages.length}`;
  if (last.role === "user" && said.includes("List it"))
    return calls(id, "shell", { command: "ls -a" });
  if (last.role === "user" && said.includes("Tune it"))
    return calls(id, "file_write", { path: "tuned.py", content: TUNED(10, "WIDTH") });
  return words("It is done.");
}

/** Keeps what a screen reader gets of a part of the window, and answers it. */
async function tree(locator, name) {
  const text = await locator.ariaSnapshot();
  await writeFile(path.join(artefacts, `tree-${name}.yml`), `${text}\n`);
  return text;
}

/** Every part has a name: no button, row or field that a screen reader calls by its role alone. */
function assertNamed(text, where) {
  const bare = text
    .split("\n")
    .filter((line) => /^\s*- (button|option|textbox|link|checkbox)(:|$| \[)/.test(line));
  assert.deepEqual(bare, [], `each part of ${where} has a name`);
}

/** Goes down the rows of a box until one with this text has the focus. */
async function goTo(page, text) {
  const focused = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text });
  for (let steps = 0; steps < 20 && !(await focused.isVisible()); steps += 1)
    await page.keyboard.press("ArrowDown");
  await focused.waitFor();
}

/** An address where nothing runs says so in its box, with what to do; once it runs, *Retry* goes on. */
async function connects(page, editor) {
  const box = page.locator(".quick-input-widget");
  const gone = await startModel({ answer });
  gone.stop();
  await editor.typeCommand("Plimsoll: Connect a Model");
  await editor.row("Another server").waitFor();
  assertNamed(await tree(box, "connect-hosts"), "the hosts");
  await page.keyboard.type("Another server");
  await page.keyboard.press("Enter");
  await box.getByText("Up to and with the version").waitFor();
  await page.keyboard.type(gone.address);
  await page.keyboard.press("Enter");
  await editor.row(`Nothing is running at 127.0.0.1:${gone.port}.`).waitFor();
  const failed = await tree(box, "connect-failed");
  assertNamed(failed, "the failure");
  assert.match(failed, /option "Nothing is running at .*Start the server there and try again/);
  assert.match(failed, /option "Retry/);
  await editor.screenshot("connect-failed");
  const model = await startModel({ answer, port: gone.port, models: ["instant", "other"] });
  await goTo(page, /^Retry/);
  await page.keyboard.press("Enter");
  await editor.row("instant").waitFor();
  assertNamed(await tree(box, "connect-models"), "the models");
  // The first row is taken by Enter alone.
  await page.keyboard.press("Enter");
  await editor.toast("instant is connected").waitFor();
  await editor.statusText(/instant|\d+\s*%/);
  return model;
}

/** Writes a message in the chat and sends it; keys that come before the field has the focus are lost. */
async function says(page, editor, chat, text) {
  await editor.typeCommand("Plimsoll: Focus Chat");
  await chat.locator("textarea#message:focus").waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** The question of a command: allowed for good, listed, and taken back. */
async function permits(page, editor, chat) {
  await says(page, editor, chat, "List it");
  const question = chat.locator(".question");
  await question.getByRole("button", { name: "Allow", exact: true }).waitFor();
  const card = await tree(question, "question");
  assertNamed(card, "the question");
  for (const part of [/group "Run/, /button "Allow"/, /button "Reject…"/, /More/])
    assert.match(card, part);
  await editor.typeCommand("Plimsoll: Focus Last Message");
  await reach(page, chat, "More");
  await page.keyboard.press("Enter");
  const always = question.getByRole("button", { name: /^Always allow ls -a/ });
  await always.waitFor();
  await tree(question, "question-more");
  await reach(page, chat, "Always allow ls -a");
  await page.keyboard.press("Enter");
  await chat.getByText("It is done.").waitFor();

  await editor.typeCommand("Plimsoll: Show Permissions");
  const box = page.locator(".quick-input-widget");
  await editor.row("ls -a").waitFor();
  const listed = await tree(box, "permissions");
  assertNamed(listed, "the permissions");
  assert.match(listed, /option "ls -a.*since .*, Exactly these words/i);
  await goTo(page, "ls -a");
  await page.keyboard.press("Enter");
  await box
    .getByText("Nothing is always allowed in this folder.")
    .or(box.locator("[placeholder^='Nothing is always allowed']"))
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
}

/** Goes on by Tab until what has the focus in the chat starts with this text. */
async function reach(page, chat, text) {
  const focused = () =>
    chat
      .locator(":focus")
      .first()
      .evaluate((it) => it.textContent.trim())
      .catch(() => "");
  const seen = [];
  for (let steps = 0; steps < 30; steps += 1) {
    const now = await focused();
    if (now.startsWith(text)) return;
    seen.push(now.slice(0, 40));
    await page.keyboard.press("Tab");
  }
  assert.fail(`${text} is not reached by Tab: ${JSON.stringify(seen)}`);
}

/** The other model of the address, by arrows and Enter. */
async function picks(page, editor, chat) {
  const box = page.locator(".quick-input-widget");
  await editor.typeCommand("Plimsoll: Select Model");
  await editor.row("other").waitFor();
  const rows = await tree(box, "models");
  assertNamed(rows, "the models");
  assert.match(rows, /option "instant.*current/);
  await goTo(page, /^other/);
  await page.keyboard.press("Enter");
  await chat.getByRole("button", { name: /other/ }).waitFor();
}

/** A change is read, kept in part and rejected in part where it stands. */
async function reviews(page, editor, chat, workspace) {
  const lens = (text) => page.locator(".codelens-decoration").filter({ hasText: text });
  const row = (letter) => page.keyboard.press(`Control+Shift+Alt+${letter}`);
  await says(page, editor, chat, "Tune it");
  await chat.locator(".question").getByRole("button", { name: "Allow", exact: true }).waitFor();
  await editor.typeCommand("Plimsoll: Next Change of the Agent");
  await lens("change 1 of 2: proposed").waitFor();
  const hover = page.locator(".monaco-hover").filter({ hasText: "Would become:" });
  await hover.waitFor();
  const read = await tree(hover, "hunk");
  assert.match(read, /change 1 of 2: proposed/);
  assert.match(read, /link "Keep"/);
  assert.match(read, /link "Reject"/);
  await tree(page.locator(".codelens-decoration").first(), "hunk-lens");
  await row("L");
  await lens("change 2 of 2: proposed").waitFor();
  await row("U");
  await lens("change 1 of 1: made by Plimsoll").waitFor();
  await editor.typeCommand("Plimsoll: Keep All Changes in This File");
  await lens("made by Plimsoll").waitFor({ state: "detached" });
  // The editor saves it by itself, a moment later.
  const onDisk = () => readFile(path.join(workspace, "tuned.py"), "utf8");
  while ((await onDisk()) !== TUNED(10, 2)) await page.waitForTimeout(50);
}

/** A Python that is slow to say which one it is, so that the first command is run while the server is being started. */
async function slowPython(home) {
  const python = path.join(home, "python");
  const real = path.join(repository, ".venv", "bin", "python");
  await writeFile(python, `#!/bin/sh\nsleep 4\nexec "${real}" "$@"\n`, { mode: 0o755 });
  return { "plimsoll.server.interpreter": python };
}

test("connect, questions, permissions, models and changes by keys alone, each with its name", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-keyboard-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await mkdir(artefacts, { recursive: true });
  await writeFile(path.join(workspace, "tuned.py"), TUNED(1, 2));
  let model;
  try {
    const machineSettings = await slowPython(home);
    await withEditor({ name: "keyboard", workspace, machineSettings }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview();
      model = await connects(page, editor);
      await permits(page, editor, chat);
      await picks(page, editor, chat);
      await reviews(page, editor, chat, workspace);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    model?.stop();
    await rm(home, { recursive: true, force: true });
  }
});
