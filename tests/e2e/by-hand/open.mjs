// VS Code on a folder: what `scripts/run --editor FOLDER [PROGRAM]` starts. In the browser until Ctrl-C; a `code`
// of this machine in its own window. Its profile is ours, so the person's own is left alone.
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import {
  installExtension,
  MACHINE_SETTINGS,
  profileArguments,
  QUIET_SETTINGS,
  repository,
  startCodeServer,
  writeSettings,
} from "../parts/code-server.mjs";

const workspace = path.resolve(process.argv[2]);
const found = process.argv[3];
const profile = path.join(repository, "build", "editor");
const vsix = path.join(repository, "client-vscode", "dist", "plimsoll.vsix");

async function openWindow(code) {
  await writeSettings(profile, "User", { ...QUIET_SETTINGS, ...MACHINE_SETTINGS });
  const base = profileArguments(profile);
  execFileSync(code, [...base, "--force", "--install-extension", vsix], { stdio: "inherit" });
  execFileSync(code, [...base, "--new-window", workspace], { stdio: "inherit" });
  process.stdout.write(`VS Code with Plimsoll opens on ${workspace}\n`);
}

async function openInBrowser(program) {
  await installExtension({ profile, vsix, ...program });
  const server = await startCodeServer({ profile, workspace, ...program });
  const end = (code) => server.stop().then(() => process.exit(code));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => end(0));
  server.ended.then(() => end(1));
  process.stdout.write(
    `VS Code with Plimsoll is open on ${workspace}\n\n  ${server.url}\n\nCtrl-C ends it.\n`,
  );
}

await mkdir(profile, { recursive: true });
if (found !== undefined && path.basename(found) === "code") await openWindow(found);
else await openInBrowser(found === undefined ? {} : { program: [found] });
