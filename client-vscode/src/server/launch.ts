import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import type { ServerBundle } from "./bundle";
import { Environment, type Reporter } from "./environment";
import type { Extra } from "./extras";
import {
  chooseServer,
  type Installed,
  type Interpreter,
  pythonCandidates,
  type ServerChoice,
  type ServerSettings,
  StartFailure,
} from "./locate";

/** A command that speaks the protocol on its standard streams. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** A folder of ours: a workspace must not decide what a Python imports. */
  readonly cwd: string;
}

/** Where the server is looked for. */
export interface ServerPlace {
  readonly settings: ServerSettings;
  readonly bundle: ServerBundle;
  /** A folder of the extension's own. */
  readonly storage: string;
  readonly reporter: Reporter;
}

/** Finds the server and says how to start it. Raises: `StartFailure`. */
export async function findLaunch(place: ServerPlace): Promise<Launch> {
  const choice = await chooseHere(place);
  const at = { cwd: place.storage };
  switch (choice.kind) {
    case "executable":
      return { command: choice.path, args: ["serve"], ...at };
    case "installed":
      return {
        command: choice.python.executable,
        args: ["-P", "-m", "plimsoll", "serve"],
        ...at,
      };
    case "carried":
      return { command: choice.python, args: ["-I", place.bundle.launcher, "serve"], ...at };
    case "noLibraries":
    case "noPython":
      throw new StartFailure(choice.kind, choice.message);
  }
}

/**
 * Installs extras for the Python that runs the carried server, and the server's own libraries where
 * those are missing.
 *
 * Raises: an error that says what happened and what to do.
 */
export async function installLocked(
  place: ServerPlace,
  extras: readonly Extra[],
  signal: AbortSignal,
): Promise<void> {
  const choice = await chooseHere(place);
  if (choice.kind === "noPython") {
    throw new StartFailure(choice.kind, choice.message);
  }
  if (choice.kind === "executable" || choice.kind === "installed") {
    throw new Error(elsewhere(choice));
  }
  const names = choice.kind === "noLibraries" ? (["runtime", ...extras] as const) : extras;
  const environment = new Environment(choice.base.tag, place.storage, place.bundle);
  await environment.install(choice.base, names, place.reporter, signal);
}

/** The names of the extras that the carried server has here. */
export async function installedNames(place: ServerPlace): Promise<readonly string[]> {
  const choice = await chooseHere(place);
  const { storage, bundle } = place;
  return "base" in choice ? new Environment(choice.base.tag, storage, bundle).names() : [];
}

function elsewhere(choice: ServerChoice & { kind: "executable" | "installed" }): string {
  const named =
    choice.kind === "executable"
      ? `${choice.path}, as the setting plimsoll.server.path says`
      : `${choice.python.executable}, as the setting plimsoll.server.interpreter says`;
  return (
    `The server is the one of ${named}: nothing is installed there from here. ` +
    "Install the extra as you installed the server, from Plimsoll's checkout: pip install '.[NAME]'."
  );
}

async function chooseHere(place: ServerPlace): Promise<ServerChoice> {
  const { settings, bundle, storage } = place;
  await mkdir(storage, { recursive: true });
  if (settings.path !== "") {
    return { kind: "executable", path: settings.path };
  }
  const bundleTag = await bundle.tag();
  const found = await interpreters(place, bundleTag);
  const installed = new Map<string, Installed>();
  for (const { tag } of found) {
    const state = await new Environment(tag, storage, bundle).state();
    if (state !== undefined) {
      installed.set(tag, state);
    }
  }
  return chooseServer({ settings, found, bundleTag, installed });
}

/** The Pythons to choose from; the search ends at the first that fits the bundle. */
async function interpreters(place: ServerPlace, wanted: string): Promise<Interpreter[]> {
  const { settings, bundle, storage, reporter } = place;
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
