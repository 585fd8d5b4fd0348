import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import type { NotificationType, RequestParam, RequestType } from "vscode-languageserver-protocol";
import {
  ContextDidChangeNotification,
  DidChangeTrustNotification,
  SessionRequestPermissionRequest,
  SessionUpdateNotification,
  WindowPresentRequest,
} from "./methods";
import type { Empty, PlimsollServerCapabilities, SessionUpdateParams } from "./protocol";
import { ServerBundle } from "./server/bundle";
import { createClient } from "./server/client";
import { editorVariables, NETWORK_SETTINGS } from "./server/editorNetwork";
import { findLaunch, type Launch, type ServerPlace } from "./server/launch";
import { StartFailure } from "./server/locate";
import { CrashHistory, SerialTask, ServerProcess } from "./server/process";
import { SessionController } from "./session/controller";
import { failureOf, failureText } from "./session/failure";
import { PermissionRequests } from "./session/permissions";
import type { ServerConnection } from "./session/serverConnection";
import { rescueText } from "./session/stores";

/** Where the window keeps the id of the session that it shows: a reload comes back to it. */
const SHOWN_SESSION = "session";

/** Settings that a server takes at its start alone. */
const RESTARTING = ["plimsoll.server", ...NETWORK_SETTINGS];

/** Owns the client, the open session and everything that has to be cleaned up. */
export class App implements ServerConnection, vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("Plimsoll", { log: true });
  readonly session = new SessionController(this, (context, error) =>
    this.log.error(`Could not ${context}: ${failureText(error)}`),
  );
  readonly permissions = new PermissionRequests((action) => this.session.dispatch(action));
  private readonly restarts = new SerialTask(() => this.startOnce());
  private readonly clientListeners: ((client: LanguageClient) => void)[] = [];
  private readonly readyListeners: (() => Promise<void>)[] = [];
  private readonly openFailedListeners: ((error: unknown) => Promise<void>)[] = [];
  private readonly commandListeners: ((command: string, answer: unknown) => Promise<void>)[] = [];
  private readonly updateListeners: ((params: SessionUpdateParams) => void)[] = [];
  private readonly disposables: vscode.Disposable[] = [this.log, this.session];
  private client: LanguageClient | undefined;
  private server: ServerProcess | undefined;
  private readonly crashes = new CrashHistory();
  /** This server has answered `initialize`: one that never did is not started again by itself. */
  private initialized = false;

  constructor(readonly extension: vscode.ExtensionContext) {
    this.own(
      this.session.onAction((action) => {
        if (action.type === "loaded") {
          // Once all have heard of the load: the page folds actions in the order in which it hears them.
          queueMicrotask(() => this.permissions.showAgain(action.session.id));
          void this.extension.workspaceState.update(SHOWN_SESSION, action.session.id);
        }
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.trustChanged()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (RESTARTING.some((setting) => event.affectsConfiguration(setting))) {
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
  get serverCapabilities(): PlimsollServerCapabilities | undefined {
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

  /** Hears every update, also of sessions that are not shown. */
  onUpdate(listener: (params: SessionUpdateParams) => void): void {
    this.updateListeners.push(listener);
  }

  /** Hears why no session could be opened. */
  onOpenFailed(listener: (error: unknown) => Promise<void>): void {
    this.openFailedListeners.push(listener);
  }

  /** Hears the answer to each command of the server that the editor ran by itself, as from a lens. */
  onCommandAnswer(listener: (command: string, answer: unknown) => Promise<void>): void {
    this.commandListeners.push(listener);
  }

  async request<P, R>(type: RequestType<P, R, void>, params: P): Promise<R> {
    return (await this.started()).sendRequest<P, R, void>(type, params as RequestParam<P>);
  }

  async notify<P>(type: NotificationType<P>, params: P): Promise<void> {
    await (await this.started()).sendNotification<P>(type, params as RequestParam<P>);
  }

  /** The client, for what the typed methods do not cover: waits for a server that is being started. Raises: as `running`. */
  async started(): Promise<LanguageClient> {
    // What is asked while a client that runs opens its session would wait for itself.
    if (this.client?.isRunning() !== true) {
      await this.session.whileStarting();
    }
    return this.running();
  }

  /** The client as it is now. Raises: an error when no server runs. */
  running(): LanguageClient {
    if (this.client === undefined || !this.client.isRunning()) {
      throw new Error("The Plimsoll server is not running. Run “Plimsoll: Restart Server”.");
    }
    return this.client;
  }

  /** Starts the server, or starts it anew: one at a time, at most one more waiting. */
  restart(): Promise<void> {
    return this.restarts.run();
  }

  /** Ends the server. */
  async stop(): Promise<void> {
    const { client, server } = this;
    this.client = undefined;
    this.server = undefined;
    this.permissions.cancelAll();
    if (client?.isRunning()) {
      await client.stop();
    }
    await server?.end();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private async startOnce(): Promise<void> {
    await this.stop();
    this.crashes.forget();
    this.initialized = false;
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
      this.crashes.startFailed();
      this.log.error(`The server could not start: ${failureText(error)}`);
      // A server that ended has said why; the connection only says that it is gone.
      if (this.session.state.connection !== "failed") {
        const kind = error instanceof StartFailure ? error.kind : undefined;
        this.session.connection("failed", failureText(error), kind);
      }
      await this.stop();
    }
  }

  private async startClient(folder: vscode.WorkspaceFolder, launch: Launch): Promise<void> {
    this.log.info(`Starting ${[launch.command, ...launch.args].join(" ")}`);
    const editors = vscode.workspace.getConfiguration();
    const variables = editorVariables((key) => editors.inspect(key));
    const server = new ServerProcess(launch, variables);
    const client = createClient({
      server,
      folder,
      log: this.log,
      extension: this.extension.extension,
      resume: () =>
        this.crashes.mayResume
          ? this.extension.workspaceState.get<string>(SHOWN_SESSION, "latest")
          : undefined,
      serverExited: () => this.onServerExit(server),
      commandAnswered: async (command, answer) => {
        await Promise.all(this.commandListeners.map((listener) => listener(command, answer)));
      },
    });
    this.server = server;
    this.client = client;
    client.onNotification(SessionUpdateNotification, (params) => {
      this.session.onUpdate(params);
      for (const listener of this.updateListeners) {
        listener(params);
      }
    });
    client.onNotification(ContextDidChangeNotification, ({ meter }) => this.session.onMeter(meter));
    client.onRequest(SessionRequestPermissionRequest, (params, token) =>
      this.permissions.ask(params, token),
    );
    client.onRequest(WindowPresentRequest, answerFromWindow);
    client.onDidChangeState(({ newState }) => this.onClientState(client, newState));
    for (const listener of this.clientListeners) {
      listener(client);
    }
    await client.start();
  }

  private onClientState(client: LanguageClient, state: State): void {
    if (client === this.client && state === State.Running) {
      this.initialized = true;
      void this.openFolder();
    }
  }

  /** The server ended by itself: decides whether it is started again. */
  private async onServerExit(server: ServerProcess): Promise<boolean> {
    if (server !== this.server) {
      return false;
    }
    this.crashes.record(Date.now());
    this.permissions.cancelAll();
    const message = await server.exitMessage();
    const again = this.initialized && this.crashes.mayRestart;
    this.log.error(message);
    const more = again ? " It is started again; what had come stays." : "";
    this.session.dispatch({ type: "serverLost", message: `${message}${more}` });
    this.session.connection(again ? "starting" : "failed", message);
    return again;
  }

  /** The server runs: hand over what it needs, then carry on with the session. */
  async openFolder(): Promise<void> {
    try {
      for (const listener of this.readyListeners) {
        await listener();
      }
      await this.openSession();
      this.crashes.sessionOpened();
      this.session.requestStoreKind();
      this.session.connection("ready");
    } catch (error) {
      this.crashes.startFailed();
      this.log.error(`No session could be opened: ${failureText(error)}`);
      this.session.connection("failed", rescueText(error), failureOf(error).kind);
      for (const listener of this.openFailedListeners) {
        void listener(error);
      }
    }
  }

  private async openSession(): Promise<void> {
    const folder = this.folder?.uri.toString();
    if (folder === undefined) {
      return;
    }
    const known = this.session.sessionId ?? this.serverCapabilities?.session?.id;
    if (known !== undefined && this.crashes.mayResume) {
      await this.session.loadOrCreate(folder, known);
    } else {
      await this.session.create(folder);
      this.tellOfSafeStart(known);
    }
  }

  /** What was on the screen is not lost: where it is, is said in the chat. */
  private tellOfSafeStart(known: string | undefined): void {
    if (known !== undefined) {
      const message =
        "The server crashed several times with the last session, so a new one was opened. “Plimsoll: Resume Session…” opens the last one again.";
      this.session.showFailure({ kind: "safeStart", message });
    }
  }

  /** Where the server of this window is looked for; `report` hears what is being done. */
  serverPlace(report: (message: string) => void = () => {}): ServerPlace {
    const server = vscode.workspace.getConfiguration("plimsoll.server");
    return {
      settings: { path: server.get("path", ""), interpreter: server.get("interpreter", "") },
      bundle: new ServerBundle(this.extension.extensionPath),
      storage: this.extension.globalStorageUri.fsPath,
      reporter: { report, log: (text) => this.log.info(text) },
    };
  }

  private findLaunch(): Promise<Launch> {
    const progress = { location: vscode.ProgressLocation.Window, title: "Plimsoll" };
    return Promise.resolve(
      vscode.window.withProgress(progress, () => findLaunch(this.serverPlace())),
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

/** Answers by way of the window: of one that was reloaded or has crashed, this host is left over. */
async function answerFromWindow(): Promise<Empty> {
  await vscode.commands.executeCommand("setContext", "plimsoll.present", true);
  return {};
}
