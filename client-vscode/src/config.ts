import * as vscode from "vscode";
import type { ServerSettings } from "./server/locate";
import { explicitSettings } from "./settings";

const SECTION = "plimsoll";

/** Where the server is to be found. */
export function serverSettings(): ServerSettings {
  const server = vscode.workspace.getConfiguration(`${SECTION}.server`);
  return { path: server.get("path", ""), interpreter: server.get("interpreter", "") };
}

/** The settings of a folder that somebody set, as the tree that the server reads. */
export function settingsTree(
  extension: vscode.Extension<unknown>,
  scope: vscode.Uri | undefined,
): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope);
  return explicitSettings(settingKeys(extension.packageJSON), (key) => configuration.inspect(key));
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
