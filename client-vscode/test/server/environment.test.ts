import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { expect, it } from "vitest";
import { ServerBundle } from "../../src/server/bundle";
import { Environment } from "../../src/server/environment";
import type { Lock } from "../../src/server/extras";

/** A Python that writes down what it is told, makes an environment of itself, and fails at a lock file that says so. */
const PYTHON = `#!/bin/sh
echo "$@" >>"$(dirname "$0")/../../calls"
[ "$3" = venv ] && { mkdir -p "$4/bin" && cp "$0" "$4/bin/python"; exit; }
for last; do :; done
! grep "No space left on device" "$last"
`;
const PIP =
  "-I -m pip install --disable-pip-version-check --no-input --require-hashes --only-binary :all: -r";

function place() {
  const home = mkdtempSync(path.join(tmpdir(), "plimsoll-environment-"));
  const executable = path.join(home, "storage", "system", "bin", "python");
  const locks = path.join(home, "bundled", "locks");
  for (const folder of [path.dirname(executable), locks]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(executable, PYTHON);
  chmodSync(executable, 0o755);
  const setLock = (name: Lock, text: string) =>
    writeFileSync(path.join(locks, `${name}.lock`), text);
  setLock("runtime", "one");
  setLock("documents", "No space left on device");
  const storage = path.join(home, "storage");
  const environment = new Environment("cp313-linux-x86_64", storage, new ServerBundle(home));
  const base = {
    executable,
    tag: "cp313-linux-x86_64",
    version: [3, 13],
    hasPlimsoll: false,
  } as const;
  const calls = path.join(storage, "calls");
  return {
    environment,
    setLock,
    install: (...names: Lock[]) =>
      environment.install(
        base,
        names,
        { report: () => {}, log: () => {} },
        new AbortController().signal,
      ),
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []),
    file: (name: Lock) => path.join(locks, `${name}.lock`),
    folder: path.join(storage, "libraries-cp313-linux-x86_64"),
  };
}

it.skipIf(process.platform === "win32")(
  "installs from the carried hashes alone, and knows what is there, outdated or half done",
  async () => {
    const { environment, install, calls, file, folder, setLock } = place();
    expect(await environment.state()).toBeUndefined();

    await install("runtime");
    expect(calls()).toEqual([`-I -m venv ${folder}`, `${PIP} ${file("runtime")}`]);
    expect(await environment.state()).toEqual({
      python: path.join(folder, "bin", "python"),
      libraries: "current",
    });

    await expect(install("documents")).rejects.toThrow("the disk is full");
    expect(await environment.names()).toEqual(["runtime"]);
    setLock("documents", "two");
    await install("documents");
    expect(await environment.names()).toEqual(["runtime", "documents"]);

    setLock("runtime", "another");
    expect(await environment.state()).toMatchObject({ libraries: "outdated" });
    await install("runtime");
    expect(await environment.state()).toMatchObject({ libraries: "current" });
    expect(calls().filter((call) => call.includes("venv"))).toHaveLength(1);
  },
);
