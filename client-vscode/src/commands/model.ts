import * as vscode from "vscode";
import { type ApiKeys, KEY_PROVIDERS } from "../apiKeys";
import type { App } from "../app";
import { pickFrom } from "../connect/box";
import { type ModelRow, modelRows, removable } from "../connect/offered";
import { showInformation } from "../editor/notifications";
import { ModelConnectedRequest, ModelForgetRequest, SessionSetModelRequest } from "../methods";

const SELECT_TITLE = "Select model";

type Row = ModelRow & vscode.QuickPickItem;

export function selectModel(app: App, keys: ApiKeys) {
  return async () => {
    const sessionId = app.session.requiredId();
    const current = app.session.state.session?.model;
    const model = await pickModel(app, keys, current);
    if (model === undefined) {
      return;
    }
    const { session, meter } = await app.request(SessionSetModelRequest, { sessionId, model });
    app.session.dispatch({ type: "session", session });
    app.session.dispatch({ type: "meter", meter });
  };
}

async function pickModel(
  app: App,
  keys: ApiKeys,
  current: string | undefined,
): Promise<string | undefined> {
  const box = { title: SELECT_TITLE, placeholder: "The models of all connected addresses" };
  const picked = await pickFrom<Row>(box, rowsOf(app, current));
  switch (picked?.act) {
    case "connect":
      await vscode.commands.executeCommand("plimsoll.connectModel");
      return undefined;
    case "type":
      return askModel();
    case "remove":
      await removeAddress(app, keys);
      return pickModel(app, keys, current);
    default:
      return picked?.model;
  }
}

/** What was listed last at once, and then what the addresses say now. */
async function* rowsOf(app: App, current: string | undefined): AsyncGenerator<Row[]> {
  for (const ask of [false, true]) {
    const found = await app.request(ModelConnectedRequest, { ask });
    yield modelRows(found, current).map((row) => ({ ...row }));
  }
}

async function removeAddress(app: App, keys: ApiKeys): Promise<void> {
  const { addresses } = await app.request(ModelConnectedRequest, { ask: false });
  const rows = removable(addresses).map(({ address, provider, baseUrl }) => ({
    label: address,
    description: provider,
    provider,
    baseUrl,
  }));
  const title = "Remove an address from the list";
  const picked = await vscode.window.showQuickPick(rows, { title });
  if (picked === undefined) {
    return;
  }
  const { provider, baseUrl, label } = picked;
  const place = { provider, ...(baseUrl ? { baseUrl } : {}) };
  await app.request(ModelForgetRequest, place);
  if (await keys.has(provider, baseUrl)) {
    void offerKeyRemoval(keys, provider, baseUrl, label);
  }
}

const REMOVE_KEY = "Remove Its Key Too";

async function offerKeyRemoval(
  keys: ApiKeys,
  provider: string,
  baseUrl: string | undefined,
  label: string,
): Promise<void> {
  const told = `${label} is no longer in the list. Its key is still kept.`;
  if ((await showInformation(told, REMOVE_KEY)) === REMOVE_KEY) {
    await keys.forget(provider, baseUrl);
  }
}

function askModel(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: SELECT_TITLE,
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
    const address = await pickAddress(keys, provider);
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

/** A key is sent to one address alone; where none is known there is nothing to ask. */
async function pickAddress(keys: ApiKeys, provider: string): Promise<string | undefined> {
  const addresses = keys.addresses(provider);
  return addresses.length === 0
    ? OWN_ADDRESS
    : vscode.window.showQuickPick([...addresses, OWN_ADDRESS], {
        title: `The key for ${provider} is for which address?`,
      });
}
