import * as vscode from "vscode";
import type { App } from "../app";
import { isInside } from "../chat/files";
import {
  EditorDefinitionRequest,
  EditorDiagnosticsRequest,
  EditorReferencesRequest,
  EditorRenameRequest,
  EditorSymbolsRequest,
} from "../methods";
import type {
  EditorDiagnosticsParams,
  EditorDiagnosticsResult,
  EditorLocationsResult,
  EditorPositionParams,
  EditorRenameParams,
  EditorRenameResult,
  EditorSymbol,
  EditorSymbolsParams,
  EditorSymbolsResult,
  Range,
} from "../protocol";
import { DiagnosticsWatch } from "./diagnosticsWatch";

/** Answers the server out of what the language extensions of this editor know of the code. */
export function answerAboutCode(app: App): void {
  const watch = new DiagnosticsWatch();
  app.own(watch);
  app.onClient((client) => {
    client.onRequest(EditorSymbolsRequest, symbols);
    client.onRequest(EditorDefinitionRequest, (params) =>
      locations("vscode.executeDefinitionProvider", params),
    );
    client.onRequest(EditorReferencesRequest, (params) =>
      locations("vscode.executeReferenceProvider", params),
    );
    client.onRequest(EditorDiagnosticsRequest, (params) => diagnostics(watch, params));
    client.onRequest(EditorRenameRequest, rename);
  });
}

type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

async function symbols(params: EditorSymbolsParams): Promise<EditorSymbolsResult> {
  if (params.uri !== undefined) {
    const uri = await opened(params.uri);
    const outline = await vscode.commands.executeCommand<AnySymbol[] | undefined>(
      "vscode.executeDocumentSymbolProvider",
      uri,
    );
    return { symbols: (outline ?? []).map(symbolOf) };
  }
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    "vscode.executeWorkspaceSymbolProvider",
    params.query ?? "",
  );
  const folder = folderOf(params.workspaceFolder);
  const inside = (found ?? []).filter(({ location }) => isInside(folder, location.uri));
  return { symbols: inside.map(symbolOf) };
}

function symbolOf(symbol: AnySymbol): EditorSymbol {
  // LSP counts kinds from 1.
  const about = { name: symbol.name, kind: symbol.kind + 1 };
  if ("location" in symbol) {
    const { uri, range } = symbol.location;
    const { containerName } = symbol;
    return { ...about, uri: uri.toString(), range: rangeOf(range), containerName, children: [] };
  }
  return {
    ...about,
    range: rangeOf(symbol.range),
    selectionRange: rangeOf(symbol.selectionRange),
    children: symbol.children.map(symbolOf),
  };
}

async function locations(
  provider: string,
  { uri, position }: EditorPositionParams,
): Promise<EditorLocationsResult> {
  const found = await vscode.commands.executeCommand<
    (vscode.Location | vscode.LocationLink)[] | undefined
  >(provider, await opened(uri), positionOf(position));
  return {
    locations: (found ?? []).map((each) =>
      "targetUri" in each
        ? {
            uri: each.targetUri.toString(),
            range: rangeOf(each.targetSelectionRange ?? each.targetRange),
          }
        : { uri: each.uri.toString(), range: rangeOf(each.range) },
    ),
  };
}

async function rename(params: EditorRenameParams): Promise<EditorRenameResult> {
  const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
    "vscode.executeDocumentRenameProvider",
    await opened(params.uri),
    positionOf(params.position),
    params.newName,
  );
  const files = edit?.entries() ?? [];
  return {
    files: files.map(([uri, edits]) => ({
      uri: uri.toString(),
      edits: edits.map(({ range, newText }) => ({ range: rangeOf(range), newText })),
    })),
    positionEncoding: "utf-16",
    otherChanges: (edit?.size ?? 0) - files.length,
  };
}

async function diagnostics(
  watch: DiagnosticsWatch,
  params: EditorDiagnosticsParams,
): Promise<EditorDiagnosticsResult> {
  const asked = (params.uris ?? []).map((uri) => vscode.Uri.parse(uri));
  if (asked.length === 0) {
    const folder = folderOf(params.workspaceFolder);
    const all = vscode.languages.getDiagnostics().filter(([uri]) => isInside(folder, uri));
    return { files: all.map(([uri, list]) => fileOf(uri, list)) };
  }
  if (params.changed) {
    await Promise.all(asked.map((uri) => vscode.workspace.openTextDocument(uri)));
    await watch.settled(asked, (params.waitSeconds ?? 0) * 1000);
  }
  const known = asked.filter((uri) => watch.knows(uri));
  return { files: known.map((uri) => fileOf(uri, vscode.languages.getDiagnostics(uri))) };
}

function fileOf(uri: vscode.Uri, list: readonly vscode.Diagnostic[]) {
  return {
    uri: uri.toString(),
    diagnostics: list.map(({ range, severity, message, source, code }) => {
      const named = typeof code === "object" ? code.value : code;
      const told = { range: rangeOf(range), severity: severity + 1, message };
      return {
        ...told,
        ...(source === undefined ? {} : { source }),
        ...(named === undefined ? {} : { code: named }),
      };
    }),
  };
}

/** Language extensions answer for documents that are open; opened so, a document shows nowhere. */
async function opened(uri: string): Promise<vscode.Uri> {
  return (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).uri;
}

/** Raises: an error where the folder is not open here. */
function folderOf(uri: string | undefined): vscode.WorkspaceFolder {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.find((one) => one.uri.fsPath === vscode.Uri.parse(uri ?? "").fsPath);
  if (folder === undefined) {
    throw new Error(`The folder ${uri} is not open in this window.`);
  }
  return folder;
}

function positionOf({ line, character }: Range["start"]): vscode.Position {
  return new vscode.Position(line, character);
}

function rangeOf({ start, end }: vscode.Range): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
