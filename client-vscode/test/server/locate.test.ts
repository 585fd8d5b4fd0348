import { describe, expect, it } from "vitest";
import { tagOf } from "../../src/server/bundle";
import { locksOf } from "../../src/server/environment";
import { extraRows } from "../../src/server/extras";
import { installFailure } from "../../src/server/installFailure";
import {
  chooseServer,
  type Installed,
  type Interpreter,
  pythonCandidates,
  type ServerSettings,
} from "../../src/server/locate";

const TAG = "cp311-linux-x86_64";
const python: Interpreter = {
  executable: "/usr/bin/python3",
  tag: TAG,
  version: [3, 11],
  hasPlimsoll: false,
};
const newer: Interpreter = {
  ...python,
  executable: "/opt/python3.13",
  tag: "cp313-linux-x86_64",
  version: [3, 13],
};
const old: Interpreter = { ...python, tag: "cp39-linux-x86_64", version: [3, 9] };

function choose(
  found: readonly Interpreter[],
  settings: Partial<ServerSettings> = {},
  installed: Record<string, Installed> = {},
) {
  return chooseServer({
    settings: { path: "", interpreter: "", ...settings },
    found,
    bundleTag: TAG,
    installed: new Map(Object.entries(installed)),
  });
}

const environment = (libraries: Installed["libraries"]): Installed => ({
  python: "/ours/bin/python",
  libraries,
});
const noLibraries = (words: string, base = newer) => ({
  kind: "noLibraries",
  base,
  message:
    `${words} “Install the libraries” downloads the same versions for it by pip, checked by their hashes, into a folder of Plimsoll's own. ` +
    `Or name a Python 3.11 in the setting plimsoll.server.interpreter.`,
});

describe("the server is", () => {
  it("the executable that was named", () => {
    const named = { path: "/opt/plimsoll", interpreter: "/x/python" };
    expect(choose([], named)).toEqual({ kind: "executable", path: "/opt/plimsoll" });
  });

  it("one that is installed in the interpreter that was named, and only there", () => {
    const own = { ...python, hasPlimsoll: true };
    expect(choose([own], { interpreter: "/x" })).toEqual({ kind: "installed", python: own });
    expect(choose([own])).toEqual({ kind: "carried", base: own, python: own.executable });
  });

  it("the carried one, with the Python that its libraries were built for", () => {
    const found = [newer, python];
    expect(choose(found)).toEqual({ kind: "carried", base: python, python: "/usr/bin/python3" });
  });

  it("the carried one, in the environment that has the extras of that Python", () => {
    const extras = { [TAG]: environment("none") };
    expect(choose([python], {}, extras)).toEqual({
      kind: "carried",
      base: python,
      python: "/ours/bin/python",
    });
  });

  it("the carried one, with another Python for which a person had its libraries installed", () => {
    const ready = { [newer.tag]: environment("current") };
    expect(choose([old, newer], {}, ready)).toEqual({
      kind: "carried",
      base: newer,
      python: "/ours/bin/python",
    });
  });
});

describe("nothing is installed without a word; it is said why no server starts where", () => {
  it("only another version of Python is there", () => {
    const words =
      "Plimsoll comes with its libraries for Python 3.11, and this machine has Python 3.13 (/opt/python3.13).";
    expect(choose([newer])).toEqual(noLibraries(words));
    const extras = { [newer.tag]: environment("none") };
    expect(choose([newer], {}, extras)).toEqual(noLibraries(words));
  });

  it("only a Python of another platform is there, or a free-threaded one", () => {
    const arm = { ...python, tag: "cp311-linux-aarch64" };
    expect(choose([arm])).toMatchObject({
      message: expect.stringMatching(
        /^Plimsoll comes with its libraries for Python 3\.11 on linux-x86_64, and this machine has Python 3\.11 on linux-aarch64 \(/,
      ),
    });
    const free = { ...newer, tag: "cp313t-linux-x86_64" };
    expect(choose([free])).toMatchObject({
      message: expect.stringMatching(/this machine has Python 3\.13 \(free-threaded\) \(/),
    });
  });

  it("what was installed is that of another version of the extension", () => {
    const words =
      "The libraries that were installed for Python 3.13 (/opt/python3.13) are those of another version of Plimsoll.";
    const outdated = { [newer.tag]: environment("outdated") };
    expect(choose([newer], {}, outdated)).toEqual(noLibraries(words));
  });

  it("every Python is too old, or none is there", () => {
    const end = "Install one, or name it in the setting plimsoll.server.interpreter.";
    expect(choose([old])).toEqual({
      kind: "noPython",
      message: `No Python 3.11 or newer was found (/usr/bin/python3 is 3.9). ${end}`,
    });
    expect(choose([], { interpreter: "/x/python" })).toEqual({
      kind: "noPython",
      message: `No Python 3.11 or newer was found at /x/python. ${end}`,
    });
  });
});

it.each([
  [
    "Error: ensurepip is not available.",
    /^\/opt\/python3\.13 cannot .*apt install python3\.13-venv/,
  ],
  ["OSError: [Errno 28] No space left on device", /the disk is full\. Make room/],
  ["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM", /its hash differs\)\. Try again/],
  ["SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", /global\.cert FILE/],
  [
    "WARNING: Retrying: NewConnectionError: Failed to establish a new connection\nERROR: Could not find a version (from versions: none)",
    /cannot reach the package index\. Check the network/,
  ],
  ["ERROR: No matching distribution found for x", /no ready-made libraries for Python 3\.13/],
  ["one\nsomething else\n", /^Nothing was installed: something else\. “Plimsoll: Show Logs”/],
])("says what failed and what to do: %s", (output, words) => {
  expect(installFailure(newer, output)).toMatch(words);
});

it("reads no record that was not written whole", () => {
  expect([tagOf(`{"tag": "${TAG}"}`), tagOf('{"tag"'), tagOf("{}")]).toEqual([
    TAG,
    undefined,
    undefined,
  ]);
  expect([locksOf('{"documents": "abc"}'), locksOf("")]).toEqual([{ documents: "abc" }, undefined]);
});

it("offers the extras of a system, and says which are there", () => {
  const rows = extraRows("darwin", ["documents", "runtime"]);
  expect(rows.map(({ extra, description }) => [extra, description])).toEqual([
    ["documents", "installed"],
    ["web", ""],
    ["mcp", ""],
    ["keyring", ""],
    ["socks", ""],
    ["team", ""],
    ["telemetry", ""],
    ["view", ""],
  ]);
  expect(extraRows("linux", []).map(({ extra }) => extra)).toContain("confined");
});

it("asks only the interpreter that was named", () => {
  expect(pythonCandidates("/x/python", false)).toEqual(["/x/python"]);
  expect(pythonCandidates("", false)[0]).toBe("python3");
});
