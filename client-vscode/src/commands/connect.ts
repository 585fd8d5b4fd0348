import * as vscode from "vscode";
import type { ApiKeys, KeyProvider } from "../apiKeys";
import type { App } from "../app";
import { showInformation, showWarning } from "../editor/notifications";
import { ModelListRequest, ModelTestRequest, SessionSetModelRequest } from "../methods";
import type { OfferedModel } from "../protocol";
import { failureText } from "../session/failure";
import { remedyOf } from "../session/remedies";

interface Place {
  readonly provider: KeyProvider;
  /** Left out: the vendor's own address. */
  readonly baseUrl?: string;
}

interface ModelHost extends vscode.QuickPickItem {
  readonly place?: Place;
}

const TITLE = "Connect a model";
const HOSTS: readonly ModelHost[] = [
  { label: "OpenAI", place: { provider: "openai" } },
  { label: "Anthropic", place: { provider: "anthropic" } },
  modelHost("OpenRouter", "https://openrouter.ai/api/v1"),
  modelHost("Ollama on this machine", "http://127.0.0.1:11434/v1"),
  modelHost("llama.cpp on this machine", "http://127.0.0.1:8080/v1"),
  modelHost("LM Studio on this machine", "http://127.0.0.1:1234/v1"),
  modelHost("vLLM on this machine", "http://127.0.0.1:8000/v1"),
  { label: "Another server of chat completions…" },
];

/** Picks who serves, takes a key, lists the models there, tries one, and writes the settings. */
export function connectModel(app: App, keys: ApiKeys) {
  return async () => {
    const place = await pickPlace();
    if (place === undefined || !(await takeKey(keys, place))) {
      return;
    }
    const model = await pickModel(app, place);
    if (model === undefined || !(await answers(app, place, model))) {
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

function modelHost(label: string, baseUrl: string): ModelHost {
  return { label, description: baseUrl, place: { provider: "openai", baseUrl } };
}

async function pickPlace(): Promise<Place | undefined> {
  const picked = await vscode.window.showQuickPick(HOSTS, { title: `${TITLE}: who serves it?` });
  if (picked === undefined || picked.place !== undefined) {
    return picked?.place;
  }
  const address = await vscode.window.showInputBox({
    title: `${TITLE}: its address`,
    prompt: "Up to and with the version, such as http://127.0.0.1:8000/v1",
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:\/\/[^\s@]+$/.test(value.trim()) ? undefined : "Write an http or https address.",
  });
  return address === undefined ? undefined : { provider: "openai", baseUrl: address.trim() };
}

/** False: the person has left. */
async function takeKey(keys: ApiKeys, { provider, baseUrl }: Place): Promise<boolean> {
  const key = await vscode.window.showInputBox({
    title: `${TITLE}: the key for ${baseUrl ?? provider}`,
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

async function pickModel(app: App, place: Place): Promise<string | undefined> {
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: "Listing the models there…",
  };
  try {
    const { models } = await vscode.window.withProgress(progress, () =>
      app.request(ModelListRequest, place),
    );
    if (models.length > 0) {
      const title = `${TITLE}: which one?`;
      return (await vscode.window.showQuickPick(models.map(offered), { title }))?.label;
    }
    void showWarning("The server answers, but lists no models. Type the model's name.");
  } catch (error) {
    void showWarning(failureText(error));
  }
  return vscode.window.showInputBox({ title: `${TITLE}: its name`, ignoreFocusOut: true });
}

function offered({ name, contextWindow, windowSource }: OfferedModel): vscode.QuickPickItem {
  const source = windowSource === "server" ? "as it is served" : "as it is known";
  const tokens = contextWindow?.toLocaleString("en-US");
  return { label: name, description: tokens ? `${tokens} tokens ${source}` : "window not known" };
}

async function answers(app: App, place: Place, model: string): Promise<boolean> {
  const progress = { location: vscode.ProgressLocation.Notification, title: `Asking ${model}…` };
  const done = await vscode.window.withProgress(progress, () =>
    app.request(ModelTestRequest, { ...place, model }),
  );
  if (done.ok) {
    return true;
  }
  const remedy = done.error && remedyOf(done.error);
  const why = [done.error?.message, remedy].filter(Boolean).join(" ");
  return (await showWarning(why, "Set It All the Same")) !== undefined;
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
