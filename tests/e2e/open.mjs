// VS Code on a folder until Ctrl-C: what `scripts/run --editor` starts.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { repository, startCodeServer } from "./code-server.mjs";

const workspace = path.resolve(process.argv[2]);
const profile = path.join(repository, "build", "editor");
const vsix = path.join(repository, "client-vscode", "dist", "plimsoll.vsix");

await mkdir(profile, { recursive: true });
const server = await startCodeServer({ profile, vsix, workspace });
const end = (code) => server.stop().then(() => process.exit(code));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => end(0));
server.ended.then(() => end(1));
process.stdout.write(
  `VS Code with Plimsoll is open on ${workspace}\n\n  ${server.url}\n\nCtrl-C ends it.\n`,
);
