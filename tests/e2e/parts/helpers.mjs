// What a test does in the window and reads from it, by what a person sees.
import path from "node:path";

export const artefacts = path.join(path.dirname(import.meta.dirname), "artefacts");
// The first start after an installation reads half a gigabyte from a cold disk.
export const FIRST_WAIT_MS = 180_000;

/** How long a palette is looked at before it is opened anew, and how often that is. */
const PALETTE_MS = 5_000;
const PALETTES = 20;

/** A place of the window that shows no tooltip: the mouse waits there after a click in a bar. */
const CLEAR = { x: 900, y: 500 };
const quote = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether a wait ends in time; every other failure is one. */
const endsInTime = (wait) =>
  wait.then(
    () => true,
    (failure) => {
      if (failure.name === "TimeoutError") return false;
      throw failure;
    },
  );

/** Whether it comes into sight while a palette or a list is looked at. */
const isShown = (locator) => endsInTime(locator.waitFor({ timeout: PALETTE_MS }));

/** Whether it was clicked: a palette closes when a view that opens takes the focus. */
const isClicked = (locator) => endsInTime(locator.click({ timeout: PALETTE_MS }));

function quickInput(page) {
  const widget = page.locator(".quick-input-widget");
  const input = widget.locator("input").first();
  const row = (text) =>
    widget.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  return { widget, input, row };
}

function paletteHelpers(page) {
  const { widget, input, row } = quickInput(page);
  const isTyped = (text) => endsInTime(input.fill(text, { timeout: PALETTE_MS }));
  const close = async () => {
    // Where something else has the focus by now, the key may mean another thing.
    if (await widget.isVisible()) await page.keyboard.press("Escape");
    await widget.waitFor({ state: "hidden" });
  };
  /**
   * Opens a palette by its key until `attempt` succeeds in it. It lists what is there as it opens, so it is opened
   * anew for what an extension brings later, and when a view that opens took the focus, which closes it.
   */
  const inPalette = async (key, what, attempt) => {
    await page.keyboard.press(key);
    for (let more = PALETTES; !(await attempt()); more -= 1) {
      if (more === 0) throw new Error(`The palette offers no ${what}.`);
      await close();
      await page.keyboard.press(key);
    }
  };
  return {
    /** Runs a command by the title the palette shows, as in `Plimsoll: Compact`. */
    async runCommand(title) {
      const command = row(new RegExp(quote(title)));
      const run = async () => (await isTyped(`>${title}`)) && (await isClicked(command));
      await inPalette("F1", title, run);
    },
    /** Runs a command by its title with keys alone. */
    async typeCommand(title) {
      const typed = async () => {
        if (!(await isShown(input))) return false;
        await page.keyboard.type(title);
        return isShown(row(title));
      };
      await inPalette("F1", title, typed);
      await page.keyboard.press("Enter");
    },
    /** Answers the input box that asks for something matching `prompt`. */
    async answerInput(prompt, answer) {
      await widget.getByText(prompt).first().waitFor();
      await input.fill(answer);
      await page.keyboard.press("Enter");
    },
    /** The row of a quick pick. */
    row,
    /** Opens the list of a command until it has a row: it has what is known as it opens. */
    async listed(title, text) {
      await this.runCommand(title);
      for (let more = PALETTES; !(await isShown(row(text))); more -= 1) {
        if (more === 0) throw new Error(`The list of ${title} has no ${text}.`);
        await close();
        await this.runCommand(title);
      }
    },
    /** Takes the row of a quick pick. */
    async pick(text) {
      await row(text).click();
    },
    /** The notification that carries this text, among those that stay: a toast goes after ten seconds. */
    async notification(text) {
      await this.runCommand("Notifications: Show Notifications");
      return page
        .locator(".notifications-center .notification-list-item", { hasText: text })
        .first();
    },
    /** Types into quick open, as in `#` and the name of a symbol. */
    async quickOpen(text) {
      await inPalette("Control+P", text, () => isTyped(text));
    },
    /** Closes it, so that what it lists next is not what it listed before. */
    closeQuickOpen: close,
    /** Opens a file of the workspace through quick open. */
    async openFile(name) {
      const open = async () => (await isTyped(name)) && (await isClicked(row(name)));
      await inPalette("Control+P", name, open);
      await page.locator(".tabs-container .tab", { hasText: path.basename(name) }).waitFor();
    },
  };
}

function screenHelpers(page) {
  const views = page.locator("iframe.webview.ready");
  const status = page.locator(".statusbar-item");
  return {
    /** Opens the view container of the activity bar with this name. */
    async openView(name) {
      const tab = page.locator(".activitybar").getByRole("tab", { name });
      if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
      await page.mouse.move(CLEAR.x, CLEAR.y);
    },
    /** The document of the `index`-th webview on the screen; wait on its content. */
    webview: (index = 0) =>
      // While a page is drawn anew both frames are there: the first is the one that is seen.
      views.nth(index).contentFrame().frameLocator("#active-frame, #pending-frame").first(),
    /** The status bar item whose text matches; its `innerText` is what a person reads. */
    status: (pattern) => status.filter({ hasText: pattern }).first(),
    /** Waits until a status bar item matches and answers its text. */
    async statusText(pattern, timeout = FIRST_WAIT_MS) {
      const item = status.filter({ hasText: pattern }).first();
      await item.waitFor({ timeout });
      return (await item.innerText()).trim();
    },
    /**
     * The list of what the editor offers where the cursor stands, once it shows `text`. It closes as what is
     * offered changes, for instance when a code lens comes, so it is asked for anew like a palette.
     */
    async offered(text) {
      const list = page.locator(".action-widget");
      await page.keyboard.press("Control+.");
      for (let more = PALETTES; more > 0 && !(await isShown(list.getByText(text))); more -= 1) {
        // Escape in the text itself would give up what is selected there.
        if (await list.isVisible()) await page.keyboard.press("Escape");
        await list.waitFor({ state: "hidden" });
        await page.keyboard.press("Control+.");
      }
      return list;
    },
    /** The notification that carries this text. */
    toast: (text) => page.locator(".notification-toast", { hasText: text }).first(),
    /** The question in the middle of the window that waits for an answer. */
    dialog: page.locator(".monaco-dialog-box"),
    /** Keeps a picture of the whole window among the artefacts and answers its path. */
    async screenshot(name) {
      const file = path.join(artefacts, `${name}.png`);
      await page.screenshot({ path: file });
      return file;
    },
    /** Reloads the window and waits for the workbench. */
    async reload() {
      await page.reload();
      await page.locator(".monaco-workbench").waitFor({ timeout: FIRST_WAIT_MS });
    },
  };
}

/**
 * Types a message into the field of a chat and sends it from there, wherever the editor has put the focus.
 * What is filled in would count as pasted; all keys at once count as typed and cost a fiftieth.
 */
export async function say(chat, text) {
  const field = chat.getByPlaceholder(/^(Ask|Add)/);
  do {
    // A workbench that still opens what was open may take the focus in the middle of a word.
    await field.fill("");
    await field.focus();
    await field.page().keyboard.insertText(text);
  } while ((await field.inputValue()) !== text);
  await field.press("Enter");
}

/** The helpers for one page. */
export const helpersFor = (page) => ({ ...paletteHelpers(page), ...screenHelpers(page) });
