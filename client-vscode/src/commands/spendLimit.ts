import * as vscode from "vscode";
import type { App } from "../app";
import type { ReportView } from "../context/reportView";
import { amountText, limitChoices, limitText, wrongLimit } from "../context/spending";
import { showInformation } from "../editor/notifications";
import { SessionCostRequest } from "../methods";
import type { SpendLimit } from "../protocol";
import { settingId } from "../session/settingNames";

/** Asks for the new amount of a spend limit and keeps it in the person's own settings. */
export function raiseSpendLimit(app: App, report: ReportView) {
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
    // A repository carries workspace settings, so what may be spent counts in the user's alone.
    await vscode.workspace
      .getConfiguration()
      .update(settingId(limit.setting), amount, vscode.ConfigurationTarget.Global);
    const most = await followed(app, limit.setting, amount);
    void showInformation(
      most === amount
        ? `The limit is ${amountText(amount, limit.unit)} now.`
        : `The limit is still ${amountText(most, limit.unit)}: a settings file or an environment variable sets it.`,
    );
    await report.refresh();
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

/** The server asks for changed settings in its own time: so often it is looked at, so far apart. */
const LOOKS = 20;
const APART_MS = 100;

/** The limit that holds once the server has followed the settings. */
async function followed(app: App, setting: string, amount: number): Promise<number> {
  const sessionId = app.session.requiredId();
  let most = 0;
  for (let look = 0; look < LOOKS && most !== amount; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, look === 0 ? 0 : APART_MS));
    const { total } = await app.request(SessionCostRequest, { sessionId });
    most = total?.limits.find((limit) => limit.setting === setting)?.most ?? 0;
  }
  return most;
}
