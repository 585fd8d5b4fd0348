import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import { unshownFiles } from "../editor/unshown";
import { type PlimsollOptions, PROTOCOL_VERSION } from "../protocol";
import { lensTitle } from "../text/format";
import { editorNetwork, withEditorNetwork } from "./editorNetwork";
import type { ServerProcess } from "./process";
import { explicitSettings } from "./settings";

export interface ClientSetup {
  readonly server: ServerProcess;
  readonly extension: vscode.Extension<unknown>;
  readonly folder: vscode.WorkspaceFolder;
  readonly log: vscode.LogOutputChannel;
  /**
   * The id of the session to carry on with, or `latest`; undefined after crashes, when a stored
   * session may be the cause.
   */
  resume(): string | undefined;
  /** The server ended by itself; true starts it again. */
  serverExited(): Promise<boolean>;
  /** A command of the server, as a lens runs it, has its answer. */
  commandAnswered(command: string, answer: unknown): Promise<void>;
}

/** Logs what went wrong and shows no notification: a failure is told once, in the chat. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Makes the client; it is started by its owner. */
export function createClient(setup: ClientSetup): LanguageClient {
  const start = () => setup.server.start();
  return new QuietClient("plimsoll", "Plimsoll", start, clientOptions(setup));
}

function clientOptions(setup: ClientSetup): LanguageClientOptions {
  return {
    // Open buffers are the truth: the server reads what stands in the editor, saved or not.
    documentSelector: [{ scheme: "file" }],
    outputChannel: setup.log,
    traceOutputChannel: setup.log,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: async () => ({
        action: (await setup.serverExited()) ? CloseAction.Restart : CloseAction.DoNotRestart,
        handled: true,
      }),
    },
    initializationOptions: () => ({ plimsoll: options(setup) }),
    middleware: {
      provideCodeLenses: async (document, token, next) =>
        (await next(document, token))?.map(withLensTitle),
      executeCommand: async (command, args, next) => {
        const answer: unknown = await next(command, args);
        await setup.commandAnswered(command, answer);
        return answer;
      },
      workspace: {
        handleApplyEdit: async (params, next) => {
          const unshown = unshownFiles(params.edit);
          const answer = await next(params, new vscode.CancellationTokenSource().token);
          if ("applied" in answer && answer.applied) {
            await Promise.all(unshown.map((document) => document.save()));
          }
          return answer;
        },
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

function withLensTitle(lens: vscode.CodeLens): vscode.CodeLens {
  if (lens.command !== undefined) {
    lens.command = { ...lens.command, title: lensTitle(lens.command.title) };
  }
  return lens;
}

function options(setup: ClientSetup): PlimsollOptions {
  const resume = setup.resume();
  const ripgrepPath = ripgrep(vscode.env.appRoot);
  return {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {
      sessionUpdates: true,
      permission: true,
      lenses: true,
      plans: true,
      editorKnowledge: true,
      presence: true,
      team: true,
    },
    settings: settingsTree(setup.extension, setup.folder.uri),
    trusted: vscode.workspace.isTrusted,
    windowName: vscode.env.appName,
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

const SECTION = "plimsoll";

/** The settings of a folder that somebody set, as the tree that the server reads. */
function settingsTree(
  extension: vscode.Extension<unknown>,
  scope: vscode.Uri | undefined,
): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope);
  const own = explicitSettings(settingKeys(extension.packageJSON), (key) =>
    configuration.inspect(key),
  );
  const editors = vscode.workspace.getConfiguration();
  return withEditorNetwork(
    own,
    editorNetwork((key) => editors.inspect(key)),
  );
}

/** The settings that somebody set, by their keys; those of the client itself are among them. */
export function settingsSet(extension: vscode.Extension<unknown>): [string, unknown][] {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const set = (key: string) => {
    const found = configuration.inspect(key);
    return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
  };
  return settingKeys(extension.packageJSON)
    .map((key): [string, unknown] => [key, set(key)])
    .filter(([, value]) => value !== undefined);
}

interface Manifest {
  contributes: { configuration: { properties: Record<string, unknown> }[] };
}

/** The keys that the extension declares, without the section. */
function settingKeys(manifest: Manifest): string[] {
  return manifest.contributes.configuration
    .flatMap(({ properties }) => Object.keys(properties))
    .map((key) => key.slice(SECTION.length + 1));
}
