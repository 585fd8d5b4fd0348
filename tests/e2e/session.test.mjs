// A person's day in a real VS Code: ask, watch, compact, undo, close, open again, carry on.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { helpersFor } from "./parts/helpers.mjs";
import { say, withEditor } from "./rig.mjs";

const QUESTION = "Where does the ledger add its entries?";
const FIRST = "The sum is built";
const SECOND = "in `total` at `ledger.py:2`.";
const CODE = `

- [x] the note
- [ ] its test

\`\`\`python
def noted(text):  # once
    return text == "kept\\n" and 3 > 2
\`\`\`

\`\`\`diff
@@ -1,2 +1,2 @@
 first
-lost
+kept
\`\`\`
`;
// Large enough that a summary of it is shorter.
const LEDGER = ["def total(entries):", "    return sum(entry.amount for entry in entries)"]
  .concat(Array.from({ length: 120 }, (_, n) => `ACCOUNT_${n} = ("account", ${n}, "open")`))
  .join("\n");

const script = {
  rules: [
    {
      when: "ledger add",
      steps: [
        { calls: [{ name: "file_read", arguments: { path: "ledger.py" } }] },
        { text: [`${FIRST} `, { gate: "second" }, SECOND] },
      ],
    },
    {
      when: "write a note",
      steps: [
        { calls: [{ name: "file_write", arguments: { path: "note.md", content: "kept\n" } }] },
        { text: ["The note is written.", CODE] },
      ],
    },
  ],
};

const besides = {
  rules: [
    {
      when: "^Keep it",
      steps: [
        {
          text: ["I keep it. ", { gate: "asks" }],
          calls: [{ name: "file_write", arguments: { path: "kept.md", content: "kept\n" } }],
        },
        { text: "It is kept." },
      ],
    },
    { when: "^Take your time", steps: [{ text: ["I begin, ", { gate: "ends" }, "and I end."] }] },
    {
      when: "^Delegate",
      steps: [
        {
          calls: [
            {
              name: "subagent",
              arguments: { description: "who adds up the ledger", prompt: "LOOK who adds it up." },
            },
          ],
        },
        { text: "The first line does." },
      ],
    },
    {
      when: "LOOK",
      steps: [
        { calls: [{ name: "file_read", arguments: { path: "ledger.py" } }] },
        { text: ["It is ", { gate: "found" }, "`ledger.py:1`."] },
      ],
    },
  ],
};

async function folders(script) {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-session-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(workspace, "ledger.py"), LEDGER);
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  return { home, workspace };
}

const scripted = (home) => ({
  PLIMSOLL_MODEL__PROVIDER: "scripted",
  PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
  PLIMSOLL_MODEL__CONTEXT_WINDOW: "32000",
});

const percent = (text) => Number(/(\d+)\s*%/.exec(text)?.[1]);
const tokens = (text) => {
  const [, number, unit] = /·\s*([\d.]+)(k?)/.exec(text);
  return Number(number) * (unit ? 1000 : 1);
};

/** Waits until the load line no longer shows the text that it showed before. */
async function lighter(page, before) {
  await page.waitForFunction((text) => {
    const items = [...document.querySelectorAll(".statusbar-item")];
    return !items.some((item) => item.innerText.trim() === text);
  }, before);
}

/** What stands in the place of the field while another window writes; a screen reader has it too. */
const held = (chat) =>
  chat
    .getByRole("group", { name: "Read only" })
    .getByText(/Another window is using this session: .*, process \d+, since .*\./);

/** The same folder in a second window: it reads along, takes over, and is taken over again. */
async function secondWindow(page, editor, chat) {
  const other = await page.context().newPage();
  await other.goto(editor.url);
  const window = helpersFor(other);
  await window.statusText(/\d+\s*% ·/);
  await window.openView("Plimsoll");
  const copy = window.webview();
  await held(copy).waitFor();
  assert.equal(await copy.getByPlaceholder(/^(Ask|Add)/).isVisible(), false);

  await page.bringToFront();
  await say(chat, "Is anybody reading along?");
  await other.bringToFront();
  await copy.getByText("Is anybody reading along?").first().waitFor();
  await window.screenshot("second-window");
  await copy.getByRole("button", { name: "Take over" }).click();
  await copy.getByPlaceholder(/^(Ask|Add)/).waitFor();

  await page.bringToFront();
  await held(chat).waitFor();
  await chat.getByRole("button", { name: "Take over" }).click();
  await chat.getByPlaceholder(/^(Ask|Add)/).waitFor();
  await other.close();
}

/** A session is found by what was said in it, and gets another title where it is listed. */
async function finds(page, editor) {
  await editor.listed("Plimsoll: Resume Session", "Where does the ledger");
  await page.keyboard.type("note is written");
  const found = editor.row(/Plimsoll:\sThe\snote\sis\swritten/);
  await found.waitFor();
  await editor.screenshot("session-found");
  await found.hover();
  await found.getByRole("button", { name: "Rename…" }).click();
  await editor.answerInput("The title in the list of sessions", "The ledger and its note");
  await editor.row("The ledger and its note").waitFor();
  await editor.screenshot("session-renamed");
  await page.keyboard.press("Escape");
  await page.locator(".pane-header", { hasText: "The ledger and its note" }).waitFor();
}

