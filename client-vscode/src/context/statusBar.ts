import * as vscode from "vscode";
import type { App } from "../app";
import { DidChangeStatusNotification } from "../methods";
import type { DidChangeStatusParams } from "../protocol";
import type { ChatState } from "../session/state";
import { type Alarm, loadLine } from "./loadLine";
import { RAISE_LIMIT } from "./spending";

const BACKGROUNDS: Readonly<Record<Alarm, vscode.ThemeColor | undefined>> = {
  none: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
};

/** The load line in the status bar. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "loadLine",
    vscode.StatusBarAlignment.Right,
    100,
  );
  private problem: DidChangeStatusParams | undefined;

  constructor(private readonly app: App) {
    this.item.name = "Plimsoll load line";
    this.item.command = "plimsoll.showContextReport";
    app.own(
      this,
      app.session.onAction(({ type }) => DRAWN_ACTIONS.has(type) && this.draw()),
    );
    app.onClient((client) => {
      client.onNotification(DidChangeStatusNotification, (status) => this.changed(status));
    });
    this.draw();
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }

  private changed(status: DidChangeStatusParams): void {
    this.problem = status.kind === "warning" || status.kind === "error" ? status : undefined;
    if (this.problem !== undefined) {
      this.app.log.warn(status.message);
    }
    this.draw();
  }

  private draw(): void {
    const state = this.app.session.state;
    if (state.connection !== "ready" || state.meter === undefined) {
      this.drawConnection(state);
      return;
    }
    const line = loadLine(state.meter, state);
    const sign = this.problem ? " $(warning)" : "";
    const working = state.turnId === undefined ? "" : " $(loading~spin)";
    this.item.text = `${line.text}${sign}${working}`;
    this.item.backgroundColor = BACKGROUNDS[line.alarm];
    this.item.tooltip = this.tooltip(line.tooltip);
    this.item.accessibilityInformation = { label: line.label, role: "button" };
    // Before anything was said there is nothing to report: the mark leads to the chat.
    this.item.command =
      state.entries.length === 0 ? "plimsoll.focusChat" : "plimsoll.showContextReport";
  }

  private drawConnection(state: ChatState): void {
    const { text, label, alarm, command } = connectionText(state);
    this.item.text = text;
    this.item.backgroundColor = BACKGROUNDS[alarm];
    this.item.tooltip = state.connectionMessage || label;
    this.item.accessibilityInformation = { label, role: "button" };
    this.item.command = command;
  }

  private tooltip(markdown: string): vscode.MarkdownString {
    const tooltip = new vscode.MarkdownString(markdown, true);
    tooltip.supportHtml = true;
    tooltip.isTrusted = { enabledCommands: [RAISE_LIMIT] };
    if (this.problem !== undefined) {
      tooltip.appendMarkdown("\n\n$(warning) ").appendText(this.problem.message);
    }
    return tooltip;
  }
}

const DRAWN_ACTIONS: ReadonlySet<string> = new Set([
  "connection",
  "store",
  "meter",
  "heldTokens",
  "loaded",
  "update",
]);

function connectionText(state: ChatState) {
  switch (state.connection) {
    case "noFolder":
      return {
        text: "$(plimsoll-mark)",
        label: "Plimsoll: open a folder to begin",
        alarm: "none",
        command: "plimsoll.focusChat",
      } as const;
    case "failed":
      return {
        text: "$(plimsoll-mark) stopped",
        label: "Plimsoll is not running",
        alarm: "error",
        command: "plimsoll.showLogs",
      } as const;
    case "starting":
    case "ready":
      return {
        text: "$(plimsoll-mark) $(loading~spin)",
        label: "Plimsoll is starting",
        alarm: "none",
        command: "plimsoll.showLogs",
      } as const;
  }
}
