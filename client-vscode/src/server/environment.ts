import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { ServerBundle } from "./bundle";
import type { Interpreter } from "./locate";

export interface Reporter {
  report(message: string): void;
  log(text: string): void;
}

/**
 * A virtual environment of our own, made from the carried lock file, for a Python that the
 * carried libraries were not built for. Returns its Python.
 *
 * Raises: an error with the last words of the step that failed.
 */
export async function makeEnvironment(
  python: Interpreter,
  bundle: ServerBundle,
  storage: string,
  reporter: Reporter,
): Promise<string> {
  const folder = path.join(storage, `server-${python.tag}-${await bundle.fingerprint()}`);
  const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  const executable = path.join(folder, ...inside);
  const done = path.join(folder, ".complete");
  if (existsSync(done)) {
    return executable;
  }
  await mkdir(storage, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input"];
  const steps: readonly (readonly [string, string, readonly string[]])[] = [
    ["making an environment", python.executable, ["-m", "venv", folder]],
    ["installing its libraries", executable, [...pip, "--require-hashes", "-r", bundle.lock]],
  ];
  for (const [message, command, args] of steps) {
    reporter.report(message);
    await runStep(command, args, storage, reporter);
  }
  await writeFile(done, "");
  return executable;
}

function runStep(
  command: string,
  args: readonly string[],
  cwd: string,
  reporter: Reporter,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd });
    let output = "";
    const listen = (data: Buffer) => {
      output = (output + data.toString()).slice(-2000);
      reporter.log(data.toString().trimEnd());
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${command} ${args.slice(0, 3).join(" ")} failed: ${output.trim()}`)),
    );
  });
}
