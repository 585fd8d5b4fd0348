// The context view in a real VS Code: what the model sees, taken out, kept, brought back, put off, undone.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { say, withEditor } from "./rig.mjs";

const PARTS = 5;
// Five of them stand between the warning mark and the compact mark of the window below.
const FUNCTIONS = 138;
const WINDOW = "32000";

function source(part) {
  const functions = Array.from({ length: FUNCTIONS }, (_, n) => {
    const name = `settle_${part}_${String(n).padStart(3, "0")}`;
    return `def ${name}(entries, limit=${n}):\n    """Weigh each entry."""\n    return ${part * n}\n`;
  });
  return functions.join("\n\n");
}

const reads = Array.from({ length: PARTS }, (_, index) => ({
  when: `part ${index + 1}\\b`,
  steps: [
    { calls: [{ name: "file_read", arguments: { path: `src/part${index + 1}.py` } }] },
    { text: [`Part ${index + 1} settles ${FUNCTIONS} batches.`] },
  ],
}));
const SUMMARY = "## Goal\nRead the parts.\n\n## Next steps\nRead on.";
const summary = { when: "Write the summary with which", steps: [{ text: [SUMMARY] }] };
const used = (cached) => ({ input: 9000, cached, output: 40 });
const again = { name: "file_read", arguments: { path: "src/part1.py" } };
const missed = {
  when: "from the cache",
  steps: [
    { calls: [again], usage: used(8500) },
    { text: ["Most was sent anew."], usage: used(2000) },
  ],
};
const script = { rules: [summary, missed, ...reads] };

async function folders() {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-hold-"));
  const workspace = path.join(home, "workspace");
  await mkdir(path.join(workspace, "src"), { recursive: true });
  for (let part = 1; part <= PARTS; part += 1)
    await writeFile(path.join(workspace, "src", `part${part}.py`), source(part));
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  return { home, workspace };
}

const number = (text) => Number(text.replace(/\D/g, ""));

/** What a person does in the two views. */
function hands(editor) {
  const chat = editor.webview(0);
  const hold = editor.webview(1);
  const row = (title) =>
    hold.locator("li.item:not([data-kind=assistant])", { hasText: title }).first();
  return {
    chat,
    hold,
    async ask(text, answer) {
      const before = await chat.locator("[data-kind=answer]").count();
      await say(chat, text);
      await chat.locator("[data-kind=answer]").nth(before).getByText(answer).waitFor();
      await chat.getByRole("button", { name: "Send" }).waitFor();
    },
    async act(title, action) {
      await row(title).hover();
      await row(title)
        .getByRole("button", { name: new RegExp(`^${action} `) })
        .click();
    },
    tokensOf: async (title) => number(await row(title).locator(".tokens").innerText()),
    stateOf: (title, state) => row(title).locator(".state").getByText(state).waitFor(),
  };
}

/** The open report follows the context where it was scrolled to, and tells what the cache missed. */
async function follows(page, shown, ask) {
  const anew = shown.getByRole("heading", { name: "Sent anew, not from the cache" });
  assert.equal(await anew.count(), 0);
  await shown.getByRole("heading", { name: "Items" }).scrollIntoViewIfNeeded();
  const place = () => shown.locator("main").evaluate(() => globalThis.scrollY);
  const before = await place();
  assert.ok(before > 0, `scrolled to ${before}`);
  await ask("What comes from the cache?", "Most was sent anew.");
  await shown.getByRole("row", { name: /the provider did not have it any more.* 7,000/ }).waitFor();
  assert.equal(await place(), before);
  await page.locator(".tabs-container .tab", { hasText: "Context report" }).waitFor();
}

/** The report: its two pictures, what they say, and the limit that is raised there. */
async function report(page, editor, ask) {
  await editor.runCommand("Plimsoll: Show Context Report");
  const shown = editor.webview(2);
  await shown.getByRole("img", { name: /^A window of 32,000 tokens in a hundred cells/ }).waitFor();
  assert.equal(await shown.locator(".grid > svg rect").count(), 100);
  await shown.getByRole("img", { name: /^\d+ requests?: .* reductions?;/ }).waitFor();
  const did = await shown.locator(".curve .reduction title").allTextContents();
  assert.match(did.join("\n"), /Summarised \d+ items.* Why: /);
  await editor.screenshot("report-light");
  await shown.getByText("Raise Spend Limit…").click();
  await editor.answerInput("The new limit, in tokens", "1500000");
  await editor.toast("The limit is 1,500,000 tokens now.").waitFor();
  await shown.getByText(/of 1,500,000 tokens spent/).waitFor();
  await page.locator(".tabs-container .tab", { hasText: "Context report" }).waitFor();
  await follows(page, shown, ask);
  await editor.screenshot("report-missed");
}

