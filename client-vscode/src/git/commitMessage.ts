import * as vscode from "vscode";
import type { App } from "../app";
import { showError, showWarning } from "../editor/notifications";
import { SessionCommitMessageRequest } from "../methods";
import { failureText } from "../session/failure";
import { type Asking, fillBox, type Wish } from "./fillBox";
import { type GitApi, repositoryOf } from "./repositories";

const TITLE = "Write Commit Message";
const RETRY = "Retry";
const REPLACE = "Replace It";

/** Writes a message for what is staged, else for all changes, into the source control view. */
export function writeCommitMessage(app: App) {
  return async () => {
    const sessionId = app.session.requiredId();
    const folder = app.folder;
    if (folder === undefined) {
      throw new Error("Open a folder first.");
    }
    const { inputBox } = repositoryOf(await gitApi(), folder.uri);
    await fillBox(inputBox, asking(app, sessionId));
  };
}

async function gitApi(): Promise<GitApi> {
  const git = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
  if (git === undefined) {
    throw new Error("VS Code's Git extension is switched off, which holds the field for it.");
  }
  return (await git.activate()).getAPI(1);
}

function asking(app: App, sessionId: string): Asking {
  return {
    write: (beginning) => write(app, sessionId, beginning),
    wish,
    async again(error) {
      app.log.error(`${TITLE}: ${failureText(error)}`);
      return (await showError(`No commit message: ${failureText(error)}`, RETRY)) === RETRY;
    },
    async overwrite() {
      const said = "The commit message was changed while Plimsoll wrote one.";
      return (await showWarning(said, REPLACE)) === REPLACE;
    },
  };
}

async function write(app: App, sessionId: string, beginning: string): Promise<string | undefined> {
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: "Plimsoll: writing a commit message",
    cancellable: true,
  };
  const params = { sessionId, ...(beginning ? { beginning } : {}) };
  return vscode.window.withProgress(progress, async (_, token) => {
    try {
      const client = await app.started();
      return (await client.sendRequest(SessionCommitMessageRequest, params, token)).message;
    } catch (error) {
      if (token.isCancellationRequested) {
        return undefined;
      }
      throw error;
    }
  });
}

async function wish(text: string): Promise<Wish | undefined> {
  const [line = ""] = text.split("\n");
  const choices: (vscode.QuickPickItem & { wish: Wish })[] = [
    { label: "Keep it as the beginning", description: line, wish: "begin" },
    { label: "Replace it", wish: "replace" },
  ];
  const options = { title: `${TITLE}: there is a text already` };
  return (await vscode.window.showQuickPick(choices, options))?.wish;
}
