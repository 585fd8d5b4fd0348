import * as vscode from "vscode";
import type { App } from "../app";
import { MemoryDidChangeNotification, MemoryListRequest } from "../methods";
import type { Memory } from "../protocol";
import { failureText } from "../session/failure";

/** The state of a folder's memories. */
export interface MemoryList {
  /** Undefined until a server has said what it offers. */
  readonly served: boolean | undefined;
  readonly memories: readonly Memory[];
  /** Why the memories could not be listed. */
  readonly error: string;
}

/** Memories that come in one message. */
const PAGE = 500;

/** Keeps the memories of the open folder as the server has them. */
export class MemoryStore implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<MemoryList>();
  private folder: string | undefined;
  list: MemoryList = { served: undefined, memories: [], error: "" };
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
      client.onNotification(MemoryDidChangeNotification, () => this.refresh());
    });
    app.onReady(() => this.refresh());
  }

  find(id: string): Memory | undefined {
    return this.list.memories.find((memory) => memory.id === id);
  }

  /** The folder whose memories these are. Raises: an error when none is open. */
  requiredFolder(): string {
    const folder = this.app.folder?.uri.toString();
    if (folder === undefined) {
      throw new Error("No folder is open: memories belong to one.");
    }
    return folder;
  }

  async refresh(): Promise<void> {
    this.folder = this.app.folder?.uri.toString();
    this.list = await this.ask(this.folder);
    this.changed.fire(this.list);
  }

  /** Returns when a server has listed them, or none will: a document may be opened before one runs. */
  async listed(): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting: vscode.Disposable[] = [];
      const look = () => {
        const { connection } = this.app.session.state;
        if (
          this.list.served !== undefined ||
          connection === "failed" ||
          connection === "noFolder"
        ) {
          vscode.Disposable.from(...waiting).dispose();
          resolve();
        }
      };
      waiting.push(this.onDidChange(look), this.app.session.onAction(look));
      look();
    });
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** All memories, part after part: a store may hold more than one message should. */
  private async all(workspaceFolder: string): Promise<Memory[]> {
    const found: Memory[] = [];
    let cursor: string | undefined;
    do {
      const page = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      const part = await this.app.request(MemoryListRequest, { workspaceFolder, ...page });
      found.push(...part.memories);
      cursor = part.nextCursor;
    } while (cursor !== undefined);
    return found;
  }

  private async ask(workspaceFolder: string | undefined): Promise<MemoryList> {
    const served = this.app.serverCapabilities?.methods.includes(MemoryListRequest.method);
    if (!served || workspaceFolder === undefined) {
      return { served, memories: [], error: "" };
    }
    try {
      return { served, memories: await this.all(workspaceFolder), error: "" };
    } catch (failure) {
      this.app.log.warn(`Could not list the memories: ${failureText(failure)}`);
      return { served, memories: [], error: failureText(failure) };
    }
  }
}
