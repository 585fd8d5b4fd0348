// A real VS Code driven by a real browser: what every editor test shares.
import { constants } from "node:fs";
import { access, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { repository, startCodeServer } from "./code-server.mjs";
import { artefacts, FIRST_WAIT_MS, helpersFor } from "./helpers.mjs";

export { repository, terminalCli } from "./code-server.mjs";
export { artefacts, say } from "./helpers.mjs";
export const productVsix = path.join(repository, "client-vscode", "dist", "plimsoll.vsix");

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
const VIEWPORT = { width: 1280, height: 800 };
// Both are safety nets: alone each wait is over in seconds, and beside others it takes much longer.
const WAIT_MS = 120_000;
// A webview's own resources carry this host; its service worker answers them and nothing leaves.
const WEBVIEW_HOST = ".vscode-resource.vscode-cdn.net";

const failure = (name, kind) => path.join(artefacts, `${name}-failed.${kind}`);

async function findBrowser() {
  for (const candidate of BROWSERS) {
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  throw new Error(`No browser among ${BROWSERS.join(", ")}: install chromium.`);
}

function leaves(url) {
  const { protocol, hostname } = new URL(url);
  return (
    /^(http|ws)s?:$/.test(protocol) && hostname !== "127.0.0.1" && !hostname.endsWith(WEBVIEW_HOST)
  );
}

async function openWorkbench(context, url) {
  const page = await context.newPage();
  await page.goto(url, { timeout: FIRST_WAIT_MS });
  await page.locator(".monaco-workbench").waitFor({ timeout: FIRST_WAIT_MS });
  return page;
}

async function inBrowser(server, name, body) {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    headless: true,
    args: BROWSER_FLAGS,
  });
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(WAIT_MS);
  const left = [];
  context.on(
    "request",
    (request) => leaves(request.url()) && left.push(`${request.method()} ${request.url()}`),
  );
  await context.tracing.start({ screenshots: true, snapshots: true });
  try {
    const page = await openWorkbench(context, server.url);
    await body(page, { ...helpersFor(page), left, url: server.url });
  } catch (error) {
    const [page] = context.pages();
    await page?.screenshot({ path: failure(name, "png") });
    await context.tracing.stop({ path: failure(name, "zip") });
    throw error;
  } finally {
    await browser.close();
  }
}

/** A model's reading for memories would take steps of the scripts that the tests play. */
const SCRIPTED = { PLIMSOLL_MEMORY__EXTRACTION: "phrases" };

/** The folders of a private user: what the server keeps for a project lies in none of the real ones. */
function privateUser(profile) {
  const folder = (name) => path.join(profile, "user", name);
  return {
    XDG_DATA_HOME: folder("data"),
    XDG_CONFIG_HOME: folder("config"),
    XDG_STATE_HOME: folder("state"),
    XDG_CACHE_HOME: folder("cache"),
  };
}

/**
 * Opens `workspace` in a fresh VS Code with `vsix` installed, unless it is null, hands the page and its helpers to
 * `body`, and ends everything it started. A failure leaves a picture, a trace and the logs of
 * the editor and its extensions among the artefacts, under `name`.
 */
export async function withEditor(options, body) {
  const {
    name = "editor",
    vsix = productVsix,
    workspace,
    settings = {},
    machineSettings = {},
    env = {},
  } = options;
  await mkdir(artefacts, { recursive: true });
  for (const kind of ["png", "zip", "logs"])
    await rm(failure(name, kind), { force: true, recursive: true });
  const profile = await mkdtemp(path.join(tmpdir(), "plimsoll-editor-"));
  const environment = { ...privateUser(profile), ...SCRIPTED, ...env };
  try {
    const server = await startCodeServer({
      profile,
      vsix,
      workspace,
      settings,
      machineSettings,
      env: environment,
    });
    try {
      await inBrowser(server, name, body);
    } catch (error) {
      await cp(path.join(profile, "data", "logs"), failure(name, "logs"), { recursive: true });
      await cp(server.log, path.join(failure(name, "logs"), "code-server.log"));
      throw error;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
