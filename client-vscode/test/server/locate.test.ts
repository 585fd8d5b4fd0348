import { expect, it } from "vitest";
import { chooseServer, type Interpreter, pythonCandidates } from "../../src/server/locate";

function python(fields: Partial<Interpreter> = {}): Interpreter {
  return {
    executable: "/usr/bin/python3",
    tag: "cp311-linux-x86_64",
    version: [3, 11],
    hasPlimsoll: false,
    ...fields,
  };
}

const unset = { path: "", interpreter: "" };
const TAG = "cp311-linux-x86_64";

it("runs the executable that was named", () => {
  expect(chooseServer({ path: "/opt/plimsoll", interpreter: "/x/python" }, [], TAG)).toEqual({
    kind: "executable",
    path: "/opt/plimsoll",
  });
});

it("uses a server installed in the interpreter that was named, and only there", () => {
  const found = [python({ hasPlimsoll: true })];
  expect(chooseServer({ path: "", interpreter: "/x/python" }, found, TAG).kind).toBe("installed");
  expect(chooseServer(unset, found, TAG).kind).toBe("bundled");
});

it("uses the bundle only with the Python that it was built for", () => {
  const other = python({ tag: "cp313-linux-x86_64", version: [3, 13] });
  expect(chooseServer(unset, [other, python()], TAG)).toEqual({
    kind: "bundled",
    python: python(),
  });
  expect(chooseServer(unset, [other], TAG)).toEqual({ kind: "managed", python: other });
  expect(chooseServer(unset, [other], undefined)).toEqual({ kind: "managed", python: other });
});

it("says what to install when every Python is too old", () => {
  const choice = chooseServer(unset, [python({ version: [3, 9] })], TAG);
  expect(choice).toMatchObject({ kind: "none" });
  expect(JSON.stringify(choice)).toMatch(
    /No Python 3.11 or newer.*is 3.9.*plimsoll.server.interpreter/,
  );
});

it("asks only the interpreter that was named", () => {
  expect(pythonCandidates("/x/python", false)).toEqual(["/x/python"]);
  expect(pythonCandidates("", false)[0]).toBe("python3");
});
