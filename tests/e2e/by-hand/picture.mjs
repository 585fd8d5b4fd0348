// Makes docs/images/chat.png, the picture of the README: what `scripts/pictures` runs.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { repository, say, withEditor } from "../rig.mjs";

const RULE = "Every new function carries #qa.";
// Room for a card with its diff, and everything around it.
const SIZE = { width: 1440, height: 900 };
const SETTLE_MS = 2500;
/** Pixels by which the context view is made taller. */
const CONTEXT_ROWS = 145;
/** Bytes: the README loads it. */
const MOST_BYTES = 300_000;

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

async function pose(page, editor) {
  await page.setViewportSize(SIZE);
  await editor.openFile("router.py");
  await editor.openView("Plimsoll");
  const chat = editor.webview(0);
  const hold = editor.webview(1);
  await widen(page);
  await chat.locator("button.strip").click();
  await heighten(page);
  await say(chat, `/pin ${RULE}`);
  await hold.getByText("pinned").first().waitFor();
  await say(chat, "How are rows kept?");
  await chat.getByText("reads it back").waitFor();
  await say(chat, "Fix the failing build.");
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await chat.getByRole("button", { name: "open diff" }).waitFor();
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
  await hold.locator("body").evaluate((body) => {
    for (const part of body.querySelectorAll("*")) part.scrollTop = 0;
    body.ownerDocument.activeElement?.blur();
  });
  await page.mouse.move(900, 500);
  // The picture has no event to wait for: the last animations end here.
  await page.waitForTimeout(SETTLE_MS);
  const target = path.join(repository, "docs", "images", "chat.png");
  await mkdir(path.dirname(target), { recursive: true });
  const { length } = await page.screenshot({ path: target });
  if (length > MOST_BYTES) throw new Error(`${target} has ${length} bytes: at most ${MOST_BYTES}.`);
  process.stdout.write(`${target}: ${length} bytes\n`);
}

async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
}

/** The side bar as wide as a person who works with it has it. */
async function widen(page) {
  const { x, width } = await page.locator(".part.sidebar").boundingBox();
  await drag(page, { x: x + width + 1, y: 400 }, { x: 560, y: 400 });
}

/** Room for some rows of the context view. */
async function heighten(page) {
  const { y } = await page.locator(".pane-header", { hasText: "Context" }).boundingBox();
  await drag(page, { x: 300, y: y - 1 }, { x: 300, y: y - CONTEXT_ROWS });
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
    pose(page, editor),
  );
} finally {
  model.close();
  await rm(home, { recursive: true, force: true });
}
