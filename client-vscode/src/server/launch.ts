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
  const carried = (python: string): Launch => ({
    command: python,
    args: ["-I", bundle.launcher, "serve"],
    ...at,
  });
  switch (choice.kind) {
    case "executable":
      return { command: choice.path, args: ["serve"], ...at };
    case "installed":
      return {
        command: choice.python.executable,
        args: ["-P", "-m", "plimsoll", "serve"],
        ...at,
      };
    case "bundled":
      return carried(choice.python.executable);
    case "managed":
      return carried(await makeEnvironment(choice.python, bundle, storage, reporter));
    case "none":
      throw new Error(choice.message);
  }
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
    const python = await probe(candidate, bundle.describer, storage, reporter.log);
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

/**
 * Asks a Python who it is; undefined when it does not answer. It is run in a folder of ours, so that
 * nothing in the workspace can stand in for a module.
 */
async function probe(
  candidate: string,
  describer: string,
  folder: string,
  log: (text: string) => void,
): Promise<Interpreter | undefined> {
  try {
    const options = { cwd: folder, timeout: PROBE_MILLISECONDS };
    const { stdout } = await run(candidate, [describer], options);
    return JSON.parse(stdout) as Interpreter;
  } catch (error) {
    log(`${candidate} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
