import type { McpFoundFile, McpServer, McpTool } from "../protocol";
import { plural } from "../text/format";

export type ServerAction = "tools" | "restart" | "logIn" | "on" | "off";

/** A server of the context view: its state in words, and what can be done with it. */
export interface ServerRow {
  readonly name: string;
  /** `runs · 10 of 12 tools`. */
  readonly state: string;
  /** What it takes of each request. */
  readonly tokens: number;
  /** Why it cannot be used, or what it runs. */
  readonly why: string;
  readonly failed: boolean;
  /** Whether a login is all that it lacks. */
  readonly wantsLogin: boolean;
  /** Whether why is said in the row itself: it failed, or ended by itself and starts when it is needed. */
  readonly told: boolean;
  readonly actions: readonly ServerAction[];
}

const STATES: Readonly<Record<string, string>> = {
  idle: "starts when needed",
  starting: "starting",
  ready: "running",
  failed: "failed",
  signIn: "wants a login",
  off: "off",
};

export function serverRow(server: McpServer): ServerRow {
  const { name, state, error, remedy, runs, tokens } = server;
  const wantsLogin = state === "signIn";
  const failed = state === "failed" || wantsLogin;
  return {
    name,
    state: stateText(server),
    tokens,
    why: error === undefined ? runs : [error, remedy].filter(Boolean).join(" "),
    failed,
    wantsLogin,
    told: failed || (error !== undefined && state !== "off"),
    actions: actionsOf(server),
  };
}

export function stateText({ state, tools, missing = [] }: McpServer): string {
  const off = tools.filter(({ enabled }) => !enabled).length;
  const count = off > 0 ? `${tools.length - off} of ${plural(tools.length, "tool")}` : "";
  const counted = tools.length === 0 ? "" : count || plural(tools.length, "tool");
  const needs = missing.length === 0 ? "" : `needs ${missing.join(", ")}`;
  const words = state === "off" ? [STATES.off] : [needs || (STATES[state] ?? state), counted];
  return words.filter(Boolean).join(" · ");
}

function actionsOf({ state, tools, signsIn }: McpServer): ServerAction[] {
  if (state === "off") {
    return ["on"];
  }
  const login: ServerAction[] =
    signsIn && state !== "ready" && state !== "starting" ? ["logIn"] : [];
  return [...(tools.length > 0 ? (["tools"] as const) : []), ...login, "restart", "off"];
}

/** What the list of a server's tools says of one. */
export function toolItem({ name, description, enabled, claimsReading }: McpTool) {
  return {
    name,
    label: withoutIcons(name),
    description: claimsReading ? "says that it changes nothing" : "",
    detail: withoutIcons(description),
    picked: enabled,
  };
}

/** A stranger's words in a list of VS Code, which would draw an icon for `$(name)`. */
function withoutIcons(text: string): string {
  return text.replace(/\$(?=\()/g, "$\u200b");
}

/** The tools whose switch shall change, as it shall be. */
export function switchedTools(
  tools: readonly McpTool[],
  picked: ReadonlySet<string>,
): { tool: string; enabled: boolean }[] {
  return tools
    .filter(({ name, enabled }) => enabled !== picked.has(name))
    .map(({ name, enabled }) => ({ tool: name, enabled: !enabled }));
}

/** The words of a command line, as a shell splits them; undefined while a quotation is open. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  const word = /\s*((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)/gy;
  let end = 0;
  for (let found = word.exec(line); found !== null; found = word.exec(line)) {
    words.push(unquoted(found[1] ?? ""));
    end = word.lastIndex;
  }
  return line.slice(end).trim() === "" ? words : undefined;
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) =>
    double === undefined ? (single ?? escaped) : double.replace(/\\(["\\])/g, "$1"),
  );
}

/** A name for a server, of what it runs: `uvx mcp-server-git` is `git`. */
export function proposedName(target: string): string {
  const words = splitWords(target) ?? [target];
  const isAddress = /^https?:\/\//.test(target);
  const named = isAddress
    ? (target.split("/")[2] ?? "")
        .split(":")[0]
        ?.replace(/^(?:mcp|www)\./, "")
        .split(".")[0]
    : words
        .slice(/^(?:npx|uvx|node|python3?|bunx?|docker)$/.test(words[0] ?? "") ? 1 : 0)
        .find((word) => !word.startsWith("-"))
        ?.split("/")
        .pop();
  const bare = (named ?? "")
    .replace(/@[\w.^~-]+$/, "")
    .replace(/^mcp-server-|^server-|-mcp(?:-server)?$/g, "");
  return bare
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, 40);
}

/** Why a name is none; undefined: it is one. */
export function nameFlaw(name: string, taken: ReadonlySet<string>): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(name)) {
    return "Letters, digits, - and _, at most 40.";
  }
  return taken.has(name) ? "A server has this name already." : undefined;
}

/** Variables as they are typed: `NAME` hands over one's own, `NAME=value` sets one. Undefined: not readable. */
export function variablesOf(line: string): Record<string, string> | undefined {
  const words = splitWords(line);
  const pairs = words?.map((word) => /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word));
  if (pairs === undefined || pairs.includes(null)) {
    return undefined;
  }
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const [, name = "", value] = pair ?? [];
      return name === "" ? [] : [[name, value ?? `\${${name}}`]];
    }),
  );
}

/** A server of another program's file, as a row to tick. */
export function foundItems({ path, servers }: McpFoundFile) {
  return servers
    .filter(({ runs, known }) => runs !== undefined && !known)
    .map(({ name, runs = "", notes }) => ({
      label: name,
      description: notes.join("; "),
      detail: `would run: ${runs}`,
      path,
    }));
}
