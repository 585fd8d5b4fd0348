import * as vscode from "vscode";
import type { ApiKeys } from "../apiKeys";
import type { App } from "../app";
import { showInformation, showWarning } from "../editor/notifications";
import { ModelListRequest, ModelTestRequest, SessionSetModelRequest } from "../methods";
import { failureOf } from "../session/failure";
import { remedyOf } from "../session/remedies";
import { pickFrom } from "./box";
import { type Choice, choices, type Listed, wantsKey } from "./choices";
import { CONNECT_TITLE, type Place, pickPlace } from "./place";

/** Picks who serves, takes a key, lists the models there, tries one, and writes the settings. */
export function connectModel(app: App, keys: ApiKeys) {
  return async () => {
    const place = await pickPlace(app);
    const model = place && (await pickModel(app, keys, place));
    if (place === undefined || model === undefined || !(await answers(app, keys, place, model))) {
      return;
    }
    await write(place, model);
    await useInSession(app, `${place.provider}/${model}`);
  };
}

const HERE = "Use It in This Session";
const NEW = "New Session";

/** A session in which nothing was said follows the settings; of another one a person decides. */
async function useInSession(app: App, model: string): Promise<void> {
  const { session, entries } = app.session.state;
  if (session === undefined || entries.length === 0) {
    void showInformation(`${model} is connected.`);
    return;
  }
  const picked = await showInformation(`${model} is connected. New sessions ask it.`, HERE, NEW);
  if (picked === HERE) {
    const params = { sessionId: session.id, model };
    const changed = await app.request(SessionSetModelRequest, params);
    app.session.dispatch({ type: "session", session: changed.session });
    app.session.dispatch({ type: "meter", meter: changed.meter });
  } else if (picked === NEW) {
    await vscode.commands.executeCommand("plimsoll.newSession");
  }
}

/** False: the person has left. */
async function takeKey(keys: ApiKeys, { provider, baseUrl }: Place): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: `${CONNECT_TITLE}: the key for ${baseUrl ?? provider}`,
    prompt:
      "Kept in the editor's secret store, for this address alone. Leave empty if it needs none, or to keep the saved one.",
    password: true,
    ignoreFocusOut: true,
  });
  if (key?.trim()) {
    await keys.storeFor(provider, key.trim(), baseUrl);
  }
  return key !== undefined;
}

/** Lists the models there until one is picked; what fails stands in the box, with what to do. */
async function pickModel(app: App, keys: ApiKeys, place: Place): Promise<string | undefined> {
  if (wantsKey(place) && !(await keys.has(place.provider, place.baseUrl))) {
    if (!(await takeKey(keys, place))) {
      return undefined;
    }
  }
  for (;;) {
    const title = `${CONNECT_TITLE}: which one?`;
    const box = { title, placeholder: "The models that are served there", stays: true };
    const picked = await pickFrom<Choice>(box, choicesAt(app, place));
    if (picked === undefined || picked.act === "use") {
      return picked?.label;
    }
    if (picked.act === "name") {
      return askName();
    }
    if (picked.act === "key" && !(await takeKey(keys, place))) {
      return undefined;
    }
  }
}

function askName(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: `${CONNECT_TITLE}: its name`,
    prompt: "As the server calls it",
    ignoreFocusOut: true,
  });
}

async function* choicesAt(app: App, place: Place): AsyncGenerator<readonly Choice[]> {
  yield choices(await listed(app, place));
}

async function listed(app: App, place: Place): Promise<Listed> {
  try {
    return { models: (await app.request(ModelListRequest, place)).models };
  } catch (error) {
    return { models: [], failure: failureOf(error) };
  }
}

const GIVE_KEY = "Give a Key";
const ALL_THE_SAME = "Set It All the Same";

async function answers(app: App, keys: ApiKeys, place: Place, model: string): Promise<boolean> {
  const progress = { location: vscode.ProgressLocation.Notification, title: `Asking ${model}…` };
  for (;;) {
    const done = await vscode.window.withProgress(progress, () =>
      app.request(ModelTestRequest, { ...place, model }),
    );
    if (done.ok) {
      return true;
    }
    const remedy = done.error && remedyOf(done.error);
    const why = [done.error?.message, remedy].filter(Boolean).join(" ");
    const more = done.error?.kind === "providerAuth" ? [GIVE_KEY] : ["Retry"];
    const picked = await showWarning(why, ...more, ALL_THE_SAME);
    if (picked === undefined || picked === ALL_THE_SAME) {
      return picked !== undefined;
    }
    if (picked === GIVE_KEY && !(await takeKey(keys, place))) {
      return false;
    }
  }
}

async function write(place: Place, model: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration("plimsoll.model");
  const values = {
    provider: place.provider,
    baseUrl: place.baseUrl,
    name: model,
    // What was set for another model does not hold for this one.
    apiKeyEnv: undefined,
    contextWindow: undefined,
  };
  for (const [key, value] of Object.entries(values)) {
    await settings.update(key, value, vscode.ConfigurationTarget.Global);
  }
}
