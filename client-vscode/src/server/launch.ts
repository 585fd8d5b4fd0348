import { mkdir } from "node:fs/promises";
import type { Bundle } from "./bundle";
import { candidates, chooseServer, type Interpreter, type ServerSettings } from "./locate";
import { managedPython, type Reporter } from "./managed";
import { probe } from "./probe";

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
  bundle: Bundle,
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
      return installed(await managedPython(choice.python, bundle, storage, reporter), storage);
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
  bundle: Bundle,
  reporter: Reporter,
): Promise<Interpreter[]> {
  const wanted = await bundle.tag();
  const found: Interpreter[] = [];
  for (const candidate of candidates(settings.interpreter, process.platform === "win32")) {
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
