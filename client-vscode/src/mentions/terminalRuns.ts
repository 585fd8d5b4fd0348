import { type TerminalRun, withOutput } from "./terminalText";

/** What an editor tells of a command in a terminal: newer than the oldest one that is supported. */
export interface ShellExecution {
  readonly commandLine: { readonly value: string };
  read(): AsyncIterable<string>;
}

interface Command {
  readonly execution: ShellExecution;
  run: TerminalRun;
  /** Settles once its end is told. */
  readonly end: Signal;
  /** Settles once its output is read to the end. */
  readonly read: Signal;
}

/** What a command wrote last arrives after its prompt stands there: so long is waited, in milliseconds. */
const REST_ARRIVES = 1_000;

/** Keeps the last command of each terminal with the end of its output. */
export class TerminalRuns<Terminal> {
  private readonly commands = new Map<Terminal, Command>();

  /** Reads the output of a command; rejects where it cannot be read. */
  async start(terminal: Terminal, execution: ShellExecution): Promise<void> {
    const { value } = execution.commandLine;
    const run: TerminalRun = { command: value, raw: "", dropped: 0, ended: "running" };
    const command: Command = { execution, run, end: signal(), read: signal() };
    this.commands.set(terminal, command);
    try {
      for await (const data of execution.read()) {
        command.run = withOutput(command.run, data);
      }
    } finally {
      command.read.settle();
    }
  }

  end(terminal: Terminal, execution: ShellExecution, exitCode: number | undefined): void {
    const command = this.commands.get(terminal);
    if (command?.execution === execution) {
      command.run = { ...command.run, ended: exitCode ?? "unknown" };
      command.end.settle();
    }
  }

  forget(terminal: Terminal): void {
    this.commands.delete(terminal);
  }

  /** The last command, with what of its output arrives within a second; nothing where none was seen. */
  async last(terminal: Terminal): Promise<TerminalRun | undefined> {
    const command = this.commands.get(terminal);
    if (command === undefined) {
      return undefined;
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, REST_ARRIVES);
    });
    await Promise.race([Promise.all([command.end.settled, command.read.settled]), late]);
    clearTimeout(timer);
    return command.run;
  }
}

interface Signal {
  readonly settled: Promise<void>;
  settle(): void;
}

function signal(): Signal {
  let settle = (): void => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { settled, settle };
}
