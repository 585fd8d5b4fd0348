import type { App } from "../app";
import { TeamSetPasswordRequest } from "../methods";
import type { TeamSetPasswordResult } from "../protocol";
import { withoutTrace } from "../server/trace";
import type { TeamStore } from "./store";

/** Keeps the passwords for teams' servers in the editor's secret store, each for one address. */
export class TeamPasswords {
  constructor(
    private readonly app: App,
    team: TeamStore,
  ) {
    app.onReady(() => this.handOver(team.status?.url));
  }

  /** Keeps a password for an address, and the running server has it at once. */
  async keep(url: string, password: string): Promise<void> {
    // Kept under the address as the server writes it: so it is asked for later.
    const given = await this.give(url, password);
    await this.app.extension.secrets.store(secretName(given.url), password);
  }

  async forget(url: string): Promise<void> {
    await this.app.extension.secrets.delete(secretName(url));
  }

  /** Gives the running server the password that is kept for an address, if there is one. */
  async handOver(url: string | undefined): Promise<void> {
    const served = this.app.serverCapabilities?.methods.includes(TeamSetPasswordRequest.method);
    if (!served || url === undefined) {
      return;
    }
    const password = await this.app.extension.secrets.get(secretName(url));
    if (password !== undefined) {
      await this.give(url, password);
    }
  }

  private async give(url: string, password: string): Promise<TeamSetPasswordResult> {
    return withoutTrace(await this.app.started(), () =>
      this.app.request(TeamSetPasswordRequest, { url, password }),
    );
  }
}

function secretName(url: string): string {
  return `plimsoll.team ${url}`;
}
