import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import type { ServerBundle } from "./bundle";
import { makeEnvironment, type Reporter } from "./environment";
import { chooseServer, type Interpreter, pythonCandidates, type ServerSettings } from "./locate";

/** A command that speaks the protocol on its standard streams. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** A folder of ours: a workspace must not decide what a Python imports. */
  readonly cwd: string;
}

/** Finds the server and says how to start it. Raises: an error that says what to do. */
export async function findLaunch(
  settings: ServerSettings,
  bundle: ServerBundle,
  storage: string,
  reporter: Reporter,
): Promise<Launch> {
  await mkdir(storage, { recursive: true });
  const found = settings.path === "" ? await interpreters(settings, storage, bundle, reporter) : [];
  const choice = chooseServer(settings, found, await bundle.tag());
  const at = { cwd: storage };
  switch (choice.kind) {
    case "executable":
      return { command: choice.path, args: ["serve"], ...at };
    case "installed":
      return installed(choice.python.executable, storage);
    case "bundled":
      return { command: choice.python.executable, args: ["-I", bundle.launcher, "serve"], ...at };
    case "managed":
      return installed(await makeEnvironment(choice.python, bundle, storage, reporter), storage);
    case "none":
      throw new Error(choice.message);
  }
}

function installed(python: string, cwd: string): Launch {
  return { command: python, args: ["-P", "-m", "plimsoll", "serve"], cwd };
}

/** The Pythons to choose from; the search ends at the first that fits the bundle. */
async function interpreters(
  settings: ServerSettings,
  storage: string,
  bundle: ServerBundle,
  reporter: Reporter,
): Promise<Interpreter[]> {
  const wanted = await bundle.tag();
  const found: Interpreter[] = [];
  for (const candidate of pythonCandidates(settings.interpreter, process.platform === "win32")) {
    const python = await probe(candidate, storage, reporter.log);
    if (python !== undefined) {
      found.push(python);
    }
    if (python?.tag === wanted) {
      break;
    }
  }
  return found;
}

const run = promisify(execFile);

/** A Python that hangs is no Python. */
const PROBE_MILLISECONDS = 10_000;

const DESCRIBE_YOURSELF = `
import importlib.util, json, sys, sysconfig
print(json.dumps({
    "executable": sys.executable,
    "tag": f"cp{sys.version_info.major}{sys.version_info.minor}-{sysconfig.get_platform()}",
    "version": sys.version_info[:2],
    "hasPlimsoll": importlib.util.find_spec("plimsoll") is not None,
}))`;

/**
 * Asks a Python who it is; undefined when it does not answer. It is run in a folder of ours and
 * with -P, so that nothing in the workspace can stand in for a module.
 */
async function probe(
  candidate: string,
  folder: string,
  log: (text: string) => void,
): Promise<Interpreter | undefined> {
  try {
    const options = { cwd: folder, timeout: PROBE_MILLISECONDS };
    const { stdout } = await run(candidate, ["-P", "-c", DESCRIBE_YOURSELF], options);
    return JSON.parse(stdout) as Interpreter;
  } catch (error) {
    log(`${candidate} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
