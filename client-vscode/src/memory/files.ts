import * as vscode from "vscode";
import type { App } from "../app";
import { MemoryUpdateRequest } from "../methods";
import type { Memory } from "../protocol";
import type { MemoryStore } from "./store";
import { editedMemory, memoryText } from "./text";

export const MEMORY_SCHEME = "plimsoll-memory";

interface Version {
  readonly text: string;
  /** Counts up whenever the text changed: the editor compares it. */
  readonly mtime: number;
}

/** The document in which a memory is read and edited; saving it changes the memory. */
export function memoryUri({ id, title }: Memory): vscode.Uri {
  const name = title.replaceAll(/[/\\?#%\s]+/g, " ").trim() || "memory";
  return vscode.Uri.from({ scheme: MEMORY_SCHEME, path: `/${name}.md`, query: id });
}

/** Memories as files of their own scheme. */
export class MemoryFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly versions = new Map<string, Version>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly registration: vscode.Disposable;
  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly app: App,
    private readonly store: MemoryStore,
  ) {
    this.registration = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerFileSystemProvider(MEMORY_SCHEME, this, { isCaseSensitive: true }),
      store.onDidChange(() => this.announce()),
    );
    app.own(this);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    await this.store.listed();
    const { text, mtime } = this.version(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    await this.store.listed();
    return new TextEncoder().encode(this.version(uri).text);
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const edited = editedMemory(new TextDecoder().decode(bytes), this.memory(uri));
    await this.app.request(MemoryUpdateRequest, { memoryId: uri.query, ...edited });
    await this.store.refresh();
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions("Memories are in no folders.");
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions("Forget a memory in the memory view.");
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions("The first line of a memory is its title.");
  }

  dispose(): void {
    this.registration.dispose();
  }

  private memory(uri: vscode.Uri): Memory {
    const memory = this.store.find(uri.query);
    if (memory === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return memory;
  }

  private version(uri: vscode.Uri): Version {
    const text = memoryText(this.memory(uri));
    const known = this.versions.get(uri.query);
    const version = known?.text === text ? known : { text, mtime: (known?.mtime ?? 0) + 1 };
    this.versions.set(uri.query, version);
    return version;
  }

  private announce(): void {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === MEMORY_SCHEME);
    const events = open.map(({ uri }) => ({
      uri,
      type: this.store.find(uri.query)
        ? vscode.FileChangeType.Changed
        : vscode.FileChangeType.Deleted,
    }));
    this.changed.fire(events);
  }
}
