import * as vscode from "vscode";
import type { App } from "../app";
import { amountText, limitChoices, limitText, wrongLimit } from "../context/spending";
import { showInformation } from "../editor/notifications";
import { DidChangeSettingsNotification, SessionCostRequest } from "../methods";
import type { SpendLimit } from "../protocol";
import { settingId } from "../session/settingNames";

/** Asks for the new amount of a spend limit and keeps it in the person's own settings. */
export function raiseSpendLimit(app: App) {
  const taken = new vscode.EventEmitter<void>();
  app.own(taken);
  app.onClient((client) => {
    client.onNotification(DidChangeSettingsNotification, () => taken.fire());
  });
  return async (setting?: unknown) => {
    const sessionId = app.session.requiredId();
    const { total } = await app.request(SessionCostRequest, { sessionId });
    const choices = limitChoices(total?.limits ?? []);
    const named = choices.find((limit) => limit.setting === setting);
    const limit = named ?? (await chosen(choices));
    const amount = limit && (await askedAmount(limit));
    if (limit === undefined || amount === undefined) {
      return;
    }
    const followed = nextOf(taken.event);
    // A repository carries workspace settings, so what may be spent counts in the user's alone.
    await vscode.workspace
      .getConfiguration()
      .update(settingId(limit.setting), amount, vscode.ConfigurationTarget.Global);
    await followed;
    const most = await limitNow(app, limit.setting);
    void showInformation(
      most === amount
        ? `The limit is ${amountText(amount, limit.unit)} now.`
        : `The limit is still ${amountText(most, limit.unit)}: a settings file or an environment variable sets it.`,
    );
    app.session.requestReportSoon();
  };
}

async function chosen(choices: readonly SpendLimit[]): Promise<SpendLimit | undefined> {
  const set = choices.filter(({ most }) => most > 0);
  if (set.length === 1) {
    return set[0];
  }
  const items = (set.length > 0 ? set : choices).map((limit) => ({
    label: limitText(limit),
    limit,
  }));
  return (await vscode.window.showQuickPick(items, { title: "Which spend limit?" }))?.limit;
}

async function askedAmount(limit: SpendLimit): Promise<number | undefined> {
  const given = await vscode.window.showInputBox({
    title: limitText(limit),
    prompt: limit.unit === "money" ? "The new limit, in US dollars" : "The new limit, in tokens",
    value: limit.most > 0 ? String(2 * limit.most) : "",
    validateInput: (text) => wrongLimit(limit, text),
  });
  return given === undefined ? undefined : Number(given);
}

/** A server that does not tell, as an older one, has followed the settings by then, in milliseconds. */
const FOLLOWS_WITHIN = 2_000;

/** Settles with the next word that the server has taken the settings. */
function nextOf(taken: vscode.Event<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, FOLLOWS_WITHIN);
    const heard = taken(done);
    function done(): void {
      clearTimeout(timer);
      heard.dispose();
      resolve();
    }
  });
}

/** The limit that holds. */
async function limitNow(app: App, setting: string): Promise<number> {
  const sessionId = app.session.requiredId();
  const { total } = await app.request(SessionCostRequest, { sessionId });
  return total?.limits.find((limit) => limit.setting === setting)?.most ?? 0;
}
