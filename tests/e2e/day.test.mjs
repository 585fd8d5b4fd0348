// A day's work: a plan is edited and accepted, three agents explore, edits are asked about, what the
// editor finds wrong comes back, the context is compacted twice and the window opened anew.
import assert from "node:assert/strict";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { say, withEditor } from "./rig.mjs";

const PIN = "Every new function carries #qa.";
const RULE = "Never push to the remote.";
const ADDED = "Tell the team about the new rate";
const WINDOW = 65_536;
const EXPLORED = ["ledger", "orders", "stock"];
// The key that stands twice is a problem from the start: once the editor tells it, it knows the file.
const RATES = '{\n  "vat": 19,\n  "old": 7,\n  "old": 7\n}\n';
const call = (name, values) => ({ name, arguments: values });
const edit = (before, after) =>
  call("file_edit", { path: "rates.json", old_string: before, new_string: after });
const steps = (...titles) => titles.map((title) => ({ title, status: "completed" }));

/** Large enough that three of them would fill much of the window. */
const module_ = (name) =>
  Array.from({ length: 700 }, (_, n) => `${name.toUpperCase()}_${n} = ("${name}", ${n})`).join(
    "\n",
  );

/** What a model says beside its answer: enough that a summary in its place is shorter. */
const REASONS = Array.from({ length: 60 }, (_, n) => `Look ${n} at how the rates are kept.`).join(
  " ",
);
const reasoned = (answer) => ({ text: `${answer}\n\n${REASONS}` });

/** What the model says to the newest prompt that it knows: one answer for each request. */
const RULES = [
  [/^Rule:/m, [reasoned("Understood.")]],
  [
    /^Plan how/m,
    [
      { calls: [call("file_read", { path: "rates.json" })] },
      {
        calls: [
          call("plan", {
            steps: ["Find who uses the rate", "Change the rate"],
            files: ["rates.json"],
            checks: ["The editor finds nothing wrong"],
          }),
        ],
      },
      {
        calls: EXPLORED.map((name) =>
          call("subagent", {
            description: `who uses the rate in ${name}`,
            prompt: `Explore ${name}: who uses the rate?`,
          }),
        ),
      },
      reasoned("Nobody but the ledger uses the rate."),
    ],
  ],
  ...EXPLORED.map((name) => [
    new RegExp(`Explore ${name}:`),
    [
      { calls: [call("file_read", { path: `${name}.py` })] },
      { text: `${name}.py:1 does not use it.` },
    ],
  ]),
  [
    /^Carry on/m,
    [
      { calls: [edit('"vat": 19', '"vat": ')] },
      { calls: [edit('"vat": ', '"vat": 20')] },
      reasoned("The rate is changed."),
    ],
  ],
  [
    /^Finish/m,
    [
      {
        calls: [
          call("tasks", { tasks: steps("Find who uses the rate", "Change the rate", ADDED) }),
        ],
      },
      { text: "All is done." },
    ],
  ],
];

const textOf = ({ content }) =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n");

/** An answer of the model; what stands between a result and a note is none. */
const isAnswer = (message) => message.role === "assistant" && textOf(message) !== "(read)";

/** The answer to a request; nothing that is known was asked where a summary is wanted. */
function answerTo({ messages, tools }) {
  if (!tools) return { text: "" };
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const { role } = messages[at];
    const rule = role === "user" && RULES.find(([when]) => when.test(textOf(messages[at])));
    if (!rule) continue;
    const answers = messages.slice(at).filter((message) => isAnswer(message)).length;
    return rule[1][answers] ?? { text: "There is nothing left." };
  }
  return { text: "There is nothing to answer." };
}

