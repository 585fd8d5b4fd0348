/** What is used of the public API of VS Code's own git extension (`vscode.git`, version 1). */
export interface GitApi {
  readonly repositories: readonly Repository[];
  getRepository(uri: RepositoryPlace): Repository | null;
}

export interface Repository {
  readonly rootUri: RepositoryPlace;
  readonly inputBox: InputBox;
}

/** The field of a repository's commit message in the source control view. */
export interface InputBox {
  value: string;
}

interface RepositoryPlace {
  readonly fsPath: string;
}

/** The repository of the folder that Plimsoll works in: no other is read for it. */
export function repositoryOf<T extends RepositoryPlace>(api: GitApi, folder: T): Repository {
  const { fsPath } = folder;
  const holds = ({ rootUri }: Repository) => `${fsPath}/`.startsWith(`${rootUri.fsPath}/`);
  const found =
    api.getRepository(folder) ??
    api.repositories
      .filter(holds)
      .toSorted((a, b) => b.rootUri.fsPath.length - a.rootUri.fsPath.length)[0];
  if (found === undefined) {
    throw new Error(`VS Code knows no git repository of ${fsPath}, where Plimsoll works.`);
  }
  return found;
}