test("ask, compact, undo, reload and resume", async () => {
  const { home, workspace } = await folders(script);
  const env = scripted(home);
  try {
    await withEditor({ name: "session", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview();
      const answer = chat.locator("[data-kind=answer]").last();

      // The server need not have started yet: the message goes once it has.
      await say(chat, QUESTION);
      await answer.getByText(FIRST).waitFor();
      assert.ok(!(await answer.innerText()).includes("ledger.py:2"), "the answer streams");
      await writeFile(path.join(home, "second"), "");
      await answer.getByText("ledger.py:2").waitFor();
      await chat.locator("[data-kind=tool]").getByText("ledger.py").first().waitFor();

      // The meter stands when the turn has ended.
      await chat.getByRole("button", { name: "Send" }).waitFor();
      const before = await editor.statusText(/\d+\s*% ·/);
      assert.ok(percent(before) > 0, before);
      await editor.screenshot("chat");

      await editor.runCommand("Plimsoll: Compact");
      const receipt = chat.locator("[data-kind=receipt]").last();
      await receipt.getByText(/tokens freed/).waitFor();
      await lighter(page, before);
      const compacted = await editor.statusText(/\d+\s*% ·/);
      assert.ok(tokens(compacted) < tokens(before), `${compacted} after ${before}`);
      await editor.screenshot("receipt");

      await receipt.getByRole("button", { name: "Undo" }).click();
      await receipt.getByText(/^Undone/).waitFor();
      await editor.statusText(new RegExp(before.replace(/[^\d%k.· ]/g, "").trim()));

      await editor.reload();
      // The palette lists what was there when it was opened: the extension comes first.
      await editor.statusText(/\d+\s*% ·/);
      await editor.runCommand("Plimsoll: Focus Chat");
      const again = editor.webview();
      await again.getByText(QUESTION).first().waitFor();
      await again.locator("[data-kind=answer]").last().getByText("ledger.py:2").waitFor();
      assert.equal(tokens(await editor.statusText(/\d+\s*% ·/)), tokens(before));

      await say(again, "Please write a note.");
      await again.getByRole("button", { name: "Allow", exact: true }).click();
      await again.getByText("The note is written.").waitFor();
      assert.equal(await readFile(path.join(workspace, "note.md"), "utf8"), "kept\n");
      await editor.screenshot("resumed");

      await finds(page, editor);
      await secondWindow(page, editor, again);
      const code = again.locator(".code");
      await code.first().locator(".hljs-keyword", { hasText: "def" }).waitFor();
      await code.first().getByRole("button", { name: "New File" }).press("Enter");
      const written = page.locator(".monaco-editor .view-lines").last();
      await written.getByText("def noted").waitFor();
      await page.keyboard.press("Control+End");
      await code.last().getByRole("button", { name: "Insert at Cursor" }).click();
      await written.getByText("+kept").waitFor();
      await editor.screenshot("code");

      await page.keyboard.press("Control+Shift+Alt+J");
      await page.locator(".tabs-container .tab.active", { hasText: "note.md" }).waitFor();
      await page.keyboard.press("Control+Shift+Alt+P");
      await again.locator("textarea:focus").waitFor();
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

/** A question and an end in the background come as notifications, and each leads to its session. */
async function notified(editor, chat, home) {
  await say(chat, "Keep it in a file.");
  await chat.getByText("I keep it.").waitFor();
  await editor.runCommand("Plimsoll: New Session");
  await chat.getByText("I keep it.").waitFor({ state: "hidden" });
  await say(chat, "Take your time.");
  await chat.getByText("I begin,").waitFor();

  await writeFile(path.join(home, "asks"), "");
  const asks = editor.toast(/“Keep it in a file\.” asks: .*kept\.md/);
  await asks.waitFor();
  await editor.screenshot("another-session-asks");
  assert.ok(await chat.getByText("I begin,").isVisible());
  await asks.getByRole("button", { name: "Open" }).click();
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await chat.getByText("It is kept.").waitFor();

  await writeFile(path.join(home, "ends"), "");
  await editor.toast("“Take your time.” is done.").waitFor();
  await editor.listed("Plimsoll: Resume Session", /unread/);
  await editor.screenshot("sessions-unread");
  await editor.closeQuickOpen();
  const done = await editor.notification("“Take your time.” is done.");
  await done.getByRole("button", { name: "Open" }).click();
  await chat.getByText("and I end.").waitFor();
}

/** The card of a subagent leads to its session, and that one back; the list leads there too. */
async function lookedInto(editor, chat, home) {
  await say(chat, "Delegate it.");
  const card = chat.locator("[data-tool=subagent]");
  await card.getByText(/explore agent · .*ledger\.py/).waitFor();
  await editor.screenshot("subagent-works");
  await card.getByRole("button", { name: "Open session" }).click();
  await chat.getByText("Session of an explore agent").waitFor();
  await writeFile(path.join(home, "found"), "");
  await chat.getByText("ledger.py:1").waitFor();
  await editor.screenshot("subagent-session");
  await chat.getByRole("button", { name: "Back to caller" }).click();
  await chat.getByText("The first line does.").waitFor();

  await editor.listed("Plimsoll: Resume Session", /open now/);
  const row = editor.row(/open now/);
  await row.hover();
  await row.getByRole("button", { name: /^Subagents/ }).click();
  await editor.row(/explore agent/).waitFor();
  await editor.screenshot("subagents-listed");
}

test("two sessions work side by side, and a subagent is looked into", async () => {
  const { home, workspace } = await folders(besides);
  const options = { name: "besides", workspace, env: scripted(home) };
  try {
    await withEditor(options, async (_page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview();
      await notified(editor, chat, home);
      await lookedInto(editor, chat, home);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
