import * as vscode from "vscode";
import { Trace } from "vscode-languageclient/node";
import type { App } from "./app";
import { showInformation } from "./editor/notifications";
import { ModelSetKeyRequest } from "./methods";

/** Providers that want a key. */
export const KEY_PROVIDERS = ["openai", "anthropic"] as const;

/** Keeps API keys in the editor's secret store and hands them to each server that starts. */
export class ApiKeys {
  constructor(private readonly app: App) {
    app.onReady(() => this.handOverAll());
    app.own(app.extension.secrets.onDidChange(({ key }) => this.changed(key)));
  }

  async store(provider: string, key: string): Promise<void> {
    await this.app.extension.secrets.store(secretName(provider), key);
  }

  async forget(provider: string): Promise<void> {
    await this.app.extension.secrets.delete(secretName(provider));
    void showInformation(
      `The key for ${provider} is removed. The running server keeps it until it is restarted.`,
    );
  }

  private async changed(name: string): Promise<void> {
    const provider = KEY_PROVIDERS.find((one) => secretName(one) === name);
    if (provider !== undefined && this.app.session.state.connection === "ready") {
      await this.handOver(provider);
    }
  }

  private async handOverAll(): Promise<void> {
    for (const provider of KEY_PROVIDERS) {
      await this.handOver(provider);
    }
  }

  /** The trace logs bodies: it is silent while a key passes. */
  private async handOver(provider: string): Promise<void> {
    const key = await this.app.extension.secrets.get(secretName(provider));
    if (key === undefined) {
      return;
    }
    const client = this.app.running();
    await client.setTrace(Trace.Off);
    try {
      await this.app.request(ModelSetKeyRequest, { provider, key });
    } finally {
      await client.setTrace(configuredTrace());
    }
  }
}

function configuredTrace(): Trace {
  return Trace.fromString(vscode.workspace.getConfiguration("plimsoll").get("trace.server", "off"));
}

function secretName(provider: string): string {
  return `plimsoll.key.${provider}`;
}
