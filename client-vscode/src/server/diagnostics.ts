import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { showInformation } from "../editor/notifications";
import { StatusRequest } from "../methods";
import type { StatusResult } from "../protocol";
import type { ServerConnection } from "../session/serverConnection";
import { diagnosticsText } from "../text/diagnostics";
import { settingsSet } from "./client";

const LOG_LINES = 40;

/** Copies what a report of a defect needs, without a word of any conversation. */
export function copyDiagnostics(server: ServerConnection, extension: vscode.Extension<unknown>) {
  return async () => {
    const status = await answered(server);
    const text = diagnosticsText({
      versions: versions(extension, status),
      settings: settingsSet(extension),
      status,
      logLines: await lastLines(status?.log?.path),
      home: homedir(),
    });
    await vscode.env.clipboard.writeText(text);
    void showInformation(
      "The diagnostics are on the clipboard: look at them before you share them.",
    );
  };
}

/** The status; none where the server does not run, which is what the report is to say. */
async function answered(server: ServerConnection): Promise<StatusResult | undefined> {
  try {
    return await server.request(StatusRequest, {});
  } catch {
    return undefined;
  }
}

function versions(
  extension: vscode.Extension<unknown>,
  status: StatusResult | undefined,
): Record<string, string> {
  return {
    extension: (extension.packageJSON as { version: string }).version,
    server: status?.version ?? "not running",
    [vscode.env.appName]: vscode.version,
    system: `${process.platform} ${process.arch}`,
    remote: vscode.env.remoteName ?? "no",
  };
}

async function lastLines(path: string | undefined): Promise<string[]> {
  if (path === undefined) {
    return [];
  }
  try {
    return (await readFile(path, "utf8")).trimEnd().split("\n").slice(-LOG_LINES);
  } catch (error) {
    return [`the log cannot be read: ${(error as NodeJS.ErrnoException).code}`];
  }
}
