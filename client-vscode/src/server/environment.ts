import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { ServerBundle } from "./bundle";
import type { Lock } from "./extras";
import { installFailure } from "./installFailure";
import type { Installed, Interpreter } from "./locate";

export interface Reporter {
  report(message: string): void;
  log(text: string): void;
}

/** Characters of what a step said last that tell why it failed. */
const KEPT_OUTPUT = 6000;
// No build: what a build fetches for itself has no hash here.
const PIP = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input"];
const LOCKED = ["--require-hashes", "--only-binary", ":all:"];

/** Which lock files were installed, each by its hash. */
type InstalledLocks = Readonly<Partial<Record<Lock, string>>>;

/**
 * A virtual environment of our own for the Pythons of a tag. What it holds was installed on a person's
 * word, from lock files that the extension carries; an update of the extension leaves it in place.
 */
export class Environment {
  private readonly folder: string;
  readonly python: string;

  constructor(
    tag: string,
    private readonly storage: string,
    private readonly bundle: ServerBundle,
  ) {
    this.folder = path.join(storage, `libraries-${tag}`);
    const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
    this.python = path.join(this.folder, ...inside);
  }

  /** What is in it; undefined when there is none. */
  async state(): Promise<Installed | undefined> {
    const locks = await this.locks();
    if (locks === undefined) {
      return undefined;
    }
    const current = await this.bundle.lockHash("runtime");
    const { runtime } = locks;
    const libraries = runtime === undefined ? "none" : runtime === current ? "current" : "outdated";
    return { python: this.python, libraries };
  }

  /** The names of what is in it. */
  async names(): Promise<readonly string[]> {
    return Object.keys((await this.locks()) ?? {});
  }

  /**
   * Installs what lock files name; ends with the signal.
   *
   * Raises: an error that says what happened and what to do.
   */
  async install(
    base: Interpreter,
    names: readonly Lock[],
    reporter: Reporter,
    signal: AbortSignal,
  ): Promise<void> {
    const run = (args: readonly string[], command = this.python) =>
      runStep({ command, args: ["-I", ...args], cwd: this.storage, reporter, signal, base });
    let locks = await this.locks();
    if (locks === undefined) {
      reporter.report("making an environment");
      await rm(this.folder, { recursive: true, force: true });
      await mkdir(this.storage, { recursive: true });
      await run(["-m", "venv", this.folder], base.executable);
      locks = {};
    }
    for (const name of names) {
      reporter.report(name === "runtime" ? "installing the libraries" : `installing ${name}`);
      const { [name]: _before, ...others } = locks;
      // What an interrupted installation leaves counts as not installed.
      await this.record(others);
      await run([...PIP, ...LOCKED, "-r", this.bundle.lock(name)]);
      locks = { ...others, [name]: await this.bundle.lockHash(name) };
      await this.record(locks);
    }
  }

  private get recordFile(): string {
    return path.join(this.folder, "installed.json");
  }

  private async record(locks: InstalledLocks): Promise<void> {
    await writeFile(this.recordFile, JSON.stringify(locks));
  }

  private async locks(): Promise<InstalledLocks | undefined> {
    // A Python that the system has taken away leaves a link to nothing.
    if (!existsSync(this.python) || !existsSync(this.recordFile)) {
      return undefined;
    }
    return locksOf(await readFile(this.recordFile, "utf8"));
  }
}

/** The lock files of a record; undefined when it was not written whole. */
export function locksOf(record: string): InstalledLocks | undefined {
  try {
    return JSON.parse(record) as InstalledLocks;
  } catch {
    return undefined;
  }
}

interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  readonly base: Interpreter;
}

function runStep({ command, args, cwd, reporter, signal, base }: Step): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, signal });
    let output = "";
    const listen = (data: Buffer) => {
      output = (output + data.toString()).slice(-KEPT_OUTPUT);
      reporter.log(data.toString().trimEnd());
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(installFailure(base, output))),
    );
  });
}
