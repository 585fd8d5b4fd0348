import * as vscode from "vscode";
import type { App } from "../app";
import { type TerminalRun, terminalText, withOutput } from "./terminalText";

/** What this editor tells of commands in terminals: newer than the oldest one that is supported. */
interface ShellExecution {
  readonly commandLine: { readonly value: string };
  read(): AsyncIterable<string>;
}

interface ExecutionEvent {
  readonly terminal: vscode.Terminal;
  readonly execution: ShellExecution;
  readonly exitCode?: number | undefined;
}

interface ShellEvents {
  readonly onDidStartTerminalShellExecution?: vscode.Event<ExecutionEvent>;
  readonly onDidEndTerminalShellExecution?: vscode.Event<ExecutionEvent>;
}

/** Keeps the last command of each terminal with the end of its output, as shells tell it. */
export class Terminals {
  private readonly runs = new Map<vscode.Terminal, TerminalRun>();
  private readonly current = new Map<vscode.Terminal, ShellExecution>();

  constructor(private readonly app: App) {
    const events = vscode.window as ShellEvents;
    app.own(vscode.window.onDidCloseTerminal((terminal) => this.forget(terminal)));
    const started = events.onDidStartTerminalShellExecution?.((event) => this.start(event));
    const ended = events.onDidEndTerminalShellExecution?.((event) => this.end(event));
    app.own(...[started, ended].filter((one) => one !== undefined));
  }

  /**
   * The last command of the active terminal.
   * Raises: an error that says why there is none.
   */
  lastText(): { title: string; text: string } {
    const terminal = vscode.window.activeTerminal;
    if (terminal === undefined) {
      throw new Error("@terminal: no terminal is open. Open one and run the command there.");
    }
    const run = this.runs.get(terminal);
    if (run === undefined) {
      throw new Error(
        `@terminal: no command was seen in the terminal “${terminal.name}”. Only commands that ran ` +
          "since Plimsoll started count, in a shell with VS Code's shell integration. Run it " +
          "again, or copy the output into the message.",
      );
    }
    return { title: `terminal ${terminal.name}`, text: terminalText(run) };
  }

  private start({ terminal, execution }: ExecutionEvent): void {
    this.current.set(terminal, execution);
    const command = execution.commandLine.value;
    this.runs.set(terminal, { command, raw: "", dropped: 0, ended: "running" });
    this.read(terminal, execution).catch((error: unknown) =>
      this.app.log.warn(`The output of a terminal could not be read: ${String(error)}`),
    );
  }

  private async read(terminal: vscode.Terminal, execution: ShellExecution): Promise<void> {
    for await (const data of execution.read()) {
      this.change(terminal, execution, (run) => withOutput(run, data));
    }
  }

  private end({ terminal, execution, exitCode }: ExecutionEvent): void {
    this.change(terminal, execution, (run) => ({ ...run, ended: exitCode ?? "unknown" }));
  }

  /** What comes late of an earlier command is not of this one. */
  private change(
    terminal: vscode.Terminal,
    execution: ShellExecution,
    change: (run: TerminalRun) => TerminalRun,
  ): void {
    const run = this.runs.get(terminal);
    if (run !== undefined && this.current.get(terminal) === execution) {
      this.runs.set(terminal, change(run));
    }
  }

  private forget(terminal: vscode.Terminal): void {
    this.runs.delete(terminal);
    this.current.delete(terminal);
  }
}
