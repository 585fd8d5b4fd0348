// The agent asks a real VS Code what its TypeScript extension knows: symbols and uses, the problems
// that an edit makes, and a rename that is shown whole, allowed, and stands on disk.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { say, withEditor } from "./rig.mjs";

const RATES = `export const RATE = 3;

export function rateOf(x: number): number {
  return x * RATE;
}
`;
const USER = 'import { rateOf } from "./rates";\n\nconsole.log(rateOf(2));\n';
const call = (name, argumentsOf) => ({ calls: [{ name, arguments: argumentsOf }] });
const script = {
  rules: [
    {
      when: "look at it",
      steps: [
        call("symbols", { path: "rates.ts" }),
        call("references", { symbol: "rateOf", path: "rates.ts", line: 3 }),
        call("definition", { symbol: "rateOf", path: "user.ts" }),
        call("file_read", { path: "rates.ts", symbol: "rateOf" }),
        { text: ["Looked."] },
      ],
    },
    {
      when: "break it",
      steps: [
        call("file_edit", {
          path: "rates.ts",
          old_string: "return x * RATE",
          new_string: 'return "x"',
        }),
        { text: ["Broken."] },
      ],
    },
    {
      when: "mend it",
      steps: [
        call("file_edit", {
          path: "rates.ts",
          old_string: 'return "x"',
          new_string: "return x * RATE",
        }),
        { text: ["Mended."] },
      ],
    },
    {
      when: "rename it",
      steps: [
        call("rename", { path: "rates.ts", symbol: "rateOf", new_name: "rateFor", line: 3 }),
        { text: ["Renamed."] },
      ],
    },
  ],
};

/** The texts of the results of a turn, as the chat shows them; `act` answers what is asked. */
async function results(chat, prompt, end, act = async () => {}) {
  const tools = chat.locator("[data-kind=tool]");
  const answers = chat.locator("[data-kind=answer]", { hasText: end });
  const [before, ended] = [await tools.count(), await answers.count()];
  await say(chat, prompt);
  await act();
  await answers.nth(ended).waitFor();
  const found = [];
  for (let at = before; at < (await tools.count()); at += 1) {
    found.push(await tools.nth(at).evaluate((node) => node.textContent));
  }
  return found;
}

async function allow(chat) {
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
}

test("the agent asks the editor what it knows of the code", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-knowledge-"));
  const workspace = path.join(home, "workspace");
  const file = (name) => path.join(workspace, name);
  await mkdir(workspace);
  await writeFile(file("rates.ts"), RATES);
  await writeFile(file("user.ts"), USER);
  await writeFile(file("tsconfig.json"), '{"compilerOptions": {"strict": true}}\n');
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_DATA_DIR: path.join(home, "data"),
  };
  try {
    await withEditor({ name: "knowledge", workspace, env }, async (page, editor) => {
      await editor.openFile("rates.ts");
      await page.locator(".view-line", { hasText: "x * RATE" }).waitFor();
      await editor.openView("Plimsoll");
      const chat = editor.webview(0);

      // The extension names nothing before it has read the project: until then others answer. Each kind of question
      // that it left without an answer for long is not asked for a minute.
      let looked = [];
      while (![looked[1], looked[3]].every((told) => told?.includes("[by the editor]"))) {
        looked = await results(chat, "Please look at it.", "Looked.");
      }
      const [symbols, uses, definition, read] = looked;
      assert.match(symbols, /rates\.ts:3-5 function rateOf/);
      assert.match(uses, /user\.ts:3: console\.log\(rateOf\(2\)\);/);
      assert.match(definition, /rates\.ts:3: export function rateOf/);
      assert.match(read, /return x \* RATE/);
      await editor.screenshot("knowledge-looked");

      // The extension looks at a file after a while: what it finds later is new to a later edit.
      let edited = "";
      while (!/error: Type 'string' is not assignable to type 'number'/.test(edited)) {
        [edited] = await results(chat, "Please break it.", "Broken.", () => allow(chat));
        await results(chat, "Please mend it.", "Mended.", () => allow(chat));
      }
      assert.match(edited, /(New problems|Problems there now), by the editor:/);
      await editor.screenshot("knowledge-problem");

      const [done] = await results(chat, "Please rename it.", "Renamed.", async () => {
        await chat.getByText("Rename rateOf to rateFor in 2 files").first().waitFor();
        await editor.screenshot("knowledge-rename");
        await allow(chat);
      });
      assert.match(done, /Renamed rateOf to rateFor in 2 files/);
      await page.locator(".view-line", { hasText: "function rateFor" }).waitFor();
      // No tab shows it, so it is saved with the edit.
      assert.equal(await readFile(file("user.ts"), "utf8"), USER.replaceAll("rateOf", "rateFor"));
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
