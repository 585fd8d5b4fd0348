// One session through four doors: begun over ACP, an edit approved in VS Code, compacted in the terminal, undone in a browser.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { findBrowser, repository, say, withEditor } from "../rig.mjs";

const program = path.join(repository, ".venv", "bin", "plimsoll");
const BOOK = Array.from({ length: 300 }, (_, n) => `Berth ${n}: a ship of ${n} tons.`).join("\n");
const read = { name: "file_read", arguments: { path: "book.txt" } };
const raise = {
  name: "file_edit",
  arguments: { path: "limits.py", old_string: "LIMIT = 5", new_string: "LIMIT = 9" },
};
const script = {
  rules: [
    { when: "read the book", steps: [{ calls: [read] }, { text: ["It is read."] }] },
    { when: "raise the limit", steps: [{ calls: [raise] }, { text: ["It is raised."] }] },
  ],
};

/** A client of ACP over the pipes of `plimsoll acp`: it allows nothing, since it is asked nothing. */
async function overAcp(folder, env, body) {
  const agent = spawn(program, ["acp"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const updates = [];
  const waiting = new Map();
  let heard = () => {};
  createInterface({ input: agent.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === "session/update") {
      updates.push(message.params.update);
      heard();
    } else waiting.get(message.id)?.(message);
  });
  const call = async (method, params) => {
    const id = waiting.size + 1;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { result, error } = await answer;
    assert.equal(error, undefined, JSON.stringify(error));
    return result;
  };
  /** The newest update of a kind, once there is one. */
  const newest = async (kind) => {
    const find = () => updates.findLast((each) => each.sessionUpdate === kind);
    while (find() === undefined) await new Promise((resolve) => (heard = resolve));
    return find();
  };
  try {
    await call("initialize", { protocolVersion: 1, clientCapabilities: {} });
    return await body({ call, newest, updates, opening: { cwd: folder, mcpServers: [] } });
  } finally {
    const ended = new Promise((resolve) => agent.on("exit", resolve));
    agent.stdin.end();
    await ended;
  }
}

const begin = (folder, env) =>
  overAcp(folder, env, async ({ call, opening }) => {
    const { sessionId } = await call("session/new", opening);
    const prompt = [{ type: "text", text: "Please read the book." }];
    const { stopReason } = await call("session/prompt", { sessionId, prompt });
    assert.equal(stopReason, "end_turn");
    return sessionId;
  });

const approve = (folder, env) =>
  withEditor({ name: "doors", workspace: folder, env }, async (_page, editor) => {
    await editor.openView("Plimsoll");
    const chat = editor.webview(0);
    await chat.getByText("It is read.").waitFor();
    await say(chat, "Please raise the limit.");
    const question = chat.locator(".question");
    await question.getByText("Edit limits.py").waitFor();
    await question.getByRole("button", { name: "Allow", exact: true }).click();
    await chat.getByText("It is raised.").waitFor();
    await chat.getByRole("button", { name: "Send" }).waitFor();
    await editor.screenshot("doors");
  });

/** The context as the terminal has it, and its items. */
async function reported(folder, env, session) {
  const asked = ["report", "--json", "--detail", "--workspace", folder, "--session", session];
  const { stdout } = await promisify(execFile)(program, asked, { env });
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

async function undoInBrowser(folder, env, session) {
  const serving = spawn(program, ["view", "--workspace", folder, "--session", session], { env });
  const [line] = await new Promise((resolve) =>
    createInterface({ input: serving.stdout }).on("line", (text) => {
      const found = /http:\/\/127\.0\.0\.1:\S+/.exec(text);
      if (found !== null) resolve(found);
    }),
  );
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(line);
    await page.getByRole("button", { name: "Undo", exact: true }).first().click();
    await page
      .getByText(/undone/i)
      .first()
      .waitFor();
    return await page.locator("body").innerText();
  } finally {
    await browser.close();
    const ended = new Promise((resolve) => serving.on("exit", resolve));
    serving.kill("SIGINT");
    await ended;
  }
}

/** The session as a client of ACP gets it: what was said and done, and the load of its context. */
const replayed = (folder, env, sessionId) =>
  overAcp(folder, env, async ({ call, newest, updates, opening }) => {
    await call("session/load", { ...opening, sessionId });
    const usage = await newest("usage_update");
    const calls = updates.filter((each) => each.sessionUpdate === "tool_call");
    const said = updates.filter((each) => each.sessionUpdate === "user_message_chunk");
    return { used: usage.used, calls, said: said.map((each) => each.content.text) };
  });

test("one session goes through four doors, and each has the same log and ledger", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-doors-"));
  const folder = path.join(home, "harbour");
  const own = {
    XDG_DATA_HOME: path.join(home, "data"),
    XDG_CONFIG_HOME: path.join(home, "config"),
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_MEMORY__EXTRACTION: "phrases",
  };
  const env = { ...process.env, ...own };
  try {
    await mkdir(folder);
    await writeFile(path.join(folder, "book.txt"), BOOK);
    await writeFile(path.join(folder, "limits.py"), "LIMIT = 5\n");
    await writeFile(path.join(home, "script.json"), JSON.stringify(script));

    const session = await begin(folder, env);
    const begun = await reported(folder, env, session);
    assert.equal((await replayed(folder, env, session)).used, begun.meter.used);

    await approve(folder, own);
    assert.equal(await readFile(path.join(folder, "limits.py"), "utf8"), "LIMIT = 9\n");

    const run = ["run", "--workspace", folder, "--session", session, "/compact"];
    await promisify(execFile)(program, run, { env });
    const compacted = await reported(folder, env, session);
    assert.ok(compacted.receipts.some((receipt) => !receipt.undone));
    assert.equal((await replayed(folder, env, session)).used, compacted.meter.used);

    const shown = await undoInBrowser(folder, env, session);
    const undone = await reported(folder, env, session);
    assert.ok(undone.receipts.every((receipt) => receipt.undone));
    assert.ok(undone.meter.used > compacted.meter.used);
    assert.ok(shown.includes(`${(undone.meter.used / 1000).toFixed(1)}k of `), shown);
    const items = [...shown.matchAll(/^([\d,]+)\ntokens$/gm)];
    const sum = items.reduce((tokens, [, each]) => tokens + Number(each.replace(",", "")), 0);
    assert.equal(sum, undone.meter.used, shown);

    const last = await replayed(folder, env, session);
    assert.equal(last.used, undone.meter.used);
    assert.deepEqual(last.said, ["Please read the book.", "Please raise the limit."]);
    assert.deepEqual(
      last.calls.map((call) => call.kind),
      ["read", "edit"],
    );
    const diff = last.calls[1].content.find((each) => each.type === "diff");
    assert.deepEqual([diff.oldText, diff.newText], ["LIMIT = 5", "LIMIT = 9"]);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
