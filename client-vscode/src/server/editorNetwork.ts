import type { Inspection } from "./settings";

/** The editor's own settings of the network, in the server's terms. */
export interface EditorNetwork {
  readonly proxy?: string;
  readonly noProxy?: readonly string[];
  readonly verifyProxy?: boolean;
}

/** The variable in which the server finds the password of the editor's proxy: no setting holds it. */
export const PASSWORD_VARIABLE = "PLIMSOLL_EDITOR_PROXY_PASSWORD";

/** The settings of the editor that the server is started with. */
export const NETWORK_SETTINGS: readonly string[] = [
  "http.proxy",
  "http.noProxy",
  "http.proxyStrictSSL",
  "http.proxySupport",
];

const SCHEMES: readonly string[] = ["http:", "https:", "socks:", "socks5:", "socks5h:"];

/**
 * What `http.proxy`, `http.noProxy` and `http.proxyStrictSSL` say. Of a repository nobody may learn
 * where requests go, so only what the user set counts.
 */
export function editorNetwork(inspect: (key: string) => Inspection | undefined): EditorNetwork {
  const users = (key: string) => inspect(`http.${key}`)?.globalValue;
  const address = users("proxySupport") === "off" ? undefined : proxyAddress(users("proxy"));
  const hosts = users("noProxy");
  const names = Array.isArray(hosts) ? hosts.filter((one) => typeof one === "string") : [];
  return {
    ...(address === undefined ? {} : { proxy: withoutPassword(address) }),
    ...(names.length === 0 ? {} : { noProxy: names }),
    ...(users("proxyStrictSSL") === false ? { verifyProxy: false } : {}),
  };
}

/** The variables with which the server is started, for the password in the editor's proxy. */
export function editorVariables(
  inspect: (key: string) => Inspection | undefined,
): Record<string, string> {
  const password = proxyAddress(inspect("http.proxy")?.globalValue)?.password ?? "";
  return password === "" ? {} : { [PASSWORD_VARIABLE]: decoded(password) };
}

/** A password with its escapes taken back; one with a bare `%` is meant as it is written. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** The settings of Plimsoll, and the editor's where these say nothing. */
export function withEditorNetwork(
  tree: Record<string, unknown>,
  editor: EditorNetwork,
): Record<string, unknown> {
  const own = ((tree as { network?: unknown }).network ?? {}) as { readonly proxy?: unknown };
  const { proxy, ...others } = editor;
  // The password in the editor's address is that of the editor's proxy alone.
  const theirs =
    proxy !== undefined && own.proxy === undefined
      ? { proxy, proxyPasswordEnv: PASSWORD_VARIABLE, ...others }
      : others;
  const network = { ...theirs, ...own };
  return Object.keys(network).length === 0 ? tree : { ...tree, network };
}

function proxyAddress(value: unknown): URL | undefined {
  try {
    const url = new URL(String(value));
    return SCHEMES.includes(url.protocol) && url.hostname !== "" ? url : undefined;
  } catch {
    // What is no address is no proxy: the editor itself says so in its settings.
    return undefined;
  }
}

function withoutPassword(address: URL): string {
  const user = address.username === "" ? "" : `${address.username}@`;
  return `${address.protocol}//${user}${address.host}`;
}
