import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ServerBundle } from "../../src/server/bundle";
import { Environment } from "../../src/server/environment";

// What the buttons "Install the libraries" and "Install an Extra…" do, with a real Python, a real pip and an
// index of packages on loopback. In the editor itself it would take a second Python and the real index.

const WHEEL = "tiny_part-1.0-py3-none-any.whl";
const MAKE_WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("tiny_part.py", "NAME = 'tiny'\\n")
    info = "tiny_part-1.0.dist-info/"
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: tiny-part\\nVersion: 1.0\\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(info + "RECORD", "tiny_part.py,,\\n" + "".join(f"{info}{n},,\\n" for n in ("METADATA", "WHEEL", "RECORD")))
`;
/** A virtual environment and pip beside other tests on a busy machine. */
const LONG = 300_000;

const home = mkdtempSync(path.join(tmpdir(), "plimsoll-installing-"));
const index = createServer((request, response) => {
  const page = request.url === "/simple/tiny-part/";
  response.writeHead(page || request.url === `/${WHEEL}` ? 200 : 404, {
    "content-type": page ? "text/html" : "application/octet-stream",
  });
  response.end(page ? `<a href="/${WHEEL}">${WHEEL}</a>` : readFileSync(path.join(home, WHEEL)));
});

beforeAll(async () => {
  execFileSync("python3", ["-c", MAKE_WHEEL, path.join(home, WHEEL)]);
  await new Promise<void>((resolve) => index.listen(0, "127.0.0.1", resolve));
  const { port } = index.address() as AddressInfo;
  vi.stubEnv("PIP_CONFIG_FILE", "/dev/null");
  vi.stubEnv("PIP_INDEX_URL", `http://127.0.0.1:${port}/simple/`);
  vi.stubEnv("PIP_EXTRA_INDEX_URL", "");
  vi.stubEnv("PIP_NO_CACHE_DIR", "1");
  vi.stubEnv("PIP_RETRIES", "0");
  mkdirSync(path.join(home, "bundled", "locks"), { recursive: true });
});

afterAll(() => {
  vi.unstubAllEnvs();
  index.closeAllConnections();
  index.close();
});

const hash = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

function setLock(name: string, sha: string, version = "1.0"): void {
  const text = `tiny-part==${version} --hash=sha256:${sha}\n`;
  writeFileSync(path.join(home, "bundled", "locks", `${name}.lock`), text);
}

it.skipIf(process.platform === "win32")(
  "makes an environment, fetches what the carried hashes name, and refuses everything else",
  async () => {
    const storage = path.join(home, "storage");
    const environment = new Environment("cp3-real", storage, new ServerBundle(home));
    const steps: string[] = [];
    const python = execFileSync("python3", ["-c", "import sys; print(sys.executable)"]);
    const base = {
      executable: python.toString().trim(),
      tag: "cp3-real",
      version: [3, 11],
      hasPlimsoll: false,
    } as const;
    const install = (name: "runtime" | "documents") =>
      environment.install(
        base,
        [name],
        { report: (step) => steps.push(step), log: () => {} },
        new AbortController().signal,
      );
    const imported = () =>
      execFileSync(environment.python, ["-I", "-c", "import tiny_part; print(tiny_part.NAME)"]);

    setLock("runtime", hash("what the index never sent"));
    await expect(install("runtime")).rejects.toThrow(/not what Plimsoll was built with/);
    expect(await environment.state()).toMatchObject({ libraries: "none" });
    expect(() => imported()).toThrow();

    setLock("runtime", hash(readFileSync(path.join(home, WHEEL))));
    await install("runtime");
    expect(await environment.state()).toEqual({
      python: environment.python,
      libraries: "current",
    });
    expect(imported().toString()).toBe("tiny\n");
    expect(steps).toEqual([
      "making an environment",
      "installing the libraries",
      "installing the libraries",
    ]);

    setLock("documents", hash("x"), "2.0");
    await expect(install("documents")).rejects.toThrow(/no ready-made libraries for Python 3\.11/);
    expect(await environment.names()).toEqual(["runtime"]);
    vi.stubEnv("PIP_INDEX_URL", "http://127.0.0.1:1/simple/");
    await expect(install("documents")).rejects.toThrow(/Nothing was installed/);
    expect(imported().toString()).toBe("tiny\n");
  },
  LONG,
);
