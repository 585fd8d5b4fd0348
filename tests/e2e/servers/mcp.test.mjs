// Servers of tools in a real VS Code: one is added on a person's word, listed, called, allowed and switched
// off; others come by a terminal and show a picture, their progress, a prompt and a resource, and fail.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { leaveOut, repository, say, withEditor } from "../rig.mjs";

const PYTHON = path.join(repository, ".venv", "bin", "python");
const SCRIPTED = path.join(repository, "tests", "tools", "mcp", "scripted.py");
/** Of npm, fetched by scripts/test. */
const FROM_NPM = path.join(repository, "build", "servers", "mcp_node", "node_modules");
const EVERYTHING = path.join(
  FROM_NPM,
  "@modelcontextprotocol",
  "server-everything",
  "dist",
  "index.js",
);

const uses = (server, tool, given = {}) => ({
  calls: [{ name: "call_tool", arguments: { name: `mcp__${server}__${tool}`, arguments: given } }],
});
const given = { source_timezone: "UTC", time: "12:00", target_timezone: "Asia/Kolkata" };
const script = {
  rules: [
    {
      when: "When is noon",
      steps: [
        {
          calls: [{ name: "find_tools", arguments: { query: "convert a time between timezones" } }],
        },
        uses("time", "convert_time", given),
        { text: ["At half past five in the afternoon."] },
      ],
    },
    {
      when: "Show the logo",
      steps: [uses("everything", "get-tiny-image"), { text: ["There it is."] }],
    },
    {
      when: "Work for long",
      steps: [
        uses("everything", "trigger-long-running-operation", { duration: 300, steps: 600 }),
        { text: ["Worked."] },
      ],
    },
    {
      when: "Burn it",
      steps: [uses("junk", "die", { key: "none" }), { text: ["It is gone."] }],
    },
    {
      when: "Find what is silent",
      steps: [
        { calls: [{ name: "find_tools", arguments: { query: "anything silent" } }] },
        { text: ["It says nothing."] },
      ],
    },
    { when: "weather in Ulm", steps: [{ text: ["It rains in Ulm."] }] },
    { when: "What is written", steps: [{ text: ["How it is built."] }] },
  ],
};

