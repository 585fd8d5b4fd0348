import type { Interpreter } from "./locate";

type Words = (python: Interpreter) => string;

/** What pip and venv say where they fail, and what that means for a person; the first that fits counts. */
const CAUSES: readonly (readonly [RegExp, Words])[] = [
  [
    /ensurepip|No module named (venv|pip)/,
    ({ executable, version }) =>
      `${executable} cannot make a virtual environment: a part of it is missing. ` +
      `Install it (Debian, Ubuntu: apt install python${version.join(".")}-venv), then try again.`,
  ],
  [
    /No space left on device/,
    () => "Nothing was installed: the disk is full. Make room, then try again.",
  ],
  [
    /DO NOT MATCH THE HASHES/,
    () =>
      "Nothing was installed: what the package index sent is not what Plimsoll was built with (its hash differs). " +
      "Try again; if it stays so, ask whoever runs the index that pip is set to.",
  ],
  [
    /CERTIFICATE_VERIFY_FAILED|SSLError/,
    () =>
      "Nothing was installed: pip does not trust the certificate of the package index. " +
      "Name your company's certificate to pip (pip config set global.cert FILE), then try again.",
  ],
  [
    /NewConnectionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|Failed to establish|name resolution|Name or service not known|Network is unreachable|Connection refused/,
    () =>
      "Nothing was installed: pip cannot reach the package index. " +
      "Check the network, or set the index or proxy that you use (pip config), then try again.",
  ],
  [
    /No matching distribution|Could not find a version/,
    ({ version }) =>
      `Nothing was installed: the package index has no ready-made libraries for Python ${version.join(".")} on this system. ` +
      "Name another Python, 3.11 or newer, in the setting plimsoll.server.interpreter.",
  ],
];

/** Why an installation failed and what to do, by the last words of the step. */
export function installFailure(python: Interpreter, output: string): string {
  const cause = CAUSES.find(([pattern]) => pattern.test(output));
  if (cause !== undefined) {
    return cause[1](python);
  }
  const last = output.trim().split("\n").at(-1)?.trim() ?? "";
  return `Nothing was installed${last === "" ? "" : `: ${last}`}. “Plimsoll: Show Logs” has the whole output.`;
}
