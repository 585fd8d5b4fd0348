import * as vscode from "vscode";
import type { App } from "./app";
import { showInformation } from "./editor/notifications";
import { ModelConnectedRequest, ModelSetKeyRequest } from "./methods";
import type { ConnectedAddress } from "./protocol";
import { withoutTrace } from "./server/trace";

/** Providers that want a key. */
export const KEY_PROVIDERS = ["openai", "openai-responses", "anthropic"] as const;

export type KeyProvider = (typeof KEY_PROVIDERS)[number];

/** Keeps API keys in the editor's secret store and hands them to each server that starts. */
export class ApiKeys {
  private connected: readonly ConnectedAddress[] = [];

  constructor(private readonly app: App) {
    app.onReady(() => this.handOverAll());
    app.own(app.extension.secrets.onDidChange(({ key }) => this.changed(key)));
    app.own(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (SETTINGS.some((section) => change.affectsConfiguration(section)) && this.isReady()) {
          void this.handOverAll();
        }
      }),
    );
  }

  /** A key goes to one address: one of the settings, or the vendor's own. */
  async store(provider: string, key: string, baseUrl?: string): Promise<void> {
    await this.app.extension.secrets.store(secretName(provider, baseUrl), key);
  }

  /** For an address that no setting names yet: the running server has the key at once. */
  async storeFor(provider: KeyProvider, key: string, baseUrl?: string): Promise<void> {
    await this.store(provider, key, baseUrl);
    await this.handOver(provider, baseUrl);
  }

  /** Whether one is kept for an address. */
  async has(provider: string, baseUrl?: string): Promise<boolean> {
    return (await this.app.extension.secrets.get(secretName(provider, baseUrl))) !== undefined;
  }

  async forget(provider: string, baseUrl?: string): Promise<void> {
    await this.app.extension.secrets.delete(secretName(provider, baseUrl));
    void showInformation(
      `The key for ${provider} is removed. The running server keeps it until it is restarted.`,
    );
  }

  private isReady(): boolean {
    return this.app.session.state.connection === "ready";
  }

  private async changed(name: string): Promise<void> {
    for (const provider of KEY_PROVIDERS) {
      for (const baseUrl of [undefined, ...this.addresses(provider)]) {
        if (secretName(provider, baseUrl) === name && this.isReady()) {
          await this.handOver(provider, baseUrl);
        }
      }
    }
  }

  /** The addresses that a provider's keys can be for: those of the settings, and connected ones. */
  addresses(provider: string): string[] {
    const connected = this.connected.filter((one) => one.provider === provider);
    const named = connected.flatMap(({ baseUrl }) => (baseUrl ? [baseUrl] : []));
    return [...new Set([...addressesOf(provider), ...named])];
  }

  private async handOverAll(): Promise<void> {
    this.connected = (await this.app.request(ModelConnectedRequest, { ask: false })).addresses;
    for (const provider of KEY_PROVIDERS) {
      for (const baseUrl of [undefined, ...this.addresses(provider)]) {
        await this.handOver(provider, baseUrl);
      }
    }
  }

  private async handOver(provider: KeyProvider, baseUrl?: string): Promise<void> {
    const key = await this.app.extension.secrets.get(secretName(provider, baseUrl));
    if (key === undefined) {
      return;
    }
    const address = baseUrl === undefined ? {} : { baseUrl };
    await withoutTrace(await this.app.started(), () =>
      this.app.request(ModelSetKeyRequest, { provider, key, ...address }),
    );
  }
}

const SETTINGS = ["plimsoll.model", "plimsoll.utilityModel"] as const;

/** The addresses that the settings name for a provider; a workspace cannot set them. */
export function addressesOf(provider: string): string[] {
  const named = SETTINGS.map((section) => vscode.workspace.getConfiguration(section))
    .filter((settings) => settings.get("provider") === provider)
    .map((settings) => settings.get("baseUrl", "").trim());
  return [...new Set(named.filter((address) => address !== ""))];
}

function secretName(provider: string, baseUrl?: string): string {
  return `plimsoll.key.${provider}${baseUrl === undefined ? "" : ` ${baseUrl}`}`;
}
