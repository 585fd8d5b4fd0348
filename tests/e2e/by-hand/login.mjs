// node --test tests/e2e/by-hand/login.mjs
// A person adds an MCP server at an address, logs in at it in the browser, and its tool is called: artefacts/login-*.png.
// By hand, since the login comes back to a fixed port, which another run may have.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { repository, say, withEditor } from "../rig.mjs";

const PYTHON = path.join(repository, ".venv", "bin", "python");
/** A server with an authorization server beside it, which says its address and lives as long as its input. */
const SERVER = `
import asyncio, sys
from tools.mcp.remote import Authorization, remote

async def main():
    async with remote(Authorization()) as address:
        print(address, flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
`;
const add = { name: "mcp__far__add", arguments: { a: 2, b: 3 } };
const script = {
  rules: [
    {
      when: "Add them",
      steps: [{ calls: [{ name: "call_tool", arguments: add }] }, { text: ["Added."] }],
    },
  ],
};

async function addServer(editor, address) {
  await editor.runCommand("Plimsoll: Add MCP Server…");
  await editor.pick("An address…");
  await editor.answerInput(/By streamable HTTP/, address);
  await editor.answerInput(/its name/, "far");
  await editor.dialog.getByText(address).waitFor();
  await editor.screenshot("login-add");
  await editor.dialog.getByRole("button", { name: "Add" }).click();
  await editor.dialog.getByRole("button", { name: "Start" }).click();
}

/** Opens the page of the login from the notification; VS Code asks about websites, not about this machine. */
async function logIn(page, editor, hold) {
  await editor.runCommand("Plimsoll: Show Context");
  const row = hold.locator(".server", { hasText: "far" });
  await row.getByText("wants a login", { exact: true }).waitFor();
  await editor.screenshot("login-wanted");
  const opened = page.context().waitForEvent("page");
  await row.getByRole("button", { name: "log in far" }).waitFor();
  await editor.toast("wants a login").getByRole("button", { name: "Log In" }).click();
  const browser = await opened;
  await browser.getByText("You are logged in.").waitFor();
  await browser.screenshot({ path: path.join(repository, "tests/e2e/artefacts/login-page.png") });
  await browser.close();
  await row.getByText("running · 2 tools").waitFor();
  await editor.screenshot("login-done");
}

test("a server at an address is logged in at through the browser", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-login-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  const server = spawn(PYTHON, ["-c", SERVER], {
    env: { ...process.env, PYTHONPATH: path.join(repository, "tests") },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
  };
  try {
    const [address] = await once(server.stdout, "data");
    await withEditor({ name: "login", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview(0);
      await chat.getByPlaceholder(/^(Ask|Add)/).waitFor();
      await addServer(editor, String(address).trim());
      await logIn(page, editor, editor.webview(1));
      await say(chat, "Add them.");
      await chat.getByRole("button", { name: "Allow", exact: true }).click();
      await chat.getByText("Added.").waitFor();
      const card = chat.locator(".tool[data-state=completed]").last();
      assert.match(await card.innerText(), /far:\s+add/);
      await editor.screenshot("login-called");
    });
  } finally {
    server.stdin.end();
    await rm(home, { recursive: true, force: true });
  }
});
