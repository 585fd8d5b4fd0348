import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import type { NotificationType, RequestParam, RequestType } from "vscode-languageserver-protocol";
import { createClient } from "./client";
import { serverSettings } from "./config";
import {
  ContextDidChangeNotification,
  DidChangeTrustNotification,
  SessionRequestPermissionRequest,
  SessionUpdateNotification,
} from "./methods";
import type { PlimsollServerCapabilities } from "./protocol";
import { Serial } from "./restart";
import { Bundle } from "./server/bundle";
import { findLaunch, type Launch } from "./server/launch";
import { SessionController, type Wire } from "./session/controller";
import { failureText } from "./session/failure";
import { Questions } from "./session/questions";

/** After so many crashes in a row the stored session is not resumed: it may be their cause. */
const CRASHES_BEFORE_SAFE_START = 2;

/** Owns the client, the open session and everything that has to be cleaned up. */
export class Ctx implements Wire, vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("Plimsoll", { log: true });
  readonly session = new SessionController(this, (context, error) =>
    this.log.error(`Could not ${context}: ${failureText(error)}`),
  );
  readonly questions = new Questions((action) => this.session.dispatch(action));
  private readonly starts = new Serial(() => this.startOnce());
  private readonly clientListeners: ((client: LanguageClient) => void)[] = [];
  private readonly readyListeners: (() => Promise<void>)[] = [];
  private readonly disposables: vscode.Disposable[] = [this.log, this.session];
  private client: LanguageClient | undefined;
  private crashes = 0;

  constructor(readonly extension: vscode.ExtensionContext) {
    this.own(
      this.session.onAction((action) => {
        if (action.type === "loaded") {
          this.questions.repeat(action.session.id);
        }
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.trustChanged()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("plimsoll.server")) {
          this.restart();
        }
      }),
    );
  }

  /** The folder that the session is bound to. */
  get folder(): vscode.WorkspaceFolder | undefined {
    const open = this.session.state.session?.workspaceFolder;
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.find((folder) => folder.uri.toString() === open) ?? folders[0];
  }

  /** What the server offers, from its answer to `initialize`. */
  get offered(): PlimsollServerCapabilities | undefined {
    return this.client?.initializeResult?.capabilities.experimental?.plimsoll;
  }

  own(...disposables: vscode.Disposable[]): void {
    this.disposables.push(...disposables);
  }

  /** Runs for every client before it starts: the place to register handlers. */
  onClient(listener: (client: LanguageClient) => void): void {
    this.clientListeners.push(listener);
  }

  /** Runs each time the server has started, before a session is opened. */
  onReady(listener: () => Promise<void>): void {
    this.readyListeners.push(listener);
  }

  async request<P, R>(type: RequestType<P, R, void>, params: P): Promise<R> {
    return this.running().sendRequest<P, R, void>(type, params as RequestParam<P>);
  }

  async notify<P>(type: NotificationType<P>, params: P): Promise<void> {
    await this.running().sendNotification<P>(type, params as RequestParam<P>);
  }

  /** The client, for what the typed methods do not cover. Raises: an error when no server runs. */
  running(): LanguageClient {
    if (this.client === undefined || !this.client.isRunning()) {
      throw new Error("The Plimsoll server is not running. Run “Plimsoll: Restart Server”.");
    }
    return this.client;
  }

  /** Starts the server, or starts it anew: one at a time, at most one more waiting. */
  restart(): Promise<void> {
    return this.starts.run();
  }

  /** Ends the server. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.questions.cancelAll();
    if (client !== undefined) {
      await client.dispose();
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private async startOnce(): Promise<void> {
    await this.stop();
    this.crashes = 0;
    this.session.dispatch({ type: "trust", trusted: vscode.workspace.isTrusted });
    const folder = this.folder;
    if (folder === undefined) {
      this.session.connection("noFolder");
      return;
    }
    this.session.connection("starting");
    try {
      await this.startClient(folder, await this.findLaunch());
    } catch (error) {
      this.log.error(`The server could not start: ${failureText(error)}`);
      this.session.connection("failed", failureText(error));
    }
  }

  private async startClient(folder: vscode.WorkspaceFolder, launch: Launch): Promise<void> {
    this.log.info(`Starting ${[launch.command, ...launch.args].join(" ")}`);
    const client = createClient({
      launch,
      folder,
      log: this.log,
      extension: this.extension.extension,
      resume: () => (this.crashes < CRASHES_BEFORE_SAFE_START ? "latest" : undefined),
    });
    this.client = client;
    client.onNotification(SessionUpdateNotification, (params) => this.session.onUpdate(params));
    client.onNotification(ContextDidChangeNotification, ({ meter }) => this.session.onMeter(meter));
    client.onRequest(SessionRequestPermissionRequest, (params, token) =>
      this.questions.ask(params, token),
    );
    client.onDidChangeState(({ newState }) => this.onClientState(client, newState));
    for (const listener of this.clientListeners) {
      listener(client);
    }
    await client.start();
  }

  private onClientState(client: LanguageClient, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state === State.Running) {
      void this.ready();
    } else if (state === State.Stopped) {
      this.crashes += 1;
      this.questions.cancelAll();
      this.session.connection("failed", "The Plimsoll server ended. The log says why.");
    } else {
      this.session.connection("starting");
    }
  }

  /** The server runs: hand over what it needs, then carry on with the session. */
  private async ready(): Promise<void> {
    try {
      for (const listener of this.readyListeners) {
        await listener();
      }
      await this.openSession();
      this.session.connection("ready");
    } catch (error) {
      this.log.error(`No session could be opened: ${failureText(error)}`);
      this.session.connection("failed", failureText(error));
    }
  }

  private async openSession(): Promise<void> {
    const folder = this.folder?.uri.toString();
    if (folder === undefined) {
      return;
    }
    const known = this.session.sessionId ?? this.offered?.session?.id;
    if (known !== undefined && this.crashes < CRASHES_BEFORE_SAFE_START) {
      await this.session.load(folder, known);
    } else {
      await this.session.create(folder);
    }
  }

  private findLaunch(): Promise<Launch> {
    const storage = this.extension.globalStorageUri.fsPath;
    const progress = { location: vscode.ProgressLocation.Window, title: "Plimsoll" };
    return Promise.resolve(
      vscode.window.withProgress(progress, (report) =>
        findLaunch(serverSettings(), new Bundle(this.extension.extensionPath), storage, {
          report: (message) => report.report({ message }),
          log: (text) => this.log.info(text),
        }),
      ),
    );
  }

  private trustChanged(): void {
    this.session.dispatch({ type: "trust", trusted: true });
    const workspaceFolder = this.folder?.uri.toString();
    if (workspaceFolder !== undefined && this.client?.isRunning()) {
      void this.notify(DidChangeTrustNotification, { workspaceFolder, trusted: true });
    }
  }
}
