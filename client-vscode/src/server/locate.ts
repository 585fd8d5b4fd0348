/** What a Python says about itself. */
export interface Interpreter {
  readonly executable: string;
  /** `cp311-linux-x86_64`: native modules are built for exactly this. */
  readonly tag: string;
  readonly version: readonly [number, number];
  /** `plimsoll-lsp` is installed in it. */
  readonly hasPlimsoll: boolean;
}

export interface ServerSettings {
  readonly path: string;
  readonly interpreter: string;
}

/** What was installed beside the carried server for the Pythons of a tag. */
export interface Installed {
  /** The Python of the environment in which it is. */
  readonly python: string;
  /** The libraries of the server: of this version, of another one, or none. */
  readonly libraries: "current" | "outdated" | "none";
}

/** What a choice of the server rests on. */
export interface Surroundings {
  readonly settings: ServerSettings;
  /** The Pythons that were found, the preferred one first. */
  readonly found: readonly Interpreter[];
  readonly bundleTag: string;
  /** By the tag of their Pythons. */
  readonly installed: ReadonlyMap<string, Installed>;
}

/** The way in which the server is started. */
export type ServerChoice =
  | { kind: "executable"; path: string }
  | { kind: "installed"; python: Interpreter }
  /** `base` is the Python that was found, `python` what runs: it may be the one of an environment. */
  | { kind: "carried"; base: Interpreter; python: string }
  | { kind: "noLibraries"; base: Interpreter; message: string }
  | { kind: "noPython"; message: string };

/** Why no server was started, in words that say what to do. */
export class StartFailure extends Error {
  constructor(
    readonly kind: "noPython" | "noLibraries" | "bundleDamaged",
    message: string,
  ) {
    super(message);
  }
}

const OLDEST: readonly [number, number] = [3, 11];

/** What the button says that installs libraries for another Python. */
export const INSTALL_LIBRARIES = "Install the libraries";

/**
 * An executable that was named wins, then an interpreter that was named and has the server, then the
 * carried server: with a Python that its libraries were built for, or one for which a person had them
 * installed. Nothing is ever installed without their word.
 */
export function chooseServer(around: Surroundings): ServerChoice {
  const { settings, found, bundleTag, installed } = around;
  if (settings.path !== "") {
    return { kind: "executable", path: settings.path };
  }
  const usable = found.filter((python) => isNewEnough(python.version));
  const first = usable[0];
  if (first === undefined) {
    return { kind: "noPython", message: noPython(settings, found) };
  }
  if (settings.interpreter !== "" && first.hasPlimsoll) {
    return { kind: "installed", python: first };
  }
  const same = usable.find((python) => python.tag === bundleTag);
  const base = same ?? usable.find((python) => installed.get(python.tag)?.libraries === "current");
  return base === undefined
    ? { kind: "noLibraries", base: first, message: noLibraries(first, around) }
    : { kind: "carried", base, python: installed.get(base.tag)?.python ?? base.executable };
}

function isNewEnough([major, minor]: readonly [number, number]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function noPython(settings: ServerSettings, found: readonly Interpreter[]): string {
  const old = found.map(({ executable, version }) => `${executable} is ${version.join(".")}`);
  const seen = old.length > 0 ? ` (${old.join(", ")})` : "";
  const named = settings.interpreter === "" ? "" : ` at ${settings.interpreter}`;
  return (
    `No Python ${OLDEST.join(".")} or newer was found${named}${seen}. ` +
    "Install one, or name it in the setting plimsoll.server.interpreter."
  );
}

function noLibraries(python: Interpreter, { bundleTag, installed }: Surroundings): string {
  const [carried, other] = namesOf(bundleTag, python.tag);
  const outdated = installed.get(python.tag)?.libraries === "outdated";
  const what = outdated
    ? `The libraries that were installed for ${other} (${python.executable}) are those of another version of Plimsoll.`
    : `Plimsoll comes with its libraries for ${carried}, and this machine has ${other} (${python.executable}).`;
  return (
    `${what} “${INSTALL_LIBRARIES}” downloads the same versions for it by pip, checked by their hashes, into a folder of Plimsoll's own. ` +
    `Or name a ${carried} in the setting plimsoll.server.interpreter.`
  );
}

/** Two tags in words that tell them apart: `Python 3.11` where the version alone differs. */
function namesOf(...tags: readonly [string, string]): readonly [string, string] {
  const [one, other] = tags.map((tag) => {
    const [version = "", ...platform] = tag.split("-");
    const [, minor, threads] = /^cp3(\d+)(t?)$/.exec(version) ?? [];
    const name = minor ? `Python 3.${minor}${threads ? " (free-threaded)" : ""}` : version;
    return { name, platform: platform.join("-") };
  }) as [Named, Named];
  return one.platform === other.platform
    ? [one.name, other.name]
    : [`${one.name} on ${one.platform}`, `${other.name} on ${other.platform}`];
}

interface Named {
  readonly name: string;
  readonly platform: string;
}

/** Where to look for a Python when none was named. */
export function pythonCandidates(interpreter: string, windows: boolean): readonly string[] {
  if (interpreter !== "") {
    return [interpreter];
  }
  return windows
    ? ["python", "python3"]
    : ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"];
}
