import * as vscode from "vscode";
import type { App } from "../app";
import { TeamDidChangeNotification, TeamStatusRequest } from "../methods";
import type { TeamStatus } from "../protocol";
import { failureText } from "../session/failure";
import { isJoined } from "./model";

/** Keeps how the open folder stands with its team, as the server says. */
export class TeamStore implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TeamStatus | undefined>();
  private folder: string | undefined;
  /** Undefined until a server that knows of teams has said it. */
  status: TeamStatus | undefined;
  readonly onDidChange = this.changed.event;

  constructor(private readonly app: App) {
    app.own(
      this,
      app.session.onAction(({ type }) => {
        if (type === "loaded" && this.folder !== app.folder?.uri.toString()) {
          void this.refresh();
        }
      }),
    );
    app.onClient((client) => {
      client.onNotification(TeamDidChangeNotification, ({ workspaceFolder, ...status }) => {
        if (workspaceFolder === app.folder?.uri.toString()) {
          this.show(status);
        }
      });
    });
    app.onReady(() => this.refresh());
  }

  /** The folder that takes part. Raises: an error when none is open. */
  requiredFolder(): string {
    const folder = this.app.folder?.uri.toString();
    if (folder === undefined) {
      throw new Error("No folder is open: a folder takes part in a team's project.");
    }
    return folder;
  }

  async refresh(): Promise<void> {
    this.folder = this.app.folder?.uri.toString();
    this.show(await this.ask(this.folder));
  }

  show(status: TeamStatus | undefined): void {
    this.status = status;
    this.app.session.dispatch({ type: "team", ...(status ? { team: status } : {}) });
    const words = status === undefined ? "missing" : isJoined(status) ? "joined" : "off";
    void vscode.commands.executeCommand("setContext", "plimsoll.team", words);
    this.changed.fire(status);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async ask(workspaceFolder: string | undefined): Promise<TeamStatus | undefined> {
    const served = this.app.serverCapabilities?.methods.includes(TeamStatusRequest.method);
    if (!served || workspaceFolder === undefined) {
      return undefined;
    }
    try {
      return await this.app.request(TeamStatusRequest, { workspaceFolder });
    } catch (failure) {
      this.app.log.warn(`Could not ask for the team: ${failureText(failure)}`);
      return undefined;
    }
  }
}
