import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import type { Lock } from "./extras";
import { StartFailure } from "./locate";

/** What every start needs of what the extension carries. */
const PARTS = ["python.json", "describe.py", "launch.py", "locks", "server", "libs"] as const;

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
   * Runs the carried server, with the carried libraries in a Python that they were built for; they
   * are on the path of the server alone, not of what it starts.
   */
  get launcher(): string {
    return path.join(this.folder, "launch.py");
  }

  /** The file with the versions and hashes of libraries. */
  lock(name: Lock): string {
    return path.join(this.folder, "locks", `${name}.lock`);
  }

  /** Names what a lock file says, so that another version of it is known as such. */
  async lockHash(name: Lock): Promise<string> {
    return createHash("sha256")
      .update(await readFile(this.lock(name)))
      .digest("hex");
  }

  /**
   * The tag of the Python that the carried libraries were built for.
   *
   * Raises: `StartFailure` when a part of the bundle is missing or damaged.
   */
  async tag(): Promise<string> {
    const missing = PARTS.find((name) => !existsSync(path.join(this.folder, name)));
    if (missing !== undefined) {
      throw damaged(missing, "is missing");
    }
    const [record] = PARTS;
    const tag = tagOf(await readFile(path.join(this.folder, record), "utf8"));
    if (tag === undefined) {
      throw damaged(record, "cannot be read");
    }
    return tag;
  }
}

/** The tag that the record of the bundle names; undefined when it is no such record. */
export function tagOf(record: string): string | undefined {
  try {
    const { tag } = JSON.parse(record) as { tag?: unknown };
    return typeof tag === "string" ? tag : undefined;
  } catch {
    return undefined;
  }
}

function damaged(part: string, how: string): StartFailure {
  return new StartFailure(
    "bundleDamaged",
    `The server that this extension carries is damaged: bundled/${part} ${how}. Install the extension again.`,
  );
}
