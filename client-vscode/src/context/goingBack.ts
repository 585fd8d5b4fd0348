import type { App } from "../app";
import type { SessionResult } from "../protocol";
import { restoredText } from "../text/restored";

/** Shows what an undone rewind brought back: the conversation, and the files that it had put back. */
export async function showBroughtBack(app: App, { session, files }: SessionResult): Promise<void> {
  await app.session.load(session.workspaceFolder, session.id);
  const told = ["What had left the conversation is back.", restoredText(files ?? [], 0)];
  app.session.dispatch({ type: "wentBack", markdown: told.filter(Boolean).join("\n\n") });
}
