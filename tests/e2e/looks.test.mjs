// Chat and context in three themes: read by axe-core, kept as pictures at three widths; and the tour.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { artefacts, repository, say, withEditor } from "./rig.mjs";

const THEMES = {
  light: ["Default Light Modern", "vscode-light"],
  dark: ["Default Dark Modern", "vscode-dark"],
  contrast: ["Default High Contrast", "vscode-high-contrast"],
};
const WIDTHS = [300, 400, 520];
const WINDOW = { width: 1280, height: 800 };
/** At a zoom of 200 % a window has half of its pixels. */
const ZOOMED = { width: 640, height: 400 };
/** So many lines of the conversation are read at once, however narrow or low the view is. */
const LEAST_LINES = 8;
/** How long a press of the tour may take; a second one has as long again. */
const STEP_MS = 30_000;
const pictures = path.join(artefacts, "pictures");
const STYLE = path.join(repository, "client-vscode", "dist", "webview", "style.css");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const ANSWER = `The sum is built in \`total\` at \`ledger.py:2\`:

\`\`\`python
def total(entries):
    return sum(entry.amount for entry in entries)  # once
\`\`\`

1. Each entry has an **amount**.
2. See [the ledger](ledger.py).

| name | value |
| --- | --- |
| LIMIT | 8 |

- [x] read
- [ ] changed
`;
const LEDGER = ["def total(entries):", "    return sum(entry.amount for entry in entries)"]
  .concat(Array.from({ length: 120 }, (_, n) => `ACCOUNT_${n} = ("account", ${n}, "open")`))
  .join("\n");
const call = (name, values) => ({ name, arguments: values });
const EDIT = {
  path: "ledger.py",
  old_string: 'ACCOUNT_3 = ("account", 3, "open")',
  new_string: 'ACCOUNT_3 = ("account", 3, "shut")',
};
/** A path longer than a narrow view. */
const DEEP = "accounts/reconciliation/quarterly/ledger_totals.py";
const BUILD =
  "for n in $(seq 1 40); do echo building part $n of 40; done; until [ -e go ]; do sleep 0.05; done; exit 3";
const script = {
  rules: [
    {
      when: "Run the build",
      steps: [
        {
          calls: [call("file_read", { path: DEEP }), call("shell", { command: BUILD })],
        },
        { text: ["The build **failed** with 3. ".repeat(30)] },
      ],
    },
    {
      when: "ledger add",
      steps: [
        {
          reasoning: "The ledger is one file.",
          calls: [call("file_read", { path: "ledger.py" }), call("file_read", { path: "lost.py" })],
        },
        { text: [ANSWER] },
      ],
    },
    {
      when: "third account",
      steps: [{ text: ["It is shut where it stands."], calls: [call("file_edit", EDIT)] }],
    },
  ],
};

