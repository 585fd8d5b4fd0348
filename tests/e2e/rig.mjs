// A real VS Code driven by a real browser: what every editor test shares.
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import {
  access,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { installExtension, repository, startCodeServer } from "./parts/code-server.mjs";
import { artefacts, FIRST_WAIT_MS, helpersFor } from "./parts/helpers.mjs";

export { repository, terminalCli } from "./parts/code-server.mjs";
export { artefacts, say } from "./parts/helpers.mjs";
/** Says that a test or a part of it was not run, as `scripts/lib/suite.sh` counts it; `context`: of a whole one. */
export function leaveOut(why, context) {
  process.stdout.write(`left out: 1 tests (${why})\n`);
  context?.skip(why);
}
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
// Each action with the page before and after it, for `npx playwright show-trace`: it takes a third of the processor.
const TRACED = process.env.PLIMSOLL_TRACE === "1";
const VIEWPORT = { width: 1280, height: 800 };
// Both are safety nets: alone each wait is over in seconds, and beside others it takes much longer.
const WAIT_MS = 120_000;
// A webview's own resources carry this host; its service worker answers them and nothing leaves.
const WEBVIEW_HOST = ".vscode-resource.vscode-cdn.net";

const failure = (name, kind) => path.join(artefacts, `${name}-failed.${kind}`);

const exists = (file, mode) =>
  access(file, mode).then(
    () => true,
    () => false,
  );

export async function findBrowser() {
  for (const candidate of BROWSERS) if (await exists(candidate, constants.X_OK)) return candidate;
  throw new Error(`No browser among ${BROWSERS.join(", ")}: install chromium.`);
}

function leaves(url) {
  const { protocol, hostname } = new URL(url);
  return (
    /^(http|ws)s?:$/.test(protocol) && hostname !== "127.0.0.1" && !hostname.endsWith(WEBVIEW_HOST)
  );
}

/**
 * In the page: a webview asks whether its service worker is still the newest, which takes Chromium three seconds each
 * time. In a fresh profile it is.
 */
function trustServiceWorker() {
  // On pages without a secure origin there are none.
  if (globalThis.ServiceWorkerRegistration === undefined) return;
  ServiceWorkerRegistration.prototype.update = function update() {
    return Promise.resolve(this);
  };
}

async function openWorkbench(context, url) {
  const page = await context.newPage();
  await page.goto(url, { timeout: FIRST_WAIT_MS });
  await page.locator(".monaco-workbench").waitFor({ timeout: FIRST_WAIT_MS });
  return page;
}

/** What stands in every document of the window, the webviews with it: a picture shows only what is in sight. */
async function documentsOf(page) {
  const texts = page.frames().map(async (frame) => {
    const html = await frame.content().catch((error) => String(error));
    return `<!-- ${frame.url()} -->\n${html}\n`;
  });
  return (await Promise.all(texts)).join("\n");
}

async function keepFailure(context, name) {
  const [page] = context.pages();
  if (page !== undefined) {
    await page.screenshot({ path: failure(name, "png") });
    await writeFile(failure(name, "html"), await documentsOf(page));
  }
  if (TRACED) await context.tracing.stop({ path: failure(name, "zip") });
}

async function inBrowser(server, name, body) {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    headless: true,
    args: BROWSER_FLAGS,
    timeout: FIRST_WAIT_MS,
  });
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: "reduce" });
  context.setDefaultTimeout(WAIT_MS);
  await context.addInitScript(trustServiceWorker);
  const left = [];
  context.on(
    "request",
    (request) => leaves(request.url()) && left.push(`${request.method()} ${request.url()}`),
  );
  if (TRACED) await context.tracing.start({ screenshots: true, snapshots: true });
  try {
    const page = await openWorkbench(context, server.url);
    await body(page, { ...helpersFor(page), left, url: server.url });
  } catch (error) {
    await keepFailure(context, name);
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
 * The folder of extensions that VS Code makes of `vsix` as it installs it. It is made once for each VSIX, since
 * that takes as long as a start of the editor; whoever comes second while it is made keeps what the first has made.
 */
async function extensionsWith(vsix) {
  const hash = createHash("sha256").update(await readFile(vsix));
  const kept = path.join(repository, "build", "extensions", hash.digest("hex"));
  if (await exists(kept)) return kept;
  await mkdir(path.dirname(kept), { recursive: true });
  const profile = await mkdtemp(path.join(path.dirname(kept), "installing-"));
  try {
    await installExtension({ profile, vsix });
    await rename(path.join(profile, "extensions"), kept);
  } catch (error) {
    if (!(await exists(kept))) throw error;
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
  return kept;
}

/**
 * Gives a profile the extension of `vsix`: its files, more than a thousand, stay where they are. VS Code's list of
 * extensions is a file of the profile's own.
 */
async function linkExtensions(profile, vsix) {
  const kept = await extensionsWith(vsix);
  const target = path.join(profile, "extensions");
  await mkdir(target);
  for (const entry of await readdir(kept, { withFileTypes: true })) {
    const [from, to] = [path.join(kept, entry.name), path.join(target, entry.name)];
    await (entry.isDirectory() ? symlink(from, to) : cp(from, to));
  }
}

/**
 * Opens `workspace` in a fresh VS Code with `vsix` installed, unless it is null, hands the page and its helpers to
 * `body`, and ends everything it started. A failure leaves a picture, the documents of the window and the logs of the
 * editor and its extensions among the artefacts, under `name`; with PLIMSOLL_TRACE=1 also a trace.
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
  for (const kind of ["png", "html", "zip", "logs"])
    await rm(failure(name, kind), { force: true, recursive: true });
  const profile = await mkdtemp(path.join(tmpdir(), "plimsoll-editor-"));
  const environment = { ...privateUser(profile), ...SCRIPTED, ...env };
  try {
    if (vsix !== null) await linkExtensions(profile, vsix);
    const server = await startCodeServer({
      profile,
      workspace,
      settings,
      machineSettings,
      env: environment,
    });
    try {
      await inBrowser(server, name, body);
    } catch (error) {
      const logs = path.join(profile, "data", "logs");
      // Before the first window there are none.
      if (await exists(logs)) await cp(logs, failure(name, "logs"), { recursive: true });
      await cp(server.log, path.join(failure(name, "logs"), "code-server.log"));
      throw error;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
