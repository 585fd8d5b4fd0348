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

/** The way in which the server is started. */
export type ServerChoice =
  | { kind: "executable"; path: string }
  | { kind: "installed"; python: Interpreter }
  | { kind: "bundled"; python: Interpreter }
  | { kind: "managed"; python: Interpreter }
  | { kind: "none"; message: string };

const OLDEST: readonly [number, number] = [3, 11];

/**
 * An executable that was named wins, then an interpreter that was named, then the bundle with a
 * Python of the same tag, then a virtual environment of our own.
 */
export function chooseServer(
  settings: ServerSettings,
  found: readonly Interpreter[],
  bundleTag: string | undefined,
): ServerChoice {
  if (settings.path !== "") {
    return { kind: "executable", path: settings.path };
  }
  const usable = found.filter((python) => isNewEnough(python.version));
  const first = usable[0];
  if (first === undefined) {
    return { kind: "none", message: missing(settings, found) };
  }
  if (settings.interpreter !== "" && first.hasPlimsoll) {
    return { kind: "installed", python: first };
  }
  const same = usable.find((python) => python.tag === bundleTag);
  return same ? { kind: "bundled", python: same } : { kind: "managed", python: first };
}

function isNewEnough([major, minor]: readonly [number, number]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function missing(settings: ServerSettings, found: readonly Interpreter[]): string {
  const old = found.map(({ executable, version }) => `${executable} is ${version.join(".")}`);
  const seen = old.length > 0 ? ` (${old.join(", ")})` : "";
  const named = settings.interpreter === "" ? "" : ` at ${settings.interpreter}`;
  return (
    `No Python ${OLDEST.join(".")} or newer was found${named}${seen}. ` +
    "Install one, or name it in the setting plimsoll.server.interpreter."
  );
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
