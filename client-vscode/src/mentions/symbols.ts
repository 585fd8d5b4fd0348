import * as vscode from "vscode";
import { isInside } from "../chat/files";
import type { FilePart } from "../protocol";
import { namedSymbol, type OfferedSymbol, symbolQuery } from "./kinds";
import { wholeRange } from "./symbolRange";

const SHOWN_SYMBOLS = 20;

interface FoundSymbol extends OfferedSymbol {
  readonly location: vscode.Location;
}

/** Symbols of the folder whose name holds the query, as the editor's language extensions find them. */
export async function findSymbols(
  folder: vscode.WorkspaceFolder,
  query: string,
): Promise<OfferedSymbol[]> {
  const found = await search(folder, query);
  return found.slice(0, SHOWN_SYMBOLS).map(({ name, path }) => ({ name, path }));
}

/**
 * The lines of a symbol that a text mentions.
 * Raises: an error that says that none is found.
 */
export async function symbolPart(
  folder: vscode.WorkspaceFolder,
  wanted: string,
): Promise<FilePart> {
  const found = namedSymbol(wanted, await search(folder, symbolQuery(wanted)));
  if (found === undefined) {
    throw new Error(
      `@symbol: nothing named “${wanted}” was found in the folder. Symbols come from the editor's ` +
        "language extensions: is one installed, and has it read the project? Or name the file.",
    );
  }
  const { uri, range } = found.location;
  const { start, end } = wholeRange(await outline(uri), found.name, range);
  const first = { line: start.line, character: 0 };
  return {
    type: "file",
    uri: uri.toString(),
    range: { start: first, end: { line: end.line + 1, character: 0 } },
  };
}

async function search(folder: vscode.WorkspaceFolder, query: string): Promise<FoundSymbol[]> {
  const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    "vscode.executeWorkspaceSymbolProvider",
    query,
  );
  return (symbols ?? [])
    .filter(({ location: { uri } }) => isInside(folder, uri))
    .map(({ name, location }) => ({
      name,
      location,
      path: vscode.workspace.asRelativePath(location.uri, false),
    }));
}

async function outline(uri: vscode.Uri): Promise<readonly vscode.DocumentSymbol[]> {
  const found = await vscode.commands.executeCommand<
    (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >("vscode.executeDocumentSymbolProvider", uri);
  return (found ?? []).filter((one): one is vscode.DocumentSymbol => "children" in one);
}
