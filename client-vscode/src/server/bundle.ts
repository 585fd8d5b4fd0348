import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";

/** The server that the extension carries. */
export class ServerBundle {
  private readonly folder: string;

  constructor(extensionPath: string) {
    this.folder = path.join(extensionPath, "bundled");
  }

  /** Puts the carried libraries on the path of the server alone, not of what it starts. */
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

  /** The wheel of the server. Raises: an error when the extension carries none. */
  async wheel(): Promise<string> {
    const names = existsSync(this.folder) ? await readdir(this.folder) : [];
    const name = names.find((one) => one.endsWith(".whl"));
    if (name === undefined) {
      throw new Error(
        "This build of the extension carries no server. Set plimsoll.server.path or plimsoll.server.interpreter.",
      );
    }
    return path.join(this.folder, name);
  }

  private async record(): Promise<{ tag: string; fingerprint: string } | undefined> {
    const file = path.join(this.folder, "python.json");
    return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : undefined;
  }
}
