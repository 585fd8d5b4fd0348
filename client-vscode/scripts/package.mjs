// Makes the extension with the server that it carries, one VSIX a platform.
//   npm run package                                        dist/plimsoll.vsix, for the Python at hand
//   npm run package -- --target darwin-arm64 --python 3.12 dist/plimsoll-darwin-arm64.vsix
// Libraries are installed again only when the lock file or the Python changed, the server when it did.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chooseTarget } from "./platforms.mjs";
import { prune } from "./prune.mjs";

const scripts = path.dirname(fileURLToPath(import.meta.url));
const client = path.dirname(scripts);
const root = path.dirname(client);
const carried = path.join(scripts, "carried");
const bundled = path.join(client, "bundled");
const libs = path.join(bundled, "libs");
const server = path.join(bundled, "server");
const locks = path.join(bundled, "locks");
const stamp = path.join(client, "node_modules", ".cache", "bundled-libraries");
const lock = path.join(root, "scripts", "lib", "runtime.lock");
const extras = path.join(root, "scripts", "lib", "extras");
const vsce = path.join(client, "node_modules", "@vscode", "vsce", "vsce");
const venv = path.join(root, ".venv", process.platform === "win32" ? "Scripts" : "bin");

/** Folders of the server that an editor which speaks our wire never loads: other doors, and their plugins. */
const OTHER_DOORS = ["acp", "bench", "editors", "mcp"];

/** Bytes: what a person waits for and what then lies on their disk. */
const MOST_PACKED = 9_500_000;
const MOST_UNPACKED = 25_000_000;

const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: "utf8" });

function tool(name) {
  const inVenv = path.join(venv, process.platform === "win32" ? `${name}.exe` : name);
  return fs.existsSync(inVenv) ? inVenv : name;
}

const python = process.env.PLIMSOLL_PYTHON ?? (fs.existsSync(venv) ? tool("python") : "python3");

function filesOf(folder) {
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

/**
 * uv is quick, and knows the wheels of other platforms; where only pip is configured for this network, pip
 * installs the same hashes for the Python at hand.
 */
function installLibraries(target) {
  fs.rmSync(libs, { recursive: true, force: true });
  const wanted = ["--require-hashes", "--only-binary", ":all:", "--target", libs, "-r", lock];
  const platform = ["--python-platform", target.uv, "--python-version", target.python];
  try {
    run(tool("uv"), "pip", "install", "--quiet", "--python", python, ...platform, ...wanted);
  } catch (error) {
    if (!target.isOwn) throw error;
    console.warn(`uv could not install the libraries, pip takes over: ${error.message}`);
    run(python, "-m", "pip", "install", "--quiet", "--no-compile", ...wanted);
  }
}

/** The wheel holds what a person would install: no file that lies in the folder by chance. */
function buildWheel() {
  const built = path.join(bundled, "wheel");
  fs.rmSync(built, { recursive: true, force: true });
  try {
    run(python, "-m", "hatchling", "build", "-t", "wheel", "-d", built);
  } catch (error) {
    console.warn(`no hatchling beside ${python}, pip builds the wheel: ${error.message}`);
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", built, root);
  }
  fs.rmSync(server, { recursive: true, force: true });
  run(python, "-m", "zipfile", "-e", path.join(built, fs.readdirSync(built)[0]), server);
  fs.rmSync(built, { recursive: true });
  const info = fs.readdirSync(server).find((name) => name.endsWith(".dist-info"));
  const metadata = fs.readFileSync(path.join(server, info, "METADATA"), "utf8");
  fs.rmSync(path.join(server, info), { recursive: true });
  for (const door of OTHER_DOORS)
    fs.rmSync(path.join(server, "plimsoll", door), { recursive: true });
  return metadata;
}

/** What Python leaves where the server was run from here. */
function dropCompiled() {
  if (!fs.existsSync(bundled)) return;
  for (const name of fs.readdirSync(bundled, { recursive: true }))
    if (path.basename(name) === "__pycache__")
      fs.rmSync(path.join(bundled, name), { recursive: true, force: true });
}

function bundleServer(target) {
  const rules = [path.join(root, "pyproject.toml"), lock, ...filesOf(scripts)];
  const parts = [path.join(root, "server", "plimsoll"), extras].flatMap(filesOf);
  const sources = [...parts, ...rules];
  const record = path.join(bundled, "python.json");
  const wanted = { tag: target.tag, sources: fingerprint(target.tag, sources) };
  const text = `${JSON.stringify(wanted, null, 2)}\n`;
  dropCompiled();
  if (stamped(record, text)) {
    return;
  }
  fs.mkdirSync(bundled, { recursive: true });
  const metadata = buildWheel();
  const libraries = fingerprint(target.tag, rules);
  if (!fs.existsSync(libs) || !stamped(stamp, libraries)) {
    installLibraries(target);
    prune(libs, metadata);
    fs.mkdirSync(path.dirname(stamp), { recursive: true });
    fs.writeFileSync(stamp, libraries);
  }
  fs.cpSync(extras, locks, { recursive: true });
  fs.copyFileSync(lock, path.join(locks, "runtime.lock"));
  fs.cpSync(carried, bundled, { recursive: true });
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

const UNPACKED =
  "import sys, zipfile; print(sum(one.file_size for one in zipfile.ZipFile(sys.argv[1]).infolist()))";

/** Raises: an error when the VSIX is larger than anybody should have to fetch. */
function checkSize(vsix) {
  const packed = fs.statSync(vsix).size;
  const unpacked = Number(run(python, "-c", UNPACKED, vsix));
  const megabytes = (bytes) => (bytes / 1_000_000).toFixed(1);
  console.log(`${vsix}: ${megabytes(packed)} MB, ${megabytes(unpacked)} MB unpacked`);
  if (packed > MOST_PACKED || unpacked > MOST_UNPACKED)
    throw new Error(
      `At most ${megabytes(MOST_PACKED)} MB and ${megabytes(MOST_UNPACKED)} MB unpacked are allowed: ` +
        `look what came in (unzip -v ${vsix}) and leave out what the server does not need (scripts/prune.mjs).`,
    );
}

const { values } = parseArgs({
  options: { target: { type: "string" }, python: { type: "string" } },
});
modules();
const own = JSON.parse(run(python, path.join(carried, "describe.py")));
const target = chooseTarget(own, values);
bundleServer(target);
const named = values.target === undefined ? "plimsoll.vsix" : `plimsoll-${target.name}.vsix`;
const vsix = path.join(client, "dist", named);
const options = ["--target", target.name, "--no-dependencies", "--allow-missing-repository"];
execFileSync(process.execPath, [vsce, "package", ...options, "-o", vsix], {
  cwd: client,
  stdio: "inherit",
});
checkSize(vsix);
