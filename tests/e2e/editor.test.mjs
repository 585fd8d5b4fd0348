// The extension installs, its view stands in the activity bar, a model is connected, and nothing leaves the machine.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { FIRST_WAIT_MS } from "./parts/helpers.mjs";
import { withEditor } from "./rig.mjs";

const MODELS = [
  { id: "tiny-1", meta: { n_ctx: 16_384 } },
  { id: "small-2", meta: { n_ctx: 32_768 } },
];
const ANSWER = [
  { choices: [{ delta: { content: "Ready." }, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } },
];

/** A server of chat completions that keeps the names of the models it was asked for. */
async function modelServer() {
  const asked = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      const known = request.url.endsWith("/models");
      response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: MODELS }));
      return;
    }
    let body = "";
    for await (const piece of request) body += piece;
    asked.push(JSON.parse(body).model);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of ANSWER) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, asked, url: `http://127.0.0.1:${server.address().port}/v1` };
}

/** Keys answer the boxes; what is clicked is counted. */
async function connect(editor, click, url) {
  await click(editor.webview().getByRole("button", { name: "Connect a model" }));
  await click(editor.row("Another server"));
  await editor.answerInput("Up to and with the version", url);
  const second = editor.row("small-2");
  await second.waitFor();
  assert.match(await second.innerText(), /32,768 tokens as it is served/);
  await editor.screenshot("models");
  await click(second);
  await editor.toast("openai/small-2 is connected").waitFor({ timeout: FIRST_WAIT_MS });
  await editor.screenshot("connected");
}

/** The server's other model is a choice away, without connecting anything again. */
async function choosesAnother(page, editor) {
  await editor.runCommand("Plimsoll: Select Model…");
  await editor.row("small-2").getByText("current").waitFor();
  const other = editor.row("tiny-1");
  await other.getByText(/127\.0\.0\.1:\d+/).waitFor();
  await editor.row("Connect a model").waitFor();
  await editor.screenshot("picker");
  await page.keyboard.type("tiny-1");
  await page.keyboard.press("Enter");
  await editor.webview().getByRole("button", { name: "Model openai/tiny-1" }).waitFor();
}

test("the workbench opens with Plimsoll in it, and a model is connected", async () => {
  const workspace = await mkdtemp(path.join(tmpdir(), "plimsoll-workspace-"));
  await writeFile(path.join(workspace, "budget.py"), "LIMIT = 8\n");
  const { server, asked, url } = await modelServer();
  try {
    await withEditor({ name: "workbench", workspace }, async (page, editor) => {
      let clicks = 0;
      const click = async (locator) => {
        await locator.click();
        clicks += 1;
      };
      await click(page.locator(".activitybar").getByRole("tab", { name: "Plimsoll" }));
      const composer = editor.webview().getByPlaceholder(/^(Ask|Add)/);
      await composer.waitFor();
      await editor.screenshot("workbench");

      await connect(editor, click, url);
      assert.deepEqual(asked, ["small-2"]);
      await editor.webview().getByText("small-2").waitFor();
      await click(composer);
      await page.keyboard.type("Are you there?");
      await page.keyboard.press("Enter");
      await editor.webview().locator("[data-kind=answer]").getByText("Ready.").waitFor();
      await editor.screenshot("answered");
      assert.ok(clicks <= 6, `${clicks} clicks to the first answer`);
      assert.deepEqual(new Set(asked), new Set(["small-2"]));
      assert.ok(asked.length > 1);
      await choosesAnother(page, editor);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    server.close();
    await rm(workspace, { recursive: true, force: true });
  }
});
