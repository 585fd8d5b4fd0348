// A person shows the agent what they mean: the selection above the field, and words behind an @.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { withEditor } from "./rig.mjs";

const CODE = ["def total(entries):", "    return sum(entries)", "", "LIMIT = 5", ""].join("\n");
const RATES = "const RATE = 3;\n\nfunction rateOf(x) {\n  return x * RATE;\n}\n\nrateOf(RATE);\n";
const ANSWER =
  "It adds them up, see [the limit](ledger.py#L4), not [this](../elsewhere.py#L1) or [that](out.py).";

/** A terminal that is drawn as text, which can be read; an own shell, whatever the machine's is. */
const SETTINGS = {
  "git.enabled": true,
  "terminal.integrated.gpuAcceleration": "off",
  "terminal.integrated.defaultProfile.linux": "bash",
};

/** A model on loopback that keeps what it is sent. */
async function startModel() {
  const bodies = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    if (body) bodies.push(body);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const content = body.includes("<change>") ? "feat: a rate of four" : ANSWER;
    const chunk = { choices: [{ index: 0, delta: { role: "assistant", content } }] };
    response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`);
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...end })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const lastPrompt = () => {
    const { messages } = JSON.parse(bodies.at(-1));
    return messages.findLast(({ role }) => role === "user").content;
  };
  return { server, lastPrompt };
}

function git(workspace, ...words) {
  const user = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  execFileSync("git", [...user, ...words], { cwd: workspace });
}

/** The side bar as wide as that. */
async function widen(page, width) {
  const bar = await page.locator(".part.sidebar").boundingBox();
  await page.mouse.move(bar.x + bar.width + 1, 400);
  await page.mouse.down();
  await page.mouse.move(bar.x + width, 400, { steps: 5 });
  await page.mouse.up();
}

async function say(chat, text) {
  const answers = chat.locator("[data-kind=answer]:has-text('adds them up')");
  const before = await answers.count();
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await field.fill(text);
  await field.press("Escape");
  await field.press("Enter");
  await answers.nth(before).waitFor();
  // Escape would stop a turn that has answered and not ended yet.
  await chat.getByRole("button", { name: "Send" }).waitFor();
}

async function selection(page, editor, chat, model) {
  await editor.openFile("ledger.py");
  const chip = chat.locator(".chip.active");
  await chip.getByText("+ ledger.py").waitFor();
  await page.locator(".view-line", { hasText: "def total" }).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await chip.getByText("ledger.py:1-2").waitFor();
  for (const width of [300, 400, 520]) {
    await widen(page, width);
    await editor.screenshot(`mentions-chip-${width}`);
  }
  await say(chat, "What does this do?");
  assert.match(await model.lastPrompt(), /\[attached ledger\.py:1-2\]\ndef total\(entries\):/);
  await chat.locator("[data-kind=user] .chip", { hasText: "ledger.py:1-2" }).waitFor();
  // The model has it: it does not go along twice.
  await chip.getByText("+ ledger.py:1-2").waitFor();
  await editor.screenshot("mentions-said");
}

/** A prompt that is edited brings back what went along with it. */
async function edits(editor, chat, model) {
  const prompt = chat.locator("[data-kind=user]", { hasText: "What does this do?" });
  await prompt.hover();
  await prompt.getByRole("button", { name: "Edit" }).click();
  const chip = chat.locator(".chip[data-action=detach]", { hasText: "ledger.py:1-2" });
  await chip.waitFor();
  await editor.screenshot("mentions-edited");
  await say(chat, "What does it do?");
  assert.match(await model.lastPrompt(), /\[attached ledger\.py:1-2\]\ndef total\(entries\):/);
  await chip.waitFor({ state: "detached" });
  assert.equal(await prompt.count(), 0);
}

/** Lines are edited where they are, with the keyboard alone. */
async function editsHere(page, editor, chat, model) {
  await page.locator(".view-line", { hasText: "def total" }).click();
  await page.keyboard.press("Control+Home");
  const list = await editor.offered("Edit Here with Plimsoll…");
  await editor.screenshot("mentions-bulb");
  await list.getByText("Edit Here with Plimsoll…").waitFor();
  await page.keyboard.press("Escape");
  await editor.runCommand("Edit Here with Plimsoll…");
  await editor.answerInput("What is to be changed?", "Add a docstring");
  await chat
    .locator("[data-kind=user]", { hasText: "Edit these lines: Add a docstring" })
    .waitFor();
  await chat.getByRole("button", { name: "Send" }).waitFor();
  assert.match(await model.lastPrompt(), /\[attached ledger\.py:1\]\ndef total\(entries\):\n/);
  await page.locator(".view-line", { hasText: "def total" }).click({ button: "right" });
  await page.locator(".monaco-menu").getByText("Explain with Plimsoll").waitFor();
  await editor.screenshot("mentions-menu");
  await page.keyboard.press("Escape");
}

/** What git has as changed goes along, and is put in words for a commit. */
async function changes(page, editor, chat, model, workspace) {
  await writeFile(path.join(workspace, "src", "rates.js"), RATES.replace("= 3", "= 4"));
  git(workspace, "add", "src");
  await writeFile(path.join(workspace, "new.txt"), "new\n");
  await say(chat, "What changed? @changes");
  assert.match(
    await model.lastPrompt(),
    /\[attached changes: 1 staged, 1 untracked\]\n# Staged\nM src\/rates\.js\n# Untracked, names alone\nnew\.txt\n.*\n\+const RATE = 4;/s,
  );
  await chat.locator("[data-kind=user] .chip", { hasText: "changes: 1 staged" }).waitFor();

  await editor.openView(/Source Control/);
  const field = page.locator(".scm-editor").first();
  await field.waitFor();
  await editor.screenshot("mentions-scm");
  await field.hover();
  await page.getByRole("button", { name: "Write Commit Message" }).first().click();
  await field.getByText("feat: a rate of four").waitFor();
  await editor.screenshot("mentions-commit");
  assert.match(await model.lastPrompt(), /<subjects>\nfeat: begin\n<\/subjects>/);
  await field.hover();
  await page.getByRole("button", { name: "Write Commit Message" }).first().click();
  await editor.row("Keep it as the beginning").waitFor();
  await editor.screenshot("mentions-commit-wish");
  await editor.pick("Keep it as the beginning");
  while (!(await model.lastPrompt()).includes("<beginning>\nfeat: a rate of four")) {
    await page.waitForTimeout(50);
  }
}

/** Selected lines are asked about from the palette, as from a right click. */
async function explains(page, editor, chat, model) {
  await page.locator(".view-line", { hasText: "def total" }).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await editor.runCommand("Explain with Plimsoll");
  const prompt = chat.locator("[data-kind=user]", { hasText: "Explain this code." });
  await prompt.locator(".chip", { hasText: "ledger.py" }).waitFor();
  await chat.getByRole("button", { name: "Send" }).waitFor();
  assert.match(await model.lastPrompt(), /Explain this code\./);
}

/** What is dropped on the field stands there as a mention. */
async function drops(page, editor, chat, workspace) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await editor.openFile("rates.js");
  const uri = pathToFileURL(path.join(workspace, "src", "rates.js")).href;
  const data = await field.evaluateHandle((_, list) => {
    const transfer = new DataTransfer();
    transfer.setData("application/vnd.code.uri-list", list);
    return transfer;
  }, uri);
  await field.dispatchEvent("dragover", { dataTransfer: data });
  await chat.locator(".composer[data-drop=true]").waitFor();
  await editor.screenshot("mentions-dropping");
  await field.dispatchEvent("drop", { dataTransfer: data });
  while ((await field.inputValue()) !== "@src/rates.js ") await page.waitForTimeout(50);
}

/** What stands behind an @ and is no file reaches the model as the editor shows it. */
async function kinds(page, editor, chat, model) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await editor.openFile("broken.json");
  await field.fill("@");
  await chat.locator("[role=option]", { hasText: "@problems" }).first().waitFor();
  await editor.screenshot("mentions-kinds");
  await page.locator(".squiggly-error").first().waitFor({ state: "attached" });
  await say(chat, "What is wrong? @problems");
  assert.match(
    await model.lastPrompt(),
    /\[attached problems of the workspace\]\nbroken\.json:1 error: /,
  );

  await say(chat, "What is in @src/ ?");
  assert.match(
    await model.lastPrompt(),
    /\[attached src\/\]\n\[1 file; of 1 the first lines\]\nrates\.js/,
  );

  await editor.openFile("rates.js");
  await symbolsKnown(editor);
  await field.fill("@symbol:rateO");
  await chat.locator("[role=option]", { hasText: "rateOf" }).waitFor();
  await editor.screenshot("mentions-symbol");
  await field.press("Enter");
  const written = await field.inputValue();
  await say(chat, `${written}does what?`);
  assert.match(await model.lastPrompt(), /\[attached src\/rates\.js:3-5\]\nfunction rateOf/);
}

/** The last command of a terminal goes along with what it has written. */
async function terminal(page, editor, chat, model) {
  await editor.runCommand("Terminal: Create New Terminal");
  const rows = page.locator(".xterm-rows");
  await rows.getByText(/[#$]/).first().waitFor();
  await page.keyboard.type("sleep 1; echo all-at-$((40 + 2)); sleep 1");
  await page.keyboard.press("Enter");
  await rows.getByText("all-at-42").waitFor();
  await editor.screenshot("mentions-terminal");
  await say(chat, "What came of it? @terminal");
  assert.match(
    await model.lastPrompt(),
    /\[attached terminal [^\n]*\]\n\$ sleep 1; echo .*; sleep 1\nall-at-42\n\[/,
  );
}

/**
 * The language's own server names no symbol until it has read the project, and a picker does not
 * ask again by itself: it is asked anew each time it has found none.
 */
async function symbolsKnown(editor) {
  const found = editor.row("rateOf");
  const answered = found.or(editor.row(/^No matching/)).first();
  let known = false;
  while (!known) {
    await editor.quickOpen("#rateO");
    await answered.waitFor();
    known = await found.isVisible();
    await editor.closeQuickOpen();
  }
}

/** A link of an answer opens a file of the folder at its line, and none outside. */
async function links(page, editor, chat) {
  const answer = chat.locator("[data-kind=answer]").last();
  await answer.getByRole("link", { name: "the limit" }).click();
  await page.locator(".tabs-container .tab.active", { hasText: "ledger.py" }).waitFor();
  await editor.statusText(/^Ln 4, Col 1/);
  await answer.getByRole("link", { name: "this" }).click();
  await chat.locator("[data-kind=error]").getByText("../elsewhere.py is not in").waitFor();
  await answer.getByRole("link", { name: "that" }).click();
  await chat.locator("[data-kind=error]").getByText("out.py is a link that leads out").waitFor();
  await editor.screenshot("mentions-links");
}

test("what is selected goes along, and what is named behind an @", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-mentions-"));
  const workspace = path.join(home, "workspace");
  await mkdir(path.join(workspace, "src"), { recursive: true });
  await writeFile(path.join(home, "elsewhere.py"), "SECRET = 1\n");
  await symlink("../elsewhere.py", path.join(workspace, "out.py"));
  await writeFile(path.join(workspace, "broken.json"), '{"a": }\n');
  await writeFile(path.join(workspace, "src", "rates.js"), RATES);
  await writeFile(path.join(workspace, "ledger.py"), CODE);
  git(workspace, "init", "-q");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-q", "-m", "feat: begin");
  const model = await startModel();
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "openai",
    PLIMSOLL_MODEL__NAME: "gpt-4o",
    PLIMSOLL_MODEL__BASE_URL: `http://127.0.0.1:${model.server.address().port}/v1`,
    PLIMSOLL_MODEL__CONTEXT_WINDOW: "40000",
  };
  try {
    const options = { name: "mentions", workspace, env, settings: SETTINGS };
    await withEditor(options, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview();
      await chat.getByPlaceholder(/^(Ask|Add)/).waitFor();
      await selection(page, editor, chat, model);
      await edits(editor, chat, model);
      await explains(page, editor, chat, model);
      await editsHere(page, editor, chat, model);
      await links(page, editor, chat);
      await kinds(page, editor, chat, model);
      await drops(page, editor, chat, workspace);
      await terminal(page, editor, chat, model);
      await changes(page, editor, chat, model, workspace);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    model.server.close();
    await rm(home, { recursive: true, force: true });
  }
});
