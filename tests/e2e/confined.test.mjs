// A command of the agent: its card says what it is kept from; where all of it is confined, it is
// offered to ask no more, and then nobody is asked.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { say, withEditor } from "./rig.mjs";

const ALLOWED = 3;
const LATER = [..."defgh"];
const run = (command) => ({ calls: [{ name: "shell", arguments: { command } }] });
const script = {
  rules: [
    {
      when: "make them",
      steps: [...[..."abc"].map((name) => run(`touch ${name}`)), { text: ["All made."] }],
    },
    ...LATER.map((name) => ({
      when: `make ${name} too`,
      steps: [run(`touch ${name}`), { text: [`${name} is made.`] }],
    })),
  ],
};

test("a card says what its command is kept from, and confined ones may run unasked", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-confined-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_DATA_DIR: path.join(home, "data"),
  };
  try {
    await withEditor({ name: "confined", workspace, env }, async (_page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview(0);
      // The server need not have started yet.
      await say(chat, "Please make them.");
      const line = chat.locator(".question .confinement");
      await line.waitFor();
      assert.match(await line.innerText(), /^(partly )?sandboxed|^no sandbox/);
      const coverage = await line.getAttribute("data-coverage");
      await editor.screenshot("confined");
      for (let count = 0; count < ALLOWED; count += 1) {
        await chat.locator(".question", { hasText: `touch ${"abc"[count]}` }).waitFor();
        await chat.getByRole("button", { name: "Allow", exact: true }).click();
      }
      await chat.getByText("All made.").waitFor();
      if (coverage === "full") await takeOffer(editor, chat);
      else process.stdout.write(`left out: the offer, since coverage is ${coverage} here\n`);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

async function takeOffer(editor, chat) {
  const toast = editor.toast(/Run such commands without asking/);
  await toast.waitFor();
  await editor.screenshot("confined-offer");
  await toast.getByRole("button", { name: "Run confined commands without asking" }).click();
  await toast.waitFor({ state: "detached" });
  // The setting reaches the server a moment later: until then it asks.
  for (const name of LATER) {
    await say(chat, `Please make ${name} too.`);
    const end = chat.getByText(`${name} is made.`);
    const question = chat.locator(".question");
    await end.or(question).first().waitFor();
    if ((await question.count()) === 0) return;
    await chat.getByRole("button", { name: "Allow", exact: true }).click();
    await end.waitFor();
  }
  assert.fail("it still asks");
}
