// A real VS Code driven by a real browser: what every editor test shares.
import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { repository, startCodeServer } from './code-server.mjs';

export { repository } from './code-server.mjs';
export const artefacts = path.join(repository, 'tests', 'e2e', 'artefacts');
export const productVsix = path.join(repository, 'client-vscode', 'dist', 'plimsoll.vsix');

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const BROWSER_FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
const VIEWPORT = { width: 1280, height: 800 };
// The first start after an installation reads half a gigabyte from a cold disk.
const FIRST_WAIT_MS = 60_000;
const WAIT_MS = 30_000;
// A webview's own resources carry this host; its service worker answers them and nothing leaves.
const WEBVIEW_HOST = '.vscode-resource.vscode-cdn.net';

async function findBrowser() {
  for (const candidate of BROWSERS) {
    const found = await access(candidate, constants.X_OK).then(() => true, () => false);
    if (found) return candidate;
  }
  throw new Error(`No browser among ${BROWSERS.join(', ')}: install chromium.`);
}

function leaves(url) {
  const { protocol, hostname } = new URL(url);
  return /^(http|ws)s?:$/.test(protocol) && hostname !== '127.0.0.1' && !hostname.endsWith(WEBVIEW_HOST);
}

const quote = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function quickInput(page) {
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input').first();
  const row = (text) => widget.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  return { widget, input, row };
}

function paletteHelpers(page) {
  const { widget, input, row } = quickInput(page);
  return {
    /** Runs a command by the title the palette shows, as in `Plimsoll: Compact`. */
    async runCommand(title) {
      await page.keyboard.press('F1');
      await input.fill(`>${title}`);
      await row(new RegExp(quote(title))).click();
    },
    /** Answers the input box that asks for something matching `prompt`. */
    async answerInput(prompt, answer) {
      await widget.getByText(prompt).first().waitFor();
      await input.fill(answer);
      await page.keyboard.press('Enter');
    },
    /** Takes the row of a quick pick. */
    async pick(text) {
      await row(text).click();
    },
    /** Opens a file of the workspace through quick open. */
    async openFile(name) {
      await page.keyboard.press('Control+P');
      await input.fill(name);
      await row(name).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.tabs-container .tab', { hasText: path.basename(name) }).waitFor();
    },
  };
}

function screenHelpers(page) {
  const views = page.locator('iframe.webview.ready');
  const status = page.locator('.statusbar-item');
  return {
    /** Opens the view container of the activity bar with this name. */
    async openView(name) {
      const tab = page.locator('.activitybar').getByRole('tab', { name });
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    },
    /** The document of the `index`-th webview on the screen; wait on its content. */
    webview: (index = 0) => views.nth(index).contentFrame().frameLocator('#active-frame, #pending-frame'),
    /** The status bar item whose text matches; its `innerText` is what a person reads. */
    status: (pattern) => status.filter({ hasText: pattern }).first(),
    /** Waits until a status bar item matches and answers its text. */
    async statusText(pattern, timeout = FIRST_WAIT_MS) {
      const item = status.filter({ hasText: pattern }).first();
      await item.waitFor({ timeout });
      return (await item.innerText()).trim();
    },
    /** The notification that carries this text. */
    toast: (text) => page.locator('.notification-toast', { hasText: text }).first(),
    /** Keeps a picture of the whole window among the artefacts and answers its path. */
    async screenshot(name) {
      const file = path.join(artefacts, `${name}.png`);
      await page.screenshot({ path: file });
      return file;
    },
    /** Reloads the window and waits for the workbench. */
    async reload() {
      await page.reload();
      await page.locator('.monaco-workbench').waitFor({ timeout: FIRST_WAIT_MS });
    },
  };
}

async function openWorkbench(context, url) {
  const page = await context.newPage();
  await page.goto(url, { timeout: FIRST_WAIT_MS });
  await page.locator('.monaco-workbench').waitFor({ timeout: FIRST_WAIT_MS });
  return page;
}

async function inBrowser(server, name, body) {
  const browser = await chromium.launch({ executablePath: await findBrowser(), headless: true, args: BROWSER_FLAGS });
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(WAIT_MS);
  const left = [];
  context.on('request', (request) => leaves(request.url()) && left.push(`${request.method()} ${request.url()}`));
  await context.tracing.start({ screenshots: true, snapshots: true });
  try {
    const page = await openWorkbench(context, server.url);
    await body(page, { ...paletteHelpers(page), ...screenHelpers(page), left, url: server.url });
  } catch (error) {
    const [page] = context.pages();
    await page?.screenshot({ path: path.join(artefacts, `${name}-failed.png`) });
    await context.tracing.stop({ path: path.join(artefacts, `${name}-failed.zip`) });
    throw error;
  } finally {
    await browser.close();
  }
}

/** The folders of a private user: what the server keeps for a project lies in none of the real ones. */
function privateUser(profile) {
  const folder = (name) => path.join(profile, 'user', name);
  return {
    XDG_DATA_HOME: folder('data'), XDG_CONFIG_HOME: folder('config'),
    XDG_STATE_HOME: folder('state'), XDG_CACHE_HOME: folder('cache'),
  };
}

/**
 * Opens `workspace` in a fresh VS Code with `vsix` installed, hands the page and its helpers to
 * `body`, and ends everything it started. A failure leaves a picture, a trace and the server's log
 * among the artefacts, under `name`.
 */
export async function withEditor(options, body) {
  const { name = 'editor', vsix = productVsix, workspace, settings = {}, machineSettings = {}, env = {} } = options;
  await mkdir(artefacts, { recursive: true });
  const profile = await mkdtemp(path.join(tmpdir(), 'plimsoll-editor-'));
  const environment = { ...privateUser(profile), ...env };
  try {
    const server = await startCodeServer({ profile, vsix, workspace, settings, machineSettings, env: environment });
    try {
      await inBrowser(server, name, body);
    } catch (error) {
      await copyFile(server.log, path.join(artefacts, `${name}-failed.log`));
      throw error;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
