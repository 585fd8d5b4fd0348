import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { CrashHistory, SerialTask, ServerProcess } from "../../src/server/process";

function node(script: string, command = process.execPath): ServerProcess {
  return new ServerProcess({ command, args: ["-e", script], cwd: tmpdir() });
}

it("keeps the last words of a server that ends", async () => {
  const server = node(
    "console.error('first'); console.error('No module named x'); process.exit(3)",
  );
  await once(await server.start(), "exit");
  expect(await server.exitMessage()).toBe(
    "The Plimsoll server ended with code 3: No module named x",
  );
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

it("runs one at a time and answers a crowd of calls with one more run", async () => {
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const serial = new SerialTask(async () => {
    log.push("begin");
    await new Promise<void>((resolve) => gates.push(resolve));
    log.push("end");
  });
  const calls = [serial.run(), serial.run(), serial.run()];
  expect(log).toEqual(["begin"]);
  gates[0]?.();
  await calls[0];
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.();
  await Promise.all(calls);
  expect(log).toEqual(["begin", "end", "begin", "end"]);
});

it("runs again after a failure", async () => {
  let runs = 0;
  const serial = new SerialTask(async () => {
    runs += 1;
    throw new Error("no");
  });
  const calls = await Promise.allSettled([serial.run(), serial.run()]);
  expect(calls.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(runs).toBe(2);
});

function after(...seconds: number[]): CrashHistory {
  const crashes = new CrashHistory();
  for (const second of seconds) {
    crashes.record(second * 1000);
  }
  return crashes;
}

it("resumes after a crash, and opens a new session with the last start of its own", () => {
  const histories = [after(), after(1), after(1, 2, 3), after(1, 2, 3, 4)];
  expect(histories.map(({ mayResume }) => mayResume)).toEqual([true, true, true, false]);
});

it("gives up after five crashes in three minutes", () => {
  expect(after(1, 2, 3, 4).mayRestart).toBe(true);
  expect(after(1, 2, 3, 4, 5).mayRestart).toBe(false);
  expect(after(1, 2, 3, 4, 200).mayRestart).toBe(true);
});

it("begins anew when somebody starts the server", () => {
  const crashes = after(1, 2, 3, 4, 5);
  crashes.forget();
  expect([crashes.mayResume, crashes.mayRestart]).toEqual([true, true]);
});

it("does not resume after two starts without a session, whoever starts the server again", () => {
  const crashes = new CrashHistory();
  const resumes = [1, 2].map(() => {
    crashes.startFailed();
    crashes.forget();
    return crashes.mayResume;
  });
  expect(resumes).toEqual([true, false]);
  crashes.sessionOpened();
  expect(crashes.mayResume).toBe(true);
});
