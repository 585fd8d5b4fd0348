// Memories in a real VS Code: remembered, there after a reload, forgotten, accepted from the inbox.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { memoryView } from "./parts/memories.mjs";
import { say, withEditor } from "./rig.mjs";

const FACT = "Always deploy from the branch release, never from main.";
const ASKED = "Remember that reviews are due on Fridays.";
// What the agent proposes goes to the inbox only when it came from a file: the script saves what it read.
const PROPOSED = "The staging host is called harbour.";
const script = {
  rules: [
    {
      when: "read the notes",
      steps: [
        { calls: [{ name: "file_read", arguments: { path: "notes.md" } }] },
        {
          calls: [
            {
              name: "memory_save",
              arguments: { type: "reference", title: "Staging host", content: PROPOSED },
            },
          ],
        },
        { text: ["Noted."] },
      ],
    },
    { when: "Which branch", steps: [{ text: ["From release."] }] },
    { when: "never from main", steps: [{ text: ["Understood."] }] },
    { when: "reviews", steps: [{ text: ["I will."] }] },
  ],
};

async function folders() {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-memory-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(workspace, "notes.md"), `${PROPOSED}\n`);
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  return { home, workspace };
}

function hands(page, editor) {
  const view = memoryView(page);
  return {
    ...view,
    async ask(text, answer) {
      const chat = editor.webview(0);
      await say(chat, text);
      await chat.locator("[data-kind=answer]").last().getByText(answer).waitFor();
      // A turn that still runs would refuse the next message.
      await chat.getByRole("button", { name: "Send" }).waitFor();
    },
    /** Writes behind the end of lines of the document that a row opens, and saves it. */
    async write(title, endings) {
      await view.row(title).click();
      const lines = page.locator(".editor-instance .view-lines");
      await lines.getByText(`# ${title}`).waitFor();
      await lines.click();
      await page.keyboard.press("Control+Home");
      const last = Math.max(...Object.keys(endings).map(Number));
      for (let number = 1; number <= last; number += 1) {
        await page.keyboard.press("End");
        await page.keyboard.type(endings[number] ?? "");
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("Control+S");
    },
    held: () => editor.webview(1).locator("li.item[data-kind=memories]"),
  };
}

test("remember, reload, ask, forget and accept", async () => {
  const { home, workspace } = await folders();
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_MODEL__CONTEXT_WINDOW: "32000",
  };
  try {
    await withEditor({ name: "memory", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const { row, openTree, shows, act, ask, held, write } = hands(page, editor);
      await editor
        .webview(0)
        .getByPlaceholder(/^(Ask|Add)/)
        .waitFor();
      await openTree();

      await editor.runCommand("Plimsoll: Remember…");
      await editor.answerInput(/kept for later sessions/, FACT);
      await editor.pick("Project knowledge");
      await editor.answerInput(/What is it about/, "Deploys");
      await row("Deploys").waitFor();
      await write("Deploys", { 6: " 5", 7: " ci" });
      await row("Deploys").getByText("importance 5 · #ci").waitFor();
      await editor.screenshot("memory-properties");

      await editor.reload();
      // An editor that the window has kept open would take the focus from the chat.
      await editor.runCommand("View: Close All Editors");
      await editor
        .webview(0)
        .getByPlaceholder(/^(Ask|Add)/)
        .waitFor();
      await row("Deploys").waitFor();
      await editor.webview(0).locator("button.strip").click();
      await ask("Which branch do we deploy?", "From release.");
      await held().first().waitFor();
      await editor.screenshot("memory");

      await shows(/used 1 time/);
      await shows(/Asked: Which branch/);
      await act("Deploys", "Forget");
      await editor.toast(/Forgot “Deploys”/).waitFor();
      await row("Deploys").waitFor({ state: "detached" });
      await held().waitFor({ state: "detached" });

      // What was forgotten is not taken from the conversation again; what comes after it is.
      await ask(FACT, "Understood.");
      await ask(ASKED, "I will.");
      await row("Reviews are due").waitFor();
      assert.equal(await row("deploy from the branch").count(), 0);

      await ask("Please read the notes.", "Noted.");
      await row("Staging host").waitFor();
      await editor.screenshot("inbox");
      await shows(/Please read the notes/);
      await act("Staging host", "Accept");
      await row("References").waitFor();
      await row("Inbox").waitFor({ state: "detached" });
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
