import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as path from "node:path";

/** The server that the extension carries. */
export class ServerBundle {
  private readonly folder: string;

  constructor(extensionPath: string) {
    this.folder = path.join(extensionPath, "bundled");
  }

  /** Says which Python runs it. */
  get describer(): string {
    return path.join(this.folder, "describe.py");
  }

  /**
   * Runs the carried server, with the carried libraries in a Python that they were built for; they are on the
   * path of the server alone, not of what it starts.
   */
  get launcher(): string {
    return path.join(this.folder, "launch.py");
  }

  get lock(): string {
    return path.join(this.folder, "runtime.lock");
  }

  /** The tag of the Python that the carried libraries were built for; undefined without a bundle. */
  async tag(): Promise<string | undefined> {
    return (await this.record())?.tag;
  }

  /** Names the content, so that an environment made of it is made anew after an update. */
  async fingerprint(): Promise<string> {
    return (await this.record())?.fingerprint ?? "none";
  }

  private async record(): Promise<{ tag: string; fingerprint: string } | undefined> {
    const file = path.join(this.folder, "python.json");
    return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : undefined;
  }
}
