import type { App } from "../app";
import { showError } from "../editor/notifications";
import { failureText } from "../session/failure";

const LOGS = "Show Logs";

/** Logs what a command could not do, and says it in a notification that leads to the log. */
export async function tellFailure(app: App, command: string, error: unknown): Promise<void> {
  app.log.error(`${command}: ${failureText(error)}`);
  if ((await showError(`Plimsoll: ${failureText(error)}`, LOGS)) === LOGS) {
    app.log.show();
  }
}

/** Work that nobody waits for, as of a list that stays open: a failure is told all the same. */
export function telling(app: App, command: string, work: Promise<void>): void {
  work.catch((error: unknown) => tellFailure(app, command, error));
}