test("see, remove, restore, pin, put off, compact and compare", async () => {
  const { home, workspace } = await folders();
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_MODEL__CONTEXT_WINDOW: WINDOW,
    PLIMSOLL_PRUNING__ENABLED: "false",
  };
  const settings = {
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.hover.delay": 100,
    "plimsoll.session.spendLimitTokens": 900_000,
  };
  try {
    await withEditor({ name: "hold", workspace, env, settings }, async (page, editor) => {
      await editor.openFile("part1.py");
      await editor.openView("Plimsoll");
      const { chat, hold, ask, act, tokensOf, stateOf } = hands(editor);
      await chat.locator("button.strip").click();
      await hold.locator(".bar").waitFor();

      await ask("Read part 1.", "Part 1 settles");
      await stateOf("src/part1.py", "whole · turn 1");
      const whole = await tokensOf("src/part1.py");
      assert.ok(whole > 1000, `${whole} tokens`);

      const lens = page.locator(".codelens-decoration").first();
      const held = lens.getByText(/in context · [\d,]+ tokens · turn 1/);
      await held.waitFor();
      await editor.screenshot("lens");
      await lens.getByText("remove").click();
      const toast = editor.toast(/Removed 1 item/);
      await toast.getByRole("button", { name: "Undo" }).waitFor();
      await stateOf("src/part1.py", "removed · turn 1");
      assert.ok((await tokensOf("src/part1.py")) < whole / 10);
      await held.waitFor({ state: "detached" });
      await act("src/part1.py", "restore");
      await stateOf("src/part1.py", "whole · turn 1");
      assert.equal(await tokensOf("src/part1.py"), whole);
      await held.click();
      await page.locator(".tabs-container .tab", { hasText: "Why it is here.md" }).waitFor();
      await page.getByText("It is in the next request since turn 1").waitFor();

      await page.locator(".tabs-container .tab", { hasText: "part1.py" }).click();
      await page.locator(".monaco-editor").first().click();
      await page.keyboard.press("Control+A");
      await page.locator(".lightBulbWidget, .codicon-gutter-lightbulb").first().waitFor();
      const offered = await editor.offered("Remove src/part1.py from the Context");
      await offered.getByText("Add Selection to Chat").click();
      await chat
        .getByText(/^src\/part1\.py:1/)
        .first()
        .waitFor();
      await editor.screenshot("code-actions");
      await chat.locator("[data-action=detach]").click();

      await act("Read part 1.", "pin");
      await stateOf("Read part 1.", /^pinned$/);

      for (let part = 2; part <= PARTS; part += 1)
        await ask(`Read part ${part}.`, `Part ${part} settles`);
      const planned = chat.locator("[data-kind=receipt]", { hasText: "would summarise" });
      await planned.getByRole("button", { name: "Not in this session" }).waitFor();
      await editor.screenshot("hold-dark");
      await editor.runCommand("Preferences: Toggle between Light/Dark Themes");
      await page.locator(".monaco-workbench.vs").waitFor();
      await editor.screenshot("hold-light");
      await planned.getByRole("button", { name: "Later" }).click();
      await planned.getByText(/^Put off/).waitFor();
      await planned.getByRole("button", { name: "Not in this session" }).click();
      await planned.getByText(/^Not by itself/).waitFor();

      await editor.runCommand("Plimsoll: Preview Compaction");
      await editor.pick("All but the newest part");
      await page.locator(".tabs-container .tab", { hasText: "Summary.md" }).waitFor();
      await page.locator(".view-line", { hasText: "Read the parts." }).click();
      await page.keyboard.press("End");
      await page.keyboard.type(" As I wanted it.");
      assert.ok(await planned.count());
      await editor.screenshot("summary-draft");
      await editor.runCommand("Plimsoll: Apply Summary");
      const receipt = chat.locator("[data-kind=receipt]", { hasText: "Summarised" }).last();
      await receipt.getByRole("button", { name: "Undo" }).waitFor();
      assert.equal(await planned.count(), 0);
      const fold = hold.locator("li[data-kind=summary] [data-fold]");
      await fold.getByText(/\d+ items/).waitFor();
      await hold.getByText("Turns 1-2").waitFor();
      assert.equal(await hold.locator("li.folded").count(), 0);
      await fold.click();
      await hold.locator("li.folded[data-kind=toolResults]", { hasText: "src/part1.py" }).waitFor();
      await stateOf("Read part 1.", /^pinned$/);
      await receipt.getByRole("button", { name: "Before / after" }).click();
      await page.locator(".monaco-diff-editor .view-line").first().waitFor();
      await page.locator(".view-line", { hasText: "As I wanted it." }).first().waitFor();
      await editor.screenshot("hold-compacted");

      await editor.status(/%/).hover();
      const tooltip = page.locator(".monaco-hover", { hasText: "Load line" });
      await tooltip.getByText(/Spent: .* tokens in.* costs nothing/).waitFor();
      await tooltip.getByText(/Limit of the session: .* of 900,000 tokens spent/).waitFor();
      await editor.screenshot("report-tooltip");
      await report(page, editor, ask);

      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

/** A command fills the field with its prompt, which goes when the person sends it. */
async function customCommand(editor) {
  const { chat } = hands(editor);
  const field = chat.getByRole("textbox", { name: "Message" });
  await field.fill("/");
  await chat.getByRole("option", { name: /git:commit \[what\]/ }).waitFor();
  await editor.screenshot("command-offered");
  await field.fill("/git:commit the part 2");
  await field.press("Enter");
  const prompt = "Say what of the part 2 is staged.\nLook at !`git status`.";
  await expectValue(field, prompt);
  await editor.screenshot("command-in-the-field");
  await field.press("Enter");
  await chat.locator("[data-kind=answer]", { hasText: "Part 2 settles" }).waitFor();
}

async function expectValue(field, text) {
  for (let more = 100; more > 0 && (await field.inputValue()) !== text; more -= 1)
    await field.page().waitForTimeout(50);
  assert.equal(await field.inputValue(), text);
}

test("a skill stands in the context view, and its switch takes it out", async () => {
  const { home, workspace } = await folders();
  for (const [name, told] of [
    ["deploy", "How this project is shipped: tag, build, upload."],
    ["review", "What a review here looks at, and in which order."],
  ]) {
    const folder = path.join(workspace, ".agents", "skills", name);
    await mkdir(folder, { recursive: true });
    const text = `---\nname: ${name}\ndescription: "${told}"\nallowed-tools: Bash\n---\nStep 1.\n`;
    await writeFile(path.join(folder, "SKILL.md"), text);
  }
  const claude = path.join(workspace, ".claude");
  await mkdir(path.join(claude, "commands", "git"), { recursive: true });
  await mkdir(path.join(claude, "agents"), { recursive: true });
  await writeFile(
    path.join(claude, "commands", "git", "commit.md"),
    "---\nargument-hint: '[what]'\n---\nSay what of $ARGUMENTS is staged.\nLook at !`git status`.\n",
  );
  await writeFile(
    path.join(claude, "agents", "reader.md"),
    "---\ndescription: Reads the parts.\ntools: Read, Grep\n---\nRead slowly.\n",
  );
  const env = {
    HOME: home,
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_MODEL__CONTEXT_WINDOW: WINDOW,
  };
  try {
    await withEditor({ name: "skills", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const { ask, hold, tokensOf } = hands(editor);
      await ask("Read part 1.", /Part 1 settles/);
      await editor.runCommand("Plimsoll: Show Context");
      await hold.locator("li.item", { hasText: "Skills of this folder" }).first().waitFor();
      const before = await tokensOf("Skills of this folder");
      await editor.listed("Plimsoll: Switch Skills", /deploy.*this folder · \d+ tokens/);
      await editor.screenshot("skills-list");
      await editor.pick("deploy");
      const picker = page.locator(".quick-input-widget");
      await picker.getByText("1 Selected").waitFor();
      await picker.getByRole("button", { name: "OK" }).click();
      await picker.waitFor({ state: "hidden" });
      await editor.listed("Plimsoll: Switch Skills", /deploy.*this folder · off/);
      await editor.screenshot("skills-off");
      await page.keyboard.press("Escape");
      await customCommand(editor);
      await editor.runCommand("Plimsoll: Show Context");
      assert.ok((await tokensOf("Agents of this folder")) > 0);
      await editor.listed(
        "Plimsoll: Switch Agents and Commands",
        /reader.*agent · this folder · \d+ tokens · tools:.*grep/,
      );
      await editor.screenshot("agents-list");
      assert.ok(before > 0);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
