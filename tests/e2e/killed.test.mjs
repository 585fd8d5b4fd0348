// The server is killed at random moments of a turn: the composer is usable each time, nothing said is missing.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { withEditor } from "./rig.mjs";

/** As many as CI has the time for; 20 by hand: PLIMSOLL_KILLS=20. */
const KILLS = Number(process.env.PLIMSOLL_KILLS ?? 3);
const LONGEST_MS = 2500;
const WORDS = 12;
const WORD_MS = 60;
/** After so many crashes in three minutes the next start opens a new session: a person starts it before. */
const RESUMED = 3;

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const call = (name, values) => ({
  tool_calls: [
    {
      index: 0,
      id: `call_${name}`,
      type: "function",
      function: { name, arguments: JSON.stringify(values) },
    },
  ],
});
const CALLS = [
  call("file_read", { path: "ledger.py" }),
  call("file_write", { path: "note.md", content: "kept\n" }),
];

/** The newest round that somebody asked for, and how often a tool has answered since. */
function placeOf({ messages }) {
  const texts = messages.map(({ role, content }) =>
    role === "user" ? JSON.stringify(content) : "",
  );
  const at = texts.findLastIndex((text) => /round \d+/.test(text));
  const round = /round (\d+)/.exec(texts[at] ?? "")?.[1];
  return { round, step: messages.slice(at + 1).filter(({ role }) => role === "tool").length };
}

/** A model on loopback that streams slowly, reads a file, and asks to write one. */
async function slowModel() {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { round, step } = placeOf(JSON.parse(body || '{"messages": []}'));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (delta, finish_reason = null) =>
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    for (let word = 0; word < WORDS && !response.destroyed; word += 1) {
      say({ content: `r${round}s${step}w${word} ` });
      await delay(WORD_MS);
    }
    const next = round === "0" ? undefined : CALLS[step];
    if (next) say(next);
    say({}, next ? "tool_calls" : "stop");
    response.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${server.address().port}/v1` };
}

/** The process that serves this editor: its environment carries the mark. */
async function serverPid(mark) {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
    const words = (await read("cmdline")).split("\0");
    if (words.includes("serve") && (await read("environ")).includes(mark)) return Number(pid);
  }
  throw new Error("No server of this editor runs.");
}

const shown = (chat) => chat.locator(".transcript").innerText();
const words = (text) => text.match(/r\d+s\d+w\d+/g) ?? [];
/** The rounds in the order in which they stand on the screen. */
const places = (text) =>
  [...text.matchAll(/r(\d+)s\d+w\d+|round (\d+)\./g)].map((one) => Number(one[1] ?? one[2]));
const missing = (before, after) => {
  const there = new Set(after);
  return before.filter((one) => !there.has(one));
};

async function ask(chat, text) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await field.fill(text);
  await chat
    .getByRole("button", { name: "Send", exact: true })
    .and(chat.locator(":enabled"))
    .waitFor();
  await field.press("Enter");
  await chat.locator("[data-kind=user]").getByText(text, { exact: true }).waitFor();
}

/** Kills it, and answers how long the composer was not usable. */
async function killed(chat, mark) {
  const before = await shown(chat);
  process.kill(await serverPid(mark), "SIGKILL");
  const began = Date.now();
  await chat.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await field.fill("still mine");
  await chat
    .getByRole("button", { name: "Send", exact: true })
    .and(chat.locator(":enabled"))
    .waitFor();
  const usable = Date.now() - began;
  assert.equal(await field.inputValue(), "still mine");
  return { before, usable };
}

async function rounds(editor, chat, { mark, next, tell }) {
  for (let round = 1; round <= KILLS; round += 1) {
    await ask(chat, `This is round ${round}.`);
    await delay(next() * LONGEST_MS);
    const { before, usable } = await killed(chat, mark);
    tell(`round ${round}: killed after ${words(before).at(-1)}, usable after ${usable} ms`);
    const after = await shown(chat);
    assert.deepEqual(missing(words(before), words(after)), [], `words of round ${round}`);
    assert.deepEqual(
      places(after),
      places(after).toSorted((one, other) => one - other),
      after,
    );
    const prompts = after.match(/This is round \d+\./g) ?? [];
    const said = Array.from({ length: round + 1 }, (_, n) => `This is round ${n}.`);
    assert.deepEqual(prompts, said, `prompts after round ${round}`);
    if (round % RESUMED === 0) {
      await editor.runCommand("Plimsoll: Restart Server");
      await chat
        .getByRole("button", { name: "Send", exact: true })
        .and(chat.locator(":disabled"))
        .waitFor();
    }
  }
}

test("killed at random moments of a turn", async (context) => {
  const seed = Number(process.env.PLIMSOLL_SEED ?? Date.now() % 100_000);
  const workspace = await mkdtemp(path.join(tmpdir(), "plimsoll-killed-"));
  await writeFile(path.join(workspace, "ledger.py"), "LIMIT = 8\n");
  const { server, url } = await slowModel();
  const mark = `PLIMSOLL_TEST_MARK=${workspace}`;
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "openai",
    PLIMSOLL_MODEL__NAME: "slow",
    PLIMSOLL_MODEL__BASE_URL: url,
    PLIMSOLL_MODEL__CONTEXT_WINDOW: "64000",
    PLIMSOLL_TEST_MARK: workspace,
  };
  context.diagnostic(`seed ${seed}: PLIMSOLL_SEED=${seed} plays it again`);
  try {
    await withEditor({ name: "killed", workspace, env }, async (_page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview();
      await ask(chat, "This is round 0.");
      await chat.getByText(`r0s0w${WORDS - 1}`).waitFor();
      const tell = (text) => context.diagnostic(text);
      await rounds(editor, chat, { mark, next: random(seed), tell });
      await editor.screenshot("killed");
      assert.deepEqual(editor.left, []);
    });
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(workspace, { recursive: true, force: true });
  }
});
