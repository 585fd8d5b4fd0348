/** What an editor says about one setting: the values that somebody set, and where. */
export interface Inspection {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * Settings that decide who is asked, with which key, and what commands may do. A repository carries
 * workspace settings, so these count only where the user set them.
 */
export const USERS_ALONE: ReadonlySet<string> = new Set([
  ...["model", "utilityModel"].flatMap((section) =>
    ["provider", "baseUrl", "apiKeyEnv"].map((key) => `${section}.${key}`),
  ),
  ...["confinedCommands", "confinedRegistries", "timeoutSeconds"].map((key) => `permission.${key}`),
  "models",
  "notifications.longTurnSeconds",
  "profile",
  ...["maxSteps", "model"].map((key) => `subagent.${key}`),
  ...["url", "project", "accept", "sessions"].map((key) => `team.${key}`),
  "telemetry.otlpEndpoint",
  ...[
    ...["caFile", "proxy", "noProxy", "verifyProxy", "proxyPasswordEnv", "proxyPasswordKeyring"],
    ...["proxyFromEnvironment", "proxyLoopback"],
  ].map((key) => `network.${key}`),
  "shell.environment",
  ...["fetch", "allowHosts", "proxyResolves", "searchUrl", "searchKeyEnv"].map(
    (key) => `web.${key}`,
  ),
  "turn.maxSteps",
  ...["turn", "session"].flatMap((section) =>
    ["spendLimitTokens", "spendLimitMoney"].map((key) => `${section}.${key}`),
  ),
  ...["readable", "writable", "network", "registries", "unixSockets"].map(
    (key) => `sandbox.${key}`,
  ),
]);

/** Settings of the client that mean nothing to the server. */
const CLIENTS: readonly string[] = ["server.", "trace.", "chat."];

/**
 * The tree of what somebody set. Defaults are left out: they are the server's own, and sent along
 * they would override the user's configuration file.
 */
export function explicitSettings(
  keys: readonly string[],
  inspect: (key: string) => Inspection | undefined,
): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const key of keys.filter((one) => !CLIENTS.some((prefix) => one.startsWith(prefix)))) {
    const value = explicit(key, inspect(key) ?? {});
    if (value !== undefined && value !== null && value !== "") {
      place(tree, key.split("."), value);
    }
  }
  return tree;
}

function explicit(key: string, found: Inspection): unknown {
  return USERS_ALONE.has(key)
    ? found.globalValue
    : (found.workspaceFolderValue ?? found.workspaceValue ?? found.globalValue);
}

function place(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first, ...rest] = path;
  if (first === undefined) {
    return;
  }
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const branch = (tree[first] ?? {}) as Record<string, unknown>;
  tree[first] = branch;
  place(branch, rest, value);
}
