import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Interpreter } from "./locate";

const run = promisify(execFile);

/** A Python that hangs is no Python. */
const PROBE_MILLISECONDS = 10_000;

const QUESTION = `
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
export async function probe(
  candidate: string,
  folder: string,
  log: (text: string) => void,
): Promise<Interpreter | undefined> {
  try {
    const options = { cwd: folder, timeout: PROBE_MILLISECONDS };
    const { stdout } = await run(candidate, ["-P", "-c", QUESTION], options);
    return JSON.parse(stdout) as Interpreter;
  } catch (error) {
    log(`${candidate} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
