import * as vscode from "vscode";
import type { KeyProvider } from "../apiKeys";
import type { App } from "../app";
import { ModelListRequest } from "../methods";
import { pickFrom } from "./box";

/** Who serves a model. */
export interface Place {
  readonly provider: KeyProvider;
  /** Left out: the vendor's own address. */
  readonly baseUrl?: string;
}

interface ModelHost extends vscode.QuickPickItem {
  readonly place?: Place;
}

export const CONNECT_TITLE = "Connect a model";
const VENDORS: readonly ModelHost[] = [
  { label: "OpenAI", place: { provider: "openai" } },
  { label: "Anthropic", place: { provider: "anthropic" } },
  modelHost("OpenRouter", "https://openrouter.ai/api/v1"),
];
/** Servers on this machine, at their usual ports. */
const LOCAL: readonly ModelHost[] = [
  modelHost("Ollama on this machine", "http://127.0.0.1:11434/v1"),
  modelHost("llama.cpp on this machine", "http://127.0.0.1:8080/v1"),
  modelHost("LM Studio on this machine", "http://127.0.0.1:1234/v1"),
  modelHost("vLLM on this machine", "http://127.0.0.1:8000/v1"),
];
const OTHER: ModelHost = { label: "Another server of chat completions…" };
/** Milliseconds for which servers on this machine are waited for; who is later stands below. */
const LOOK_FOR = 800;

function modelHost(label: string, baseUrl: string): ModelHost {
  return { label, description: baseUrl, place: { provider: "openai", baseUrl } };
}

/** Asks who serves it; what runs on this machine comes first. */
export async function pickPlace(app: App): Promise<Place | undefined> {
  const placeholder = "What runs on this machine is looked for and comes first";
  const box = { title: `${CONNECT_TITLE}: who serves it?`, placeholder };
  const picked = await pickFrom<ModelHost>(box, hosts(app));
  return picked === OTHER ? askAddress() : picked?.place;
}

/** All of them at once, then with what runs on this machine before the others. */
async function* hosts(app: App): AsyncGenerator<readonly ModelHost[]> {
  yield [...VENDORS, ...LOCAL, OTHER];
  const found = await Promise.all(LOCAL.map((host) => Promise.race([running(app, host), late()])));
  const local = LOCAL.map((host, index) => ({ host, models: found[index] }));
  yield [
    ...local.flatMap(({ host, models }) => (models === undefined ? [] : [shown(host, models)])),
    ...VENDORS,
    ...local.filter(({ models }) => models === undefined).map(({ host }) => host),
    OTHER,
  ];
}

/** The number of models that a server lists; undefined: none answers there. */
async function running(app: App, { place }: ModelHost): Promise<number | undefined> {
  try {
    return (await app.request(ModelListRequest, place ?? {})).models.length;
  } catch {
    return undefined;
  }
}

function late(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), LOOK_FOR));
}

function shown(host: ModelHost, models: number): ModelHost {
  const count = models === 1 ? "1 model" : `${models} models`;
  return { ...host, description: `${host.description} · running, ${count}` };
}

async function askAddress(): Promise<Place | undefined> {
  const address = await vscode.window.showInputBox({
    title: `${CONNECT_TITLE}: its address`,
    prompt: "Up to and with the version, such as http://127.0.0.1:8000/v1",
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:\/\/[^\s@]+$/.test(value.trim()) ? undefined : "Write an http or https address.",
  });
  return address === undefined ? undefined : { provider: "openai", baseUrl: address.trim() };
}
