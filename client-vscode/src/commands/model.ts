import * as vscode from "vscode";
import { type ApiKeys, addressesOf, KEY_PROVIDERS } from "../apiKeys";
import type { App } from "../app";
import { SessionSetModelRequest } from "../methods";
import { isKeywordSearch } from "../session/labels";

const RECENT = "plimsoll.recentModels";
const RECENT_SHOWN = 8;
const OTHER = "Another model…";
const CONNECT = "Connect a model…";

export function selectModel(app: App) {
  return async () => {
    const sessionId = app.session.requiredId();
    const current = app.session.state.session?.model;
    const recent = app.extension.globalState.get<string[]>(RECENT, []);
    const model = await pickModel([...recent, "embedded/search"], current);
    if (model === undefined) {
      return;
    }
    const { session, meter } = await app.request(SessionSetModelRequest, { sessionId, model });
    app.session.dispatch({ type: "session", session });
    app.session.dispatch({ type: "meter", meter });
    const known = [model, ...recent.filter((one) => one !== model)].slice(0, RECENT_SHOWN);
    await app.extension.globalState.update(RECENT, known);
  };
}

async function pickModel(
  known: readonly string[],
  current: string | undefined,
): Promise<string | undefined> {
  const items = [...new Set([...(current ? [current] : []), ...known])].map((label) => ({
    label,
    description: label === current ? "current" : "",
    ...(isKeywordSearch(label) ? { detail: "Keyword search: no model, no network" } : {}),
  }));
  const connect = { label: CONNECT, detail: "Who serves it, its key, the models there, one test" };
  const picked = await vscode.window.showQuickPick([...items, connect, { label: OTHER }], {
    title: "Select model",
  });
  if (picked?.label === CONNECT) {
    await vscode.commands.executeCommand("plimsoll.connectModel");
    return undefined;
  }
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

export function setApiKey(keys: ApiKeys) {
  return async () => {
    const provider = await vscode.window.showQuickPick([...KEY_PROVIDERS], {
      title: "API key for which provider?",
    });
    if (provider === undefined) {
      return;
    }
    const address = await pickAddress(provider);
    if (address === undefined) {
      return;
    }
    const baseUrl = address === OWN_ADDRESS ? undefined : address;
    const key = await vscode.window.showInputBox({
      title: `API key for ${provider}${baseUrl === undefined ? "" : ` at ${baseUrl}`}`,
      prompt: "Kept in the editor's secret store. Empty removes it.",
      password: true,
      ignoreFocusOut: true,
    });
    if (key !== undefined) {
      await (key.trim() === ""
        ? keys.forget(provider, baseUrl)
        : keys.store(provider, key.trim(), baseUrl));
    }
  };
}

const OWN_ADDRESS = "The provider's own address";

/** A key is sent to one address alone; where the settings name none there is nothing to ask. */
async function pickAddress(provider: string): Promise<string | undefined> {
  const addresses = addressesOf(provider);
  return addresses.length === 0
    ? OWN_ADDRESS
    : vscode.window.showQuickPick([...addresses, OWN_ADDRESS], {
        title: `The key for ${provider} is for which address?`,
      });
}