async function folders() {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-mcp-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  return { home, workspace, config: path.join(home, "config", "plimsoll", "config.toml") };
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

/** Asks for a turn in which a tool is called, and allows the call. */
async function allow(chat, prompt, tool) {
  await say(chat, prompt);
  await chat.locator(".question").getByText(tool).first().waitFor();
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
}

async function callTool(editor, chat) {
  await say(chat, "When is noon of UTC in Kolkata?");
  await chat.locator(".question").getByText("convert_time").first().waitFor();
  await editor.screenshot("mcp-ask");
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await chat.getByText("At half past five in the afternoon.").waitFor();
}

async function switchOff(page, editor, hold) {
  await editor.runCommand("Plimsoll: Show Context");
  const row = hold.locator(".server", { hasText: "time" });
  await hold.getByText("1 MCP server").click();
  await row.getByText("running · 2 tools").waitFor();
  await editor.screenshot("mcp-context");
  await row.getByRole("button", { name: "tools time" }).click();
  await editor.row("get_current_time").locator("input[type=checkbox], .monaco-checkbox").click();
  await editor.screenshot("mcp-tools");
  // Enter would tick the row that has the focus once more.
  await page.locator(".quick-input-widget").getByRole("button", { name: "OK" }).click();
  await hold.getByText("running · 1 of 2 tools").waitFor();
}

/** A session that is loaded once more leaves the list open that a person has opened. */
async function goesBack(editor, chat, hold) {
  const prompt = chat.locator("[data-kind=user]").last();
  await prompt.hover();
  await prompt.getByRole("button", { name: "Go back to here" }).click();
  await editor.dialog.getByRole("button", { name: "Go back, keep files" }).click();
  await hold.getByText("call_tool").first().waitFor({ state: "detached" });
  await hold.getByText("running · 1 of 2 tools").waitFor();
}

/** Adds servers while the editor runs, by the command line and by hand; the next message finds them. */
async function addElsewhere(env, config) {
  const words = ["-m", "plimsoll", "mcp", "add", "everything", process.execPath, EVERYTHING];
  await promisify(execFile)(PYTHON, words, { env: { ...process.env, ...env } });
  await appendFile(config, odd("junk", "junk"));
}

/** The lines of a server that behaves as the word says. */
function odd(name, behaviour) {
  const [command, args] = [PYTHON, [SCRIPTED, behaviour]].map((each) => JSON.stringify(each));
  return `[mcp.${name}]\ncommand = ${command}\nargs = ${args}\n`;
}

async function showsPicture(editor, chat) {
  await allow(chat, "Show the logo.", "get-tiny-image");
  await chat.getByText("There it is.").waitFor();
  const picture = chat.locator(".tool-images img");
  await picture.waitFor();
  assert.ok(await picture.evaluate((image) => image.naturalWidth > 0));
  await editor.screenshot("mcp-picture");
}

async function isCancelled(editor, chat) {
  await allow(chat, "Work for long.", "trigger-long-running-operation");
  await chat.locator(".tool .output.live", { hasText: "of 600" }).waitFor();
  await editor.screenshot("mcp-progress");
  await chat.getByTitle("Stop (Escape)").click();
  await chat.getByRole("button", { name: "Send" }).waitFor();
  await chat.locator(".tool[data-state=failed] summary").last().click();
  await editor.screenshot("mcp-cancelled");
}

/** Its junk on standard output is passed over, until it ends in the middle of a call. */
async function crashes(editor, chat, hold) {
  await allow(chat, "Burn it.", "die");
  await chat.getByText("It is gone.").waitFor();
  const card = chat.locator(".tool[data-state=failed]").last();
  await card.locator("summary").click();
  await card.getByText("the disk is on fire").waitFor();
  await hold
    .locator(".server", { hasText: "junk" })
    .getByText(/ended by itself/)
    .waitFor();
  await editor.screenshot("mcp-crash");
}

async function sendsPrompt(editor, chat) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await field.pressSequentially("/everything:args");
  await chat.getByRole("option", { name: /everything:args-prompt/ }).waitFor();
  await editor.screenshot("mcp-prompt-offered");
  await field.press("Escape");
  await say(chat, "/everything:args-prompt city=Ulm");
  while ((await field.inputValue()) !== "What's weather in Ulm?") await field.focus();
  await editor.screenshot("mcp-prompt");
  await field.press("Enter");
  await chat.getByText("It rains in Ulm.").waitFor();
}

async function attachesResource(editor, chat) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await field.pressSequentially("What is written in @everything:arch");
  const offered = chat.getByRole("option", { name: /architecture\.md/ });
  await offered.waitFor();
  await editor.screenshot("mcp-resource-offered");
  await offered.click();
  await field.press("Enter");
  await chat.getByText("How it is built.").waitFor();
  await chat.locator("[data-kind=user] .chip", { hasText: "architecture.md" }).waitFor();
  await editor.screenshot("mcp-resource");
}

async function isSilent(editor, chat, hold, config) {
  await appendFile(config, odd("silent", "silent"));
  await say(chat, "Find what is silent.");
  await hold.locator(".server", { hasText: "silent" }).getByText("starting").waitFor();
  await chat.locator(".tool .output.live", { hasText: "starting silent" }).waitFor();
  await editor.screenshot("mcp-silent-starting");
  await chat.getByText("It says nothing.").waitFor();
  await hold.locator(".server", { hasText: "silent" }).getByText("failed").waitFor();
  await editor.screenshot("mcp-silent");
}

/** Those that are added while the editor runs: what a person sees of each. */
async function others(editor, env, config) {
  const [chat, hold] = [editor.webview(0), editor.webview(1)];
  await addElsewhere(env, config);
  await showsPicture(editor, chat);
  await isCancelled(editor, chat);
  await crashes(editor, chat, hold);
  await sendsPrompt(editor, chat);
  await attachesResource(editor, chat);
  await isSilent(editor, chat, hold, config);
}

test("servers are added, asked about, called and seen to fail", async () => {
  const { home, workspace, config } = await folders();
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
      await switchOff(page, editor, editor.webview(1));
      await goesBack(editor, chat, editor.webview(1));
      if (existsSync(EVERYTHING)) await others(editor, env, config);
      else leaveOut("no server-everything here: scripts/test fetches it");
    });
    const own = await readFile(config, "utf8");
    assert.match(own, /\[mcp\.time\]/);
    assert.match(own, /off_tools = \["get_current_time"\]/);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
