import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import * as vscode from "vscode";
import { foldersOf, type Mention, mentions } from "../session/content";

/** More than a person reads in a list. */
const SHOWN_FILES = 20;
const SEARCHED_FILES = 200;
const LISTED_FILES = 5_000;

/** Files of a folder whose path holds the query, the ones whose name begins with it first. */
export async function findFiles(folder: vscode.WorkspaceFolder, query: string): Promise<string[]> {
  const name = query.replaceAll(/[*?{}[\]]/g, "");
  const pattern = new vscode.RelativePattern(folder, `**/*${anyCase(name)}*`);
  const inFolder = new vscode.RelativePattern(folder, `**/*${anyCase(name)}*/**`);
  const found = await Promise.all(
    [pattern, inFolder].map((one) => vscode.workspace.findFiles(one, undefined, SEARCHED_FILES)),
  );
  const paths = new Set(found.flat().map((uri) => vscode.workspace.asRelativePath(uri, false)));
  return [...paths]
    .sort((a, b) => rank(a, name) - rank(b, name) || a.length - b.length)
    .slice(0, SHOWN_FILES);
}

/** Folders in which there are files, whose path holds the query. */
export async function findFolders(
  folder: vscode.WorkspaceFolder,
  query: string,
): Promise<string[]> {
  const everything = new vscode.RelativePattern(folder, "**/*");
  const found = await vscode.workspace.findFiles(everything, undefined, LISTED_FILES);
  const paths = found.map((uri) => vscode.workspace.asRelativePath(uri, false));
  return foldersOf(paths)
    .filter((path) => path.toLowerCase().includes(query.toLowerCase()))
    .slice(0, SHOWN_FILES);
}

function anyCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

function rank(path: string, name: string): number {
  const base = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return base.startsWith(name.toLowerCase()) ? 0 : 1;
}

export interface MentionedFile {
  readonly uri: string;
  readonly lines?: readonly [number, number];
}

/**
 * The files that a text mentions and that exist; the rest stays text.
 * Raises: an error for one outside the folder, which a text that was pasted could name.
 */
export async function mentionedFiles(
  folder: vscode.WorkspaceFolder,
  text: string,
): Promise<MentionedFile[]> {
  const found = await Promise.all(mentions(text).map((mention) => existing(folder, mention)));
  return found.filter((file) => file !== undefined);
}

async function existing(
  folder: vscode.WorkspaceFolder,
  { path, lines }: Mention,
): Promise<MentionedFile | undefined> {
  for (const uri of places(folder, path)) {
    if (await isMentionable(uri)) {
      if (isInside(folder, uri)) {
        return { uri: uri.toString(), ...(lines ? { lines } : {}) };
      }
      throw new Error(
        `The file was not attached: ${path} is outside the folder. ` +
          "Send a selection of it instead (“Plimsoll: Add Selection to Chat”).",
      );
    }
  }
  return undefined;
}

/** Where a mention may stand: `/src/a.py` is one of the folder first, then one of the disk. */
function places(folder: vscode.WorkspaceFolder, path: string): vscode.Uri[] {
  const inFolder = vscode.Uri.joinPath(folder.uri, path);
  return path.startsWith("/") ? [inFolder, folder.uri.with({ path })] : [inFolder];
}

/** A path of the folder as a URI; undefined when it leads out of it. */
export function inside(folder: vscode.WorkspaceFolder, path: string): vscode.Uri | undefined {
  const uri = vscode.Uri.joinPath(folder.uri, path);
  return isInside(folder, uri) ? uri : undefined;
}

/** Whether a file or folder lies below a workspace folder, by its path alone. */
export function isInside(folder: vscode.WorkspaceFolder, uri: vscode.Uri): boolean {
  return uri.path.startsWith(`${folder.uri.path}/`);
}

/** Whether a file lies below a folder also where the links on its way lead; both are there. */
export async function staysInside(folder: string, file: string): Promise<boolean> {
  const [root, place] = await Promise.all([realpath(folder), realpath(file)]);
  return place.startsWith(`${root}${sep}`);
}

/** A file, or a folder that is written as one, with a slash at its end: `@name` alone is a person. */
async function isMentionable(uri: vscode.Uri): Promise<boolean> {
  const type = await fileType(uri);
  return type !== undefined && (!(type & vscode.FileType.Directory) || uri.path.endsWith("/"));
}

/** What stands at an address; nothing where nothing does. */
export async function fileType(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) {
      return undefined;
    }
    throw error;
  }
}
