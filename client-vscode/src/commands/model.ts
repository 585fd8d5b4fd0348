import * as vscode from "vscode";
import type { Ctx } from "../ctx";
import { SessionSetModelRequest } from "../methods";
import { type ApiKeys, KEY_PROVIDERS } from "../secrets";

const RECENT = "plimsoll.recentModels";
const RECENT_SHOWN = 8;
const OTHER = "Another model…";

export function selectModel(ctx: Ctx) {
  return async () => {
    const sessionId = ctx.session.required();
    const current = ctx.session.state.session?.model;
    const recent = ctx.extension.globalState.get<string[]>(RECENT, []);
    const model = await pickModel([...new Set([...recent, "embedded/search"])], current);
    if (model === undefined) {
      return;
    }
    const { session, meter } = await ctx.request(SessionSetModelRequest, { sessionId, model });
    ctx.session.dispatch({ type: "session", session });
    ctx.session.dispatch({ type: "meter", meter });
    const known = [model, ...recent.filter((one) => one !== model)].slice(0, RECENT_SHOWN);
    await ctx.extension.globalState.update(RECENT, known);
  };
}

async function pickModel(
  known: readonly string[],
  current: string | undefined,
): Promise<string | undefined> {
  const items = [...new Set([...(current ? [current] : []), ...known])].map((label) => ({
    label,
    description: label === current ? "current" : "",
  }));
  const picked = await vscode.window.showQuickPick([...items, { label: OTHER }], {
    title: "Select model",
  });
  return picked?.label === OTHER ? askModel() : picked?.label;
}

function askModel(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "Select model",
    prompt: "Provider and name, for instance openai/gpt-4o",
    validateInput: (value) =>
      /^[^/\s]+\/\S+$/.test(value.trim()) ? undefined : "Write it as provider/name.",
  });
}

export function setApiKey(_ctx: Ctx, keys: ApiKeys) {
  return async () => {
    const provider = await vscode.window.showQuickPick([...KEY_PROVIDERS], {
      title: "API key for which provider?",
    });
    if (provider === undefined) {
      return;
    }
    const key = await vscode.window.showInputBox({
      title: `API key for ${provider}`,
      prompt: "Kept in the editor's secret store. Empty removes it.",
      password: true,
      ignoreFocusOut: true,
    });
    if (key !== undefined) {
      await (key.trim() === "" ? keys.forget(provider) : keys.store(provider, key.trim()));
    }
  };
}
