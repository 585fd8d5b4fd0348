// Makes dist/plimsoll.vsix: the extension with the server that it carries, for the Python at hand.
// Libraries are installed again only when the lock file or the Python changed, the server when it did.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const client = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.dirname(client);
const bundled = path.join(client, "bundled");
const libs = path.join(bundled, "libs");
const lock = path.join(root, "scripts", "lib", "runtime.lock");
const vsce = path.join(client, "node_modules", "@vscode", "vsce", "vsce");
const venv = path.join(root, ".venv", process.platform === "win32" ? "Scripts" : "bin");

const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: "utf8" });

function tool(name) {
  const inVenv = path.join(venv, process.platform === "win32" ? `${name}.exe` : name);
  return fs.existsSync(inVenv) ? inVenv : name;
}

const python = process.env.PLIMSOLL_PYTHON ?? (fs.existsSync(venv) ? tool("python") : "python3");

function pythonTag() {
  const question =
    "import sys, sysconfig; print(f'cp{sys.version_info.major}{sys.version_info.minor}-{sysconfig.get_platform()}')";
  return run(python, "-c", question).trim();
}

function serverSources() {
  const folder = path.join(root, "server", "plimsoll");
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function fingerprint(tag, files) {
  const hash = createHash("sha256").update(tag);
  for (const file of files) {
    hash.update(path.relative(root, file)).update(fs.readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

function stamped(file, wanted) {
  return fs.existsSync(file) && fs.readFileSync(file, "utf8") === wanted;
}

/** uv is quick; where only pip is configured for this network, pip installs the same hashes. */
function installLibraries() {
  fs.rmSync(libs, { recursive: true, force: true });
  const wanted = ["--require-hashes", "--target", libs, "-r", lock];
  try {
    run(tool("uv"), "pip", "install", "--quiet", "--python", python, ...wanted);
  } catch (error) {
    console.warn(`uv could not install the libraries, pip takes over: ${error.message}`);
    run(python, "-m", "pip", "install", "--quiet", "--no-compile", ...wanted);
  }
  fs.rmSync(path.join(libs, "bin"), { recursive: true, force: true });
}

function libraries(tag) {
  const stamp = path.join(bundled, ".libs");
  const wanted = fingerprint(tag, [lock]);
  if (stamped(stamp, wanted)) {
    return;
  }
  installLibraries();
  fs.writeFileSync(stamp, wanted);
}

function buildWheel() {
  for (const old of fs.readdirSync(bundled).filter((name) => name.endsWith(".whl"))) {
    fs.rmSync(path.join(bundled, old));
  }
  try {
    run(python, "-m", "hatchling", "build", "-t", "wheel", "-d", bundled);
  } catch (error) {
    console.warn(`no hatchling beside ${python}, pip builds the wheel: ${error.message}`);
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", bundled, root);
  }
  const wheel = fs.readdirSync(bundled).find((name) => name.endsWith(".whl"));
  return path.join(bundled, wheel);
}

function unpack(wheel) {
  fs.rmSync(path.join(libs, "plimsoll"), { recursive: true, force: true });
  run(python, "-m", "zipfile", "-e", wheel, libs);
}

const LAUNCHER = `"""Runs the server from the libraries beside this file; what the server starts sees none of them."""

import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "libs"))
runpy.run_module("plimsoll", run_name="__main__", alter_sys=True)
`;

function bundleServer() {
  const tag = pythonTag();
  const sources = [...serverSources(), path.join(root, "pyproject.toml"), lock];
  const wanted = fingerprint(tag, sources);
  const record = path.join(bundled, "python.json");
  const text = `${JSON.stringify({ tag, fingerprint: wanted }, null, 2)}\n`;
  if (stamped(record, text)) {
    return;
  }
  fs.mkdirSync(bundled, { recursive: true });
  libraries(tag);
  unpack(buildWheel());
  fs.copyFileSync(lock, path.join(bundled, "runtime.lock"));
  fs.writeFileSync(path.join(bundled, "launch.py"), LAUNCHER);
  fs.writeFileSync(record, text);
}

/** A fresh clone has no modules yet. Not `npm ci`: see scripts/lib/client.sh. */
function modules() {
  if (fs.existsSync(vsce)) {
    return;
  }
  console.log("The client's modules are installed first: a minute or two, once.");
  const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // `npm --prefix` would have the npm that it starts miss the machine's own configuration.
  const { npm_config_prefix: _prefix, npm_config_globalconfig: _global, ...env } = process.env;
  execFileSync(npm, ["install", ...quiet], { cwd: client, env, stdio: "inherit" });
}

modules();
bundleServer();
const options = ["--no-dependencies", "--allow-missing-repository", "-o", "dist/plimsoll.vsix"];
execFileSync(process.execPath, [vsce, "package", ...options], { cwd: client, stdio: "inherit" });