/** What axe-core finds wrong with the document that a locator is in, upon the ground that it stands on. */
async function violations(locator, name, ground = "sideBar") {
  const element = await locator.elementHandle();
  const frame = await element.ownerFrame();
  await frame.evaluate(await readFile(AXE, "utf8"));
  // A page is drawn upon a part of the window, which axe-core does not see.
  await frame.evaluate((part) => {
    document.documentElement.style.background = `var(--vscode-${part}-background)`;
  }, ground);
  const found = await frame.evaluate(() =>
    globalThis.axe.run({ iframes: false, resultTypes: ["violations"] }),
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${name}: ${id}: ${html.slice(0, 160)} ${failureSummary}`,
    ),
  );
}

/** A copy of a page that runs no script, with its looks: axe-core needs timers, and there are none. */
async function copyOf(page, locator) {
  const frame = await (await locator.elementHandle()).ownerFrame();
  const html = await frame.evaluate(() => {
    const copy = document.documentElement.cloneNode(true);
    for (const one of copy.querySelectorAll("meta[http-equiv], link, script")) one.remove();
    return `<!DOCTYPE html>${copy.outerHTML}`;
  });
  const copy = await page.context().newPage();
  await copy.setContent(html);
  await copy.addStyleTag({ path: STYLE });
  return copy;
}

/** What axe-core finds wrong with the report in each theme, and its pictures. */
async function reportViolations(page, editor, workspace) {
  await editor.runCommand("Plimsoll: Show Context Report");
  const report = editor.webview(2);
  await report.getByRole("heading", { name: "Tokens so far" }).waitFor();
  const found = [];
  for (const [theme, [title, kind]] of Object.entries(THEMES)) {
    const settings = { "workbench.colorTheme": title };
    await writeFile(path.join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
    await report.locator(`body.${kind}`).waitFor();
    await editor.screenshot(`report-${theme}`);
    const copy = await copyOf(page, report.locator("body"));
    found.push(...(await violations(copy.locator("body"), `report ${theme}`, "editor")));
    await copy.screenshot({ path: path.join(pictures, `report-${theme}.png`), fullPage: true });
    await copy.close();
  }
  return found;
}

async function sideBarWidth(page, width) {
  const { x, width: before } = await page.locator(".part.sidebar").boundingBox();
  await page.mouse.move(x + before, 300);
  await page.mouse.down();
  await page.mouse.move(x + width, 300, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(900, 600);
}

async function picture(page, name) {
  const clip = await page.locator(".part.sidebar").boundingBox();
  await page.screenshot({ path: path.join(pictures, `${name}.png`), clip });
}

/** How many lines of text the conversation has room for. */
function linesSeen(chat) {
  return chat.locator("#transcript").evaluate((transcript) => {
    const { lineHeight } = getComputedStyle(transcript);
    return Math.floor((10 * transcript.clientHeight) / Number.parseFloat(lineHeight)) / 10;
  });
}

/** Pictures in a narrow view and at a zoom of 200 %, with the lines of the conversation that are seen. */
async function smallViews(page, chat, name) {
  const lines = {};
  await sideBarWidth(page, 300);
  await picture(page, `${name}-300`);
  lines["300 px"] = await linesSeen(chat);
  await page.setViewportSize(ZOOMED);
  await chat.locator("body").evaluate(() => new Promise(requestAnimationFrame));
  await picture(page, `${name}-200-percent`);
  lines["200 %"] = await linesSeen(chat);
  await page.setViewportSize(WINDOW);
  return lines;
}

/** A command while it runs, and its card, which is opened by the keyboard. */
async function build(page, chat, workspace) {
  await say(chat, "Run the build, please.");
  await chat.getByRole("button", { name: "Allow", exact: true }).click();
  await chat.locator(".output.live").getByText("building part 40 of 40").waitFor();
  const running = await smallViews(page, chat, "running");
  await writeFile(path.join(workspace, "go"), "");
  const summary = chat.locator("details[data-tool=shell] > summary");
  await chat.locator("[data-kind=answer]").getByText("failed").first().waitFor();
  const answered = await smallViews(page, chat, "answered");
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  await field.fill("Why did it fail?\nAnd since when?");
  const writing = await smallViews(page, chat, "writing");
  await summary.focus();
  const written = await smallViews(page, chat, "written");
  await field.fill("");
  await summary.focus();
  await summary.press("Enter");
  await chat.locator("details[data-tool=shell][open]").waitFor();
  await summary.press("Tab");
  assert.ok(await chat.locator("details[data-tool=shell] .output:focus").isVisible());
  await smallViews(page, chat, "card");
  await summary.press("Space");
  await chat.locator("details[data-tool=shell]:not([open])").waitFor();
  return { running, answered, writing, written };
}

async function inEachTheme(page, chat, { workspace, name, look }) {
  for (const [theme, [title, kind]] of Object.entries(THEMES)) {
    const settings = { "workbench.colorTheme": title };
    await writeFile(path.join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
    await chat.locator(`body.${kind}`).waitFor();
    for (const width of WIDTHS) {
      await sideBarWidth(page, width);
      await picture(page, `${name}-${theme}-${width}`);
    }
    await look(theme);
  }
}

async function conversation(editor, chat) {
  await say(chat, "/pin Every new function carries #qa.");
  await say(chat, "Where does the ledger add its entries?");
  await chat.locator("[data-kind=answer]").getByText("LIMIT").waitFor();
  await say(chat, "Please shut the third account.");
  await chat.getByRole("button", { name: "Allow", exact: true }).waitFor();
  await editor.statusText(/\d+\s*% ·/);
}

/** Whether some page of the window comes to show `selector`: the pictures of the tour are webviews too. */
async function shownSomewhere(page, selector) {
  const end = Date.now() + STEP_MS;
  while (Date.now() < end) {
    const counts = page.frames().map((frame) =>
      frame
        .locator(selector)
        .count()
        .catch(() => 0),
    );
    if ((await Promise.all(counts)).some((count) => count > 0)) return true;
    await page.waitForTimeout(100);
  }
  return false;
}

/** What the button of each step opens. */
const STEPS = [
  ["Connect a model", "Connect a model", ".quick-input-list .monaco-list-row"],
  ["Ask, and stay in charge", "Ask something", "textarea#message:focus"],
  ["See what the model sees", "Show the context", ".pane-header[aria-label^=Context].expanded"],
  ["Undo any reduction", "Pin what must hold", ".quick-input-widget input:focus"],
];

/** Opens the tour from the palette and presses the button of each of its steps. */
async function tour(page, editor) {
  await editor.runCommand("Plimsoll: Take the Tour");
  const steps = page.locator(".gettingStartedContainer .getting-started-step");
  await steps.filter({ hasText: "Open the chat" }).first().waitFor();
  await page.screenshot({ path: path.join(pictures, "tour.png") });
  for (const [title, name, opened] of STEPS) {
    const step = steps.filter({ hasText: title });
    const press = async () => {
      await step.getByRole("button", { name, exact: true }).click();
      return shownSomewhere(page, opened);
    };
    await step.locator(".step-title").click();
    // A step takes the focus a moment after it was chosen, also from what its button has opened by then.
    assert.ok((await press()) || (await press()), `“${name}” opens ${opened}`);
    await closePicker(page);
  }
}

/** From its own field: an Escape that comes before the focus would leave the tour. */
async function closePicker(page) {
  const picker = page.locator(".quick-input-widget");
  if (await picker.isVisible()) {
    await picker.locator("input").first().press("Escape");
    await picker.waitFor({ state: "hidden" });
  }
}

test("three themes, three widths, nothing that axe-core finds wrong, and the tour", async (context) => {
  const home = await mkdtemp(path.join(tmpdir(), "plimsoll-looks-"));
  const workspace = path.join(home, "workspace");
  await mkdir(path.join(workspace, ".vscode"), { recursive: true });
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures, { recursive: true });
  await writeFile(path.join(workspace, "ledger.py"), LEDGER);
  await mkdir(path.join(workspace, path.dirname(DEEP)), { recursive: true });
  await writeFile(path.join(workspace, DEEP), LEDGER);
  await writeFile(path.join(home, "script.json"), JSON.stringify(script));
  const env = {
    PLIMSOLL_MODEL__PROVIDER: "scripted",
    PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
    PLIMSOLL_MODEL__CONTEXT_WINDOW: "32000",
  };
  const found = [];
  try {
    await withEditor({ name: "looks", workspace, env }, async (page, editor) => {
      await editor.openView("Plimsoll");
      const chat = editor.webview(0);
      await chat.getByText("See everything the model sees.").waitFor();
      found.push(...(await violations(chat.locator("body"), "empty")));
      const lines = await build(page, chat, workspace);
      const seen = Object.values(lines).flatMap(Object.values);
      assert.ok(Math.min(...seen) >= LEAST_LINES, JSON.stringify(lines));
      context.diagnostic(`lines of the conversation in sight: ${JSON.stringify(lines)}`);
      await conversation(editor, chat);
      await smallViews(page, chat, "question");
      const chatLook = async (theme) =>
        found.push(...(await violations(chat.locator("body"), `chat ${theme}`)));
      await inEachTheme(page, chat, { workspace, name: "chat", look: chatLook });
      await chat.locator("button.strip").click();
      const hold = editor.webview(1);
      await hold.getByText("pinned").first().waitFor();
      const holdLook = async (theme) =>
        found.push(...(await violations(hold.locator("body"), `context ${theme}`)));
      await inEachTheme(page, chat, { workspace, name: "context", look: holdLook });
      found.push(...(await reportViolations(page, editor, workspace)));
      context.diagnostic(`the pictures are in ${pictures}`);
      assert.deepEqual(found, []);
      await tour(page, editor);
      assert.deepEqual(editor.left, []);
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
