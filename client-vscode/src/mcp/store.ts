import * as vscode from "vscode";
import type { App } from "../app";
import { showWarning } from "../editor/notifications";
import {
  McpAuthorizeRequest,
  McpDidChangeNotification,
  McpListRequest,
  McpRestartRequest,
  McpSetServerRequest,
  McpSetToolRequest,
} from "../methods";
import type { McpServer, McpServersResult } from "../protocol";
import { failureText } from "../session/failure";
import { type ServerAction, serverRow, switchedTools, toolItem } from "./model";

const LOG_IN = "Log In";

/** Keeps the person's MCP servers as the server of Plimsoll knows them, and acts on them. */
export class McpServers implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<readonly McpServer[]>();
  private asking = false;
  private again = false;
  list: readonly McpServer[] = [];
  /** Why none can be used; undefined: they can. */
  unusable: string | undefined;
  readonly onDidChange = this.changed.event;

  constructor(private readonly app: App) {
    app.own(
      this,
      app.session.onAction(({ type }) => {
        if (type === "loaded") {
          void this.refresh();
        }
      }),
    );
    app.onClient((client) => {
      client.onNotification(McpDidChangeNotification, () => this.refresh());
    });
  }

  show({ servers, unusable }: McpServersResult): void {
    this.list = servers;
    this.unusable = unusable;
    this.changed.fire(servers);
    this.app.session.requestReportSoon();
  }

  /** Asks for them once more; what comes meanwhile is asked for afterwards, together. */
  async refresh(): Promise<void> {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    try {
      do {
        this.again = false;
        await this.ask();
      } while (this.again);
    } finally {
      this.asking = false;
    }
  }

  /** Does what a row offers. Raises: the server's failure. */
  async act(action: ServerAction, server: McpServer): Promise<void> {
    await ACTIONS[action](this, this.app, server);
  }

  /** Says why a server that was to start cannot be used, and offers the login that it wants. */
  tellFailed(name: string): void {
    const server = this.list.find((one) => one.name === name);
    if (server?.state === "signIn") {
      // Nobody waits for the answer: the notification may stand for long.
      this.offerLogin(server).catch((error: unknown) => showWarning(failureText(error)));
    } else if (server !== undefined && serverRow(server).failed) {
      void showWarning(serverRow(server).why);
    }
  }

  private async offerLogin(server: McpServer): Promise<void> {
    if ((await showWarning(serverRow(server).why, LOG_IN)) === LOG_IN) {
      await this.act("logIn", server);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async ask(): Promise<void> {
    const served = this.app.serverCapabilities?.methods.includes(McpListRequest.method);
    const sessionId = this.app.session.state.session?.id;
    if (!served || sessionId === undefined) {
      return;
    }
    try {
      const { servers, unusable } = await this.app.request(McpListRequest, { sessionId });
      this.list = servers;
      this.unusable = unusable;
      this.changed.fire(servers);
    } catch (failure) {
      this.app.log.warn(`Could not list the MCP servers: ${failureText(failure)}`);
    }
  }
}

type Perform = (servers: McpServers, app: App, server: McpServer) => Promise<void>;

const ACTIONS: Readonly<Record<ServerAction, Perform>> = {
  tools: switchTools,
  on: (servers, app, server) => switchServer(servers, app, server, true),
  off: (servers, app, server) => switchServer(servers, app, server, false),
  restart: async (servers, app, { name }) => {
    const params = { sessionId: app.session.requiredId(), server: name };
    await waitingFor(`Plimsoll: starting ${name}`, async () =>
      servers.show(await app.request(McpRestartRequest, params)),
    );
    servers.tellFailed(name);
  },
  logIn: async (servers, app, { name }) => {
    const params = { sessionId: app.session.requiredId(), server: name };
    await waitingFor(`Plimsoll: log in at ${name} in the browser`, async () =>
      servers.show(await app.request(McpAuthorizeRequest, params)),
    );
    servers.tellFailed(name);
  },
};

async function switchServer(
  servers: McpServers,
  app: App,
  { name }: McpServer,
  enabled: boolean,
): Promise<void> {
  const params = { sessionId: app.session.requiredId(), server: name, enabled };
  servers.show(await app.request(McpSetServerRequest, params));
}

/** Lists the tools of a server; what is ticked can be used. */
async function switchTools(servers: McpServers, app: App, server: McpServer): Promise<void> {
  const picked = await vscode.window.showQuickPick(server.tools.map(toolItem), {
    title: `Tools of ${server.name}`,
    placeHolder: "Ticked tools can be found and used; each use asks",
    canPickMany: true,
    matchOnDetail: true,
  });
  if (picked === undefined) {
    return;
  }
  const sessionId = app.session.requiredId();
  for (const change of switchedTools(server.tools, new Set(picked.map(({ name }) => name)))) {
    servers.show(
      await app.request(McpSetToolRequest, { sessionId, server: server.name, ...change }),
    );
  }
}

async function waitingFor(title: string, work: () => Promise<void>): Promise<void> {
  const location = vscode.ProgressLocation.Notification;
  await vscode.window.withProgress({ location, title }, work);
}
