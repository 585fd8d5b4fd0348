// A server of tools that nobody here wrote, in a real VS Code: added on a person's word, listed, called and allowed.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { repository, say, withEditor } from "../rig.mjs";

const PYTHON = path.join(repository, ".venv", "bin", "python");
const TOOL = "mcp__time__convert_time";
const given = { source_timezone: "UTC", time: "12:00", target_timezone: "Asia/Kolkata" };
const script = {
  rules: [
    {
      when: "When is noon",
      steps: [
        {
          calls: [{ name: "find_tools", arguments: { query: "convert a time between timezones" } }],
        },
        { calls: [{ name: "call_tool", arguments: { name: TOOL, arguments: given } }] },
        { text: ["At half past five in the afternoon."] },
      ],
    },
  ],
};

async function folders() {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-mcp-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  return { home, workspace };
}

async function addServer(editor) {
  await editor.runCommand("Plimsoll: Add MCP Server…");
  await editor.pick("A program…");
  await editor.answerInput(/It runs in your home folder/, `${PYTHON} -m mcp_server_time`);
  await editor.answerInput(/its name/, "time");
  await editor.answerInput(/hands over your own/, "");
  await editor.dialog.getByText("mcp_server_time").waitFor();
  await editor.screenshot("mcp-add");
  await editor.dialog.getByRole("button", { name: "Add" }).click();
  await editor.dialog.getByRole("button", { name: "Start" }).click();
}

async function callTool(editor, chat) {
  await say(chat, "When is noon of UTC in Kolkata?");
  await chat.locator(".question").getByText("convert_time").first().waitFor();
  await editor.screenshot("mcp-ask");
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await chat.getByText("At half past five in the afternoon.").waitFor();
}

async function switchOff(editor, hold) {
  await editor.runCommand("Plimsoll: Show Context");
  const row = hold.locator(".server", { hasText: "time" });
  await hold.getByText("1 MCP server").click();
  await row.getByText("running · 2 tools").waitFor();
  await editor.screenshot("mcp-context");
  await row.getByRole("button", { name: "tools time" }).click();
  await editor.row("get_current_time").locator("input[type=checkbox], .monaco-checkbox").click();
  await editor.screenshot("mcp-tools");
}

test("a server is added on a person's word, its tool asked about and called", async () => {
  const { home, workspace } = await folders();
  const env = {
    XDG_CONFIG_HOME: path.join(home, "config"),
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
  };
  try {
    await withEditor({ name: "mcp", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview(0);
      await chat.getByPlaceholder(/^(Ask|Add)/).waitFor();
      await addServer(editor);
      await callTool(editor, chat);
      await switchOff(editor, editor.webview(1));
      // Enter would tick the row that has the focus once more.
      await page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click();
      await editor.webview(1).getByText("running · 1 of 2 tools").waitFor();
    });
    const own = await readFile(path.join(home, "config", "plimsoll", "config.toml"), "utf8");
    assert.match(own, /\[mcp\.time\]/);
    assert.match(own, /off_tools = \["get_current_time"\]/);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
