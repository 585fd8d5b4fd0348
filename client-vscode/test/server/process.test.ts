import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { ServerProcess } from "../../src/server/process";

function node(script: string, command = process.execPath): ServerProcess {
  return new ServerProcess({ command, args: ["-e", script], cwd: tmpdir() });
}

it("keeps the last words of a server that ends", async () => {
  const server = node(
    "console.error('first'); console.error('No module named x'); process.exit(3)",
  );
  await server.start();
  expect(await server.lastWords()).toBe("The Plimsoll server ended with code 3: No module named x");
});

it("says which command cannot be run", async () => {
  await expect(node("", "/no/such/plimsoll").start()).rejects.toThrow(/no\/such\/plimsoll/);
});

it("ends a server that does not listen", async () => {
  const server = node("process.stdin.resume(); process.on('SIGTERM', () => {})");
  const child = await server.start();
  await server.end();
  expect(child.signalCode).toBe("SIGKILL");
});
