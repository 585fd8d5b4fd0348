import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ShellExecution, TerminalRuns } from "../../src/mentions/terminalRuns";

/** A command whose output arrives when the test says so. */
function command(value: string) {
  const pieces: string[] = [];
  let wake = (): void => {};
  let done = false;
  async function* read(): AsyncGenerator<string> {
    for (;;) {
      const piece = pieces.shift();
      if (piece !== undefined) {
        yield piece;
      } else if (done) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }
  const execution: ShellExecution = { commandLine: { value }, read };
  const write = (data: string) => {
    pieces.push(data);
    wake();
  };
  const close = () => {
    done = true;
    wake();
  };
  return { execution, write, close };
}

let runs: TerminalRuns<string>;
beforeEach(() => {
  vi.useFakeTimers();
  runs = new TerminalRuns();
});
afterEach(() => {
  vi.useRealTimers();
});

it("waits for what a command wrote before it ended", async () => {
  const { execution, write, close } = command("make");
  const reading = runs.start("bash", execution);
  runs.end("bash", execution, 2);
  const asked = runs.last("bash");
  write("all at once\n");
  close();
  expect(await asked).toEqual({ command: "make", raw: "all at once\n", dropped: 0, ended: 2 });
  await reading;
  expect(vi.getTimerCount()).toBe(0);
});

it("waits for the word that a command has ended, which comes after its output", async () => {
  const { execution, close } = command("make");
  const reading = runs.start("bash", execution);
  close();
  await reading;
  const asked = runs.last("bash");
  runs.end("bash", execution, undefined);
  expect(await asked).toMatchObject({ ended: "unknown" });
});

it("waits a second at most, as for a command that still runs", async () => {
  const { execution, write } = command("serve");
  void runs.start("bash", execution);
  write("listening\n");
  const asked = runs.last("bash");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await asked).toMatchObject({ raw: "listening\n", ended: "running" });
});

it("gives a later command nothing that comes late of an earlier one", async () => {
  const first = command("one");
  const second = command("two");
  void runs.start("bash", first.execution);
  const reading = runs.start("bash", second.execution);
  first.write("late\n");
  runs.end("bash", first.execution, 1);
  second.write("2\n");
  second.close();
  await reading;
  runs.end("bash", second.execution, 0);
  expect(await runs.last("bash")).toMatchObject({ command: "two", raw: "2\n", ended: 0 });
  runs.forget("bash");
  expect(await runs.last("bash")).toBeUndefined();
});

it("says why the output cannot be read, and gives what there is", async () => {
  const execution: ShellExecution = {
    commandLine: { value: "make" },
    read: () => {
      throw new Error("no stream");
    },
  };
  await expect(runs.start("bash", execution)).rejects.toThrow("no stream");
  runs.end("bash", execution, 0);
  expect(await runs.last("bash")).toMatchObject({ raw: "", ended: 0 });
});
