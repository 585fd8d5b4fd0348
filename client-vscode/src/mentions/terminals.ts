import * as vscode from "vscode";
import type { App } from "../app";
import { type ShellExecution, TerminalRuns } from "./terminalRuns";
import { terminalText } from "./terminalText";

interface ExecutionEvent {
  readonly terminal: vscode.Terminal;
  readonly execution: ShellExecution;
  readonly exitCode?: number | undefined;
}

interface ShellEvents {
  readonly onDidStartTerminalShellExecution?: vscode.Event<ExecutionEvent>;
  readonly onDidEndTerminalShellExecution?: vscode.Event<ExecutionEvent>;
}

/** Knows the last command of each terminal, as shells tell it. */
export class Terminals {
  private readonly runs = new TerminalRuns<vscode.Terminal>();

  constructor(private readonly app: App) {
    const events = vscode.window as ShellEvents;
    app.own(vscode.window.onDidCloseTerminal((terminal) => this.runs.forget(terminal)));
    const started = events.onDidStartTerminalShellExecution?.((event) => this.start(event));
    const ended = events.onDidEndTerminalShellExecution?.(({ terminal, execution, exitCode }) =>
      this.runs.end(terminal, execution, exitCode),
    );
    app.own(...[started, ended].filter((one) => one !== undefined));
  }

  /**
   * The last command of the active terminal; of one that has just ended, also what is on its way.
   * Raises: an error that says why there is none.
   */
  async lastText(): Promise<{ title: string; text: string }> {
    const terminal = vscode.window.activeTerminal;
    if (terminal === undefined) {
      throw new Error("@terminal: no terminal is open. Open one and run the command there.");
    }
    const run = await this.runs.last(terminal);
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
    this.runs
      .start(terminal, execution)
      .catch((error: unknown) =>
        this.app.log.warn(`The output of a terminal could not be read: ${String(error)}`),
      );
  }
}
