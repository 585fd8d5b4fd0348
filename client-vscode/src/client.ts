import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { settingsTree } from "./config";
import { type PlimsollOptions, PROTOCOL_VERSION } from "./protocol";
import type { Launch } from "./server/launch";

export interface ClientSetup {
  readonly launch: Launch;
  readonly extension: vscode.Extension<unknown>;
  readonly folder: vscode.WorkspaceFolder;
  readonly log: vscode.LogOutputChannel;
  /** The session to carry on with; undefined after crashes, when a stored session may be the cause. */
  resume(): "latest" | undefined;
}

/** Makes the client; it is started by its owner. */
export function createClient(setup: ClientSetup): LanguageClient {
  const { command, args, cwd } = setup.launch;
  const executable = { command, args: [...args], options: { cwd } };
  return new LanguageClient("plimsoll", "Plimsoll", executable, clientOptions(setup));
}

function clientOptions(setup: ClientSetup): LanguageClientOptions {
  return {
    // Open buffers are the truth: the server reads what stands in the editor, saved or not.
    documentSelector: [{ scheme: "file" }],
    outputChannel: setup.log,
    traceOutputChannel: setup.log,
    initializationOptions: () => ({ plimsoll: options(setup) }),
    middleware: {
      workspace: {
        configuration: (params, token, next) =>
          params.items.every((item) => item.section === "plimsoll")
            ? params.items.map((item) =>
                settingsTree(
                  setup.extension,
                  item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined,
                ),
              )
            : next(params, token),
      },
    },
  };
}

function options(setup: ClientSetup): PlimsollOptions {
  const resume = setup.resume();
  const ripgrepPath = ripgrep(vscode.env.appRoot);
  return {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: { sessionUpdates: true, permission: true, lenses: false },
    settings: settingsTree(setup.extension, setup.folder.uri),
    trusted: vscode.workspace.isTrusted,
    ...(ripgrepPath ? { ripgrepPath } : {}),
    ...(resume ? { resume } : {}),
  };
}

/** The ripgrep that VS Code ships, wherever this version keeps it. */
function ripgrep(appRoot: string): string | undefined {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  const platform = `${process.platform}-${process.arch}`;
  return ["node_modules", "node_modules.asar.unpacked"]
    .flatMap((modules) => [
      path.join(appRoot, modules, "@vscode", "ripgrep", "bin", name),
      path.join(appRoot, modules, "@vscode", "ripgrep-universal", "bin", platform, name),
    ])
    .find((candidate) => existsSync(candidate));
}