function chunksOf({ text, calls = [] }, number) {
  const toolCalls = calls.map(({ name, arguments: values }, index) => ({
    index,
    id: `call-${number}-${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(values) },
  }));
  const delta = calls.length > 0 ? { tool_calls: toolCalls } : { content: text };
  return [
    { choices: [{ delta }] },
    { choices: [{ delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }] },
  ];
}

/** A server of chat completions that keeps every request. */
async function modelServer() {
  const requests = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.writeHead(404).end();
      return;
    }
    let body = "";
    for await (const piece of request) body += piece;
    const asked = JSON.parse(body);
    requests.push(asked);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunksOf(answerTo(asked), requests.length))
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, requests, url: `http://127.0.0.1:${server.address().port}/v1` };
}

const whole = ({ messages }) => messages.map(textOf).join("\n");
const isAgents = (request) => /Agent: explore, depth 1/.test(whole(request));
const size = ({ messages, tools }) => JSON.stringify({ messages, tools }).length / 4;
const results = ({ messages }) =>
  messages.filter(({ role }) => role === "tool").reduce((sum, one) => sum + textOf(one).length, 0) /
  4;

async function allow(chat, title) {
  const question = chat.locator(".question", { hasText: title });
  await question.waitFor();
  // The next one may have the same title.
  const asked = await question.elementHandle();
  await question.getByRole("button", { name: "Allow", exact: true }).click();
  await asked.waitForElementState("hidden");
}

async function plans(page, editor, chat) {
  await say(chat, `/pin ${PIN}`);
  await chat.getByText("Pinned").first().waitFor();
  await say(chat, `Rule: ${RULE}`);
  await chat.getByText("Understood.").waitFor();
  await say(chat, "/mode plan");
  await say(chat, "Plan how the rate becomes 20.");
  const card = chat.locator(".question");
  const field = card.locator("textarea.plan");
  await field.waitFor();
  const proposed = await field.inputValue();
  await field.fill(proposed.replace("2. Change the rate", `2. Change the rate\n3. ${ADDED}`));
  await editor.screenshot("day-plan");
  await card.getByRole("button", { name: "Accept" }).click();
  await chat.getByText("Nobody but the ledger uses the rate.").waitFor();
  await editor.screenshot("day-agents");
  assert.equal(await page.locator(".notification-toast .codicon-error").count(), 0);
}

/** Compacts, however little that frees, and waits for the receipt of it. */
async function compacts(page, editor, chat) {
  const receipts = chat.locator("[data-kind=receipt]");
  const freed = receipts.nth(await receipts.count()).getByText(/tokens freed/);
  await editor.runCommand("Plimsoll: Compact");
  const anyway = page.getByRole("button", { name: "Compact Anyway" });
  await Promise.race([freed.waitFor(), anyway.click()]);
  await freed.waitFor();
}

/** Waits until a file holds a text: VS Code writes it behind the end of the command. */
async function saved(file, text) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const look = () => readFile(file, "utf8").then((held) => held === text && resolve(), reject);
  const watcher = watch(path.dirname(file), look);
  const net = setTimeout(() => reject(new Error(`${file} was not saved as expected`)), 120_000);
  try {
    await look();
    await promise;
  } finally {
    clearTimeout(net);
    watcher.close();
  }
}

async function works(page, editor, chat, workspace) {
  await compacts(page, editor, chat);
  await editor.reload();
  await editor.statusText(/\d+\s*% ·/);
  await editor.openFile("rates.json");
  await editor.runCommand("Plimsoll: Focus Chat");
  await page.locator('[id="status.problems"]', { hasText: "2" }).waitFor();
  const again = editor.webview();
  await again.getByText("Nobody but the ledger uses the rate.").waitFor();
  await say(again, "Carry on with the plan.");
  await allow(again, "Edit rates.json");
  await allow(again, "Edit rates.json");
  await again.getByText("The rate is changed.").waitFor();
  await editor.runCommand("File: Save");
  await saved(path.join(workspace, "rates.json"), RATES.replace("19", "20"));
  await compacts(page, editor, again);
  await say(again, "Finish what is open.");
  await again.getByText("All is done.").waitFor();
  await editor.screenshot("day-done");
  assert.ok(Number(/(\d+)\s*%/.exec(await editor.statusText(/\d+\s*% ·/))[1]) < 50);
}

/** What must hold held in every request from the plan on, to the last. */
function checkRequests(requests, context) {
  const own = requests.filter((request) => request.tools && !isAgents(request));
  const agents = requests.filter((request) => request.tools && isAgents(request));
  assert.equal(agents.length, 2 * EXPLORED.length);
  const from = own.findIndex((request) => whole(request).includes("The user accepted the plan."));
  const later = own.slice(from);
  assert.ok(from > 0 && later.length >= 6, `${from} of ${own.length}`);
  for (const request of later) {
    for (const held of [PIN, RULE, ADDED]) assert.ok(whole(request).includes(held), held);
    assert.match(whole(request), /rates\.json/);
  }
  for (const request of agents)
    assert.ok(whole(request).includes(RULE) && whole(request).includes(PIN));
  const wrong = later.find((request) =>
    /diagnostic|problem/i.test(textOf(request.messages.at(-1))),
  );
  assert.ok(wrong, "what the editor finds wrong comes back with the edit");
  const last = own.at(-1);
  assert.match(whole(last), /rates\.json \(edited|edited rates\.json/);

  const largest = Math.max(...own.map(size));
  const explored = agents.map(results).reduce((sum, one) => sum + one, 0);
  assert.ok(largest < WINDOW / 2, `${largest} tokens`);
  context.diagnostic(
    `the largest request has about ${Math.round(largest)} of ${WINDOW} tokens, ` +
      `with what three agents read it would have about ${Math.round(largest + explored)}`,
  );
}

test("a day: plan, agents, edits, two compactions and a reload, and all that must hold holds", async (context) => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-day-"));
  const workspace = path.join(home, "workspace");
  await mkdir(workspace);
  for (const name of EXPLORED) await writeFile(path.join(workspace, `${name}.py`), module_(name));
  await writeFile(path.join(workspace, "rates.json"), RATES);
  const { server, requests, url } = await modelServer();
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "openai",
    PLIMSOLL_MODEL__NAME: "gpt-4o",
    PLIMSOLL_MODEL__BASE_URL: url,
    PLIMSOLL_MODEL__CONTEXT_WINDOW: String(WINDOW),
    PLIMSOLL_COMPACTION__KEEP_TURNS: "1",
  };
  try {
    await withEditor({ name: "day", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview();
      await plans(page, editor, chat);
      await works(page, editor, chat, workspace);
      checkRequests(requests, context);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    server.close();
    await rm(home, { recursive: true, force: true });
  }
});
