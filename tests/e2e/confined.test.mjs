// A command of the agent: its card says what it is kept from; where all of it is confined, it can be
// allowed for good and taken back, and it is offered to ask no more, and then nobody is asked.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { leaveOut, say, withEditor } from "./rig.mjs";

const ALLOWED = 3;
const LATER = [..."defgh"];
const run = (command) => ({ calls: [{ name: "shell", arguments: { command } }] });
const BUILDS = ["first", "second", "third"];
const script = {
  rules: [
    ...BUILDS.map((name) => ({
      when: `${name} build`,
      steps: [run("make build"), { text: [`The ${name} build is done.`] }],
    })),
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
  await writeFile(path.join(workspace, "Makefile"), "build:\n\ttouch built\n");
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_DATA_DIR: path.join(home, "data"),
  };
  try {
    await withEditor({ name: "confined", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview(0);
      // The server need not have started yet.
      await say(chat, "Please do the first build.");
      const line = chat.locator(".question .confinement");
      await line.waitFor();
      assert.match(await line.innerText(), /^(partly )?sandboxed|^no sandbox/);
      const coverage = await line.getAttribute("data-coverage");
      await editor.screenshot("confined");
      if (coverage === "full") await allowForGood(page, editor, chat);
      else await chat.getByRole("button", { name: "Allow", exact: true }).click();
      await say(chat, "Please make them.");
      for (let count = 0; count < ALLOWED; count += 1) {
        await chat.locator(".question", { hasText: `touch ${"abc"[count]}` }).waitFor();
        await chat.getByRole("button", { name: "Allow", exact: true }).click();
      }
      await chat.getByText("All made.").waitFor();
      if (coverage === "full") await takeOffer(editor, chat);
      else leaveOut(`this machine: its sandbox is ${coverage}`);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

/** By the keyboard alone: allowed for good, run unasked, taken back, asked about again. */
async function allowForGood(page, editor, chat) {
  const question = chat.locator(".question", { hasText: "make build" });
  await question.locator(".more summary").press("Enter");
  const always = question.getByRole("button", { name: /^Always allow make build in this/ });
  await always.waitFor();
  await editor.screenshot("permission-offered");
  await always.press("Enter");
  await chat.getByText("The first build is done.").waitFor();
  await say(chat, "Please do the second build.");
  await chat.getByText("The second build is done.").waitFor();
  await editor.listed("Plimsoll: Show Permissions", "make build");
  await editor.screenshot("permissions");
  await page.keyboard.press("Enter");
  await editor.row("make build").waitFor({ state: "hidden" });
  await editor.closeQuickOpen();
  await say(chat, "Please do the third build.");
  await question.waitFor();
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await chat.getByText("The third build is done.").waitFor();
}

async function takeOffer(editor, chat) {
  const offer = await editor.notification(/Run such commands without asking/);
  await offer.waitFor();
  await editor.screenshot("confined-offer");
  await offer.getByRole("button", { name: "Run sandboxed commands without asking" }).click();
  await offer.waitFor({ state: "detached" });
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
