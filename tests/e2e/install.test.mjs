// The README's install line for the editor, typed in the terminal of a VS Code that lacks the extension.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { repository, say, terminalCli, withEditor } from "./rig.mjs";

/** A shell of its own, in the checkout, drawn as text. */
const TERMINAL = {
  "terminal.integrated.gpuAcceleration": "off",
  "terminal.integrated.defaultProfile.linux": "bash",
  "terminal.integrated.cwd": repository,
};

/** What VS Code itself asks as it installs: whether its gallery knows the extension. */
const OWN = /^POST https:\/\/open-vsx\.org\/vscode\/gallery\/extensionquery$/;

async function installLine() {
  const readme = await readFile(path.join(repository, "README.md"), "utf8");
  const line = /^code --install-extension \S+/m.exec(readme);
  assert.ok(line, "the README shows how the extension is installed");
  return line[0];
}

/** The folder of the editor's own command line tool, by the name that the README uses. */
async function programs(home) {
  const bin = path.join(home, "bin");
  await mkdir(bin);
  await symlink(terminalCli, path.join(bin, "code"));
  return bin;
}

async function enter(page, line) {
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
}

test("the README's line installs the extension, and it answers with the server that it carries", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-install-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(workspace, "budget.py"), "LIMIT = 8\n");
  const line = await installLine();
  const bin = await programs(home);
  const env = {
    // A Python of the kind that the bundle was built for.
    PATH: [path.join(repository, ".venv", "bin"), process.env.PATH].join(path.delimiter),
    NODE_EXEC_PATH: process.execPath,
    PLIMSOLL_DATA_DIR: path.join(home, "data"),
  };
  const machineSettings = { "plimsoll.server.interpreter": "" };
  const options = { name: "install", workspace, vsix: null, settings: TERMINAL, machineSettings };
  try {
    await withEditor({ ...options, env }, async (page, editor) => {
      const mark = page.locator(".activitybar").getByRole("tab", { name: "Plimsoll" });
      await editor.runCommand("Terminal: Create New Terminal");
      const rows = page.locator(".xterm-rows");
      await rows.getByText(/[#$]/).first().waitFor();
      assert.equal(await mark.count(), 0);
      // Set here: a shell's own start may set it anew.
      await enter(page, `PATH=${bin}:$PATH`);
      await enter(page, line);
      await mark.waitFor();
      await rows.getByText("was successfully installed").first().waitFor();
      await editor.screenshot("install-line");

      await editor.openView("Plimsoll");
      const chat = editor.webview();
      await say(chat, "Where is the limit?");
      await chat.locator("[data-kind=answer]").getByText("budget.py:1").first().waitFor();
      await editor.screenshot("install-answered");
      assert.deepEqual(
        editor.left.filter((request) => !OWN.test(request)),
        [],
      );
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
