import * as vscode from "vscode";
import type { App } from "../app";
import { choose, confirm, showInformation, showWarning } from "../editor/notifications";
import { McpAddRequest, McpFoundRequest, McpRemoveRequest, McpTakeOverRequest } from "../methods";
import type { McpAddParams } from "../protocol";
import {
  foundItems,
  nameFlaw,
  proposedName,
  type ServerAction,
  serverRow,
  splitWords,
  variablesOf,
} from "./model";
import type { McpServers } from "./store";

export interface McpParts {
  readonly app: App;
  readonly servers: McpServers;
}

const TITLE = "Add an MCP server";
const INSTALL = "Install";
const STARTED = "It is started in your name, without a sandbox. Each use of its tools asks.";

/** Asks for a program or an address, shows what will run, and adds it on the person's word. */
export function addMcpServer(parts: McpParts) {
  return async () => {
    await parts.app.started();
    const way = await pickWay();
    if (way === "found") {
      await takeOver(parts);
    } else if (way !== undefined) {
      await addOne(parts, way === "address");
    }
  };
}

/** Lists the servers, and for each what can be done. */
export function showMcpServers(parts: McpParts) {
  return async () => {
    await parts.app.started();
    await parts.servers.refresh();
    const add = { label: "$(add) Add a server…", name: undefined };
    const rows = parts.servers.list.map((server) => {
      const { name, state, why } = serverRow(server);
      return { label: name, description: state, detail: why, name };
    });
    const picked = await vscode.window.showQuickPick<(typeof rows)[number] | typeof add>(
      [...rows, add],
      {
        title: "MCP servers",
        placeHolder: parts.servers.unusable ?? "Programs whose tools the agent may ask to use",
      },
    );
    if (picked === add) {
      await addMcpServer(parts)();
    } else if (picked?.name !== undefined) {
      await change(parts, picked.name);
    }
  };
}

const ACTION_LABELS: Readonly<Record<ServerAction | "remove", string>> = {
  tools: "Choose its tools…",
  restart: "Restart",
  logIn: "Log in…",
  on: "Switch on",
  off: "Switch off",
  remove: "Remove…",
};

async function change({ app, servers }: McpParts, name: string): Promise<void> {
  const server = servers.list.find((one) => one.name === name);
  if (server === undefined) {
    return;
  }
  const { actions, state, why } = serverRow(server);
  const rows = [...actions, "remove" as const].map((action) => ({
    label: ACTION_LABELS[action],
    action,
  }));
  const picked = await vscode.window.showQuickPick(rows, {
    title: `${name} · ${state}`,
    placeHolder: why,
  });
  if (picked?.action === "remove") {
    if (await confirm(`Remove the MCP server “${name}”?`, server.runs, "Remove")) {
      const params = { sessionId: app.session.requiredId(), server: name };
      servers.show(await app.request(McpRemoveRequest, params));
    }
  } else if (picked !== undefined) {
    await servers.act(picked.action, server);
  }
}

type ServerKind = "program" | "address" | "found";

async function pickWay(): Promise<ServerKind | undefined> {
  const ways: (vscode.QuickPickItem & { way: ServerKind })[] = [
    {
      way: "program",
      label: "A program…",
      detail: "Such as npx -y @scope/server, or uvx mcp-server-git",
    },
    { way: "address", label: "An address…", detail: "A server by HTTP, which may ask for a login" },
    {
      way: "found",
      label: "From VS Code, Claude or Cursor…",
      detail: "Shows what would run; nothing is taken over that you do not tick",
    },
  ];
  return (await vscode.window.showQuickPick(ways, { title: TITLE }))?.way;
}

async function addOne(parts: McpParts, isAddress: boolean): Promise<void> {
  const target = await askTarget(isAddress);
  const name = target && (await askName(parts, target));
  const env = name && (isAddress ? {} : await askVariables());
  if (!target || !name || !env) {
    return;
  }
  const { app, servers } = parts;
  const params: McpAddParams = {
    sessionId: app.session.requiredId(),
    name,
    ...(isAddress ? { url: target } : { command: splitWords(target) ?? [], env }),
  };
  const detail = isAddress ? `${target}\n\nEach use of its tools asks.` : `${target}\n\n${STARTED}`;
  if (await confirm(`Add the MCP server “${name}”?`, detail, "Add")) {
    servers.show(await app.request(McpAddRequest, params));
    await offerStart(parts, [name]);
  }
}

async function askTarget(isAddress: boolean): Promise<string | undefined> {
  const target = await vscode.window.showInputBox({
    title: isAddress ? `${TITLE}: its address` : `${TITLE}: the program with its arguments`,
    placeHolder: isAddress ? "https://example.org/mcp" : "uvx mcp-server-git",
    prompt: isAddress
      ? "By streamable HTTP."
      : "It runs in your home folder. A secret stands in your environment and is named here: docs/mcp.md.",
    ignoreFocusOut: true,
    validateInput: (text) => targetFlaw(text, isAddress),
  });
  return target?.trim();
}

function targetFlaw(text: string, isAddress: boolean): string | undefined {
  if (isAddress) {
    return /^https?:\/\/[^\s/]+/.test(text.trim()) ? undefined : "An address begins with https://.";
  }
  const words = splitWords(text);
  return words === undefined || words.length === 0
    ? "A program, with its quotations closed."
    : undefined;
}

async function askName({ servers }: McpParts, target: string): Promise<string | undefined> {
  const taken = new Set(servers.list.map(({ name }) => name));
  return vscode.window.showInputBox({
    title: `${TITLE}: its name`,
    value: proposedName(target),
    ignoreFocusOut: true,
    validateInput: (text) => nameFlaw(text, taken),
  });
}

async function askVariables(): Promise<Record<string, string> | undefined> {
  const line = await vscode.window.showInputBox({
    title: `${TITLE}: its variables`,
    prompt: "NAME hands over your own of that name, NAME=value sets one. Empty: none.",
    ignoreFocusOut: true,
    validateInput: (text) =>
      variablesOf(text) === undefined ? "Names, each alone or with =value." : undefined,
  });
  return line === undefined ? undefined : variablesOf(line);
}

interface FoundRow extends vscode.QuickPickItem {
  /** The file that has it. */
  readonly path: string;
}

async function takeOver({ app, servers }: McpParts): Promise<void> {
  const sessionId = app.session.requiredId();
  const { files } = await app.request(McpFoundRequest, { sessionId });
  const items = files.flatMap((file): FoundRow[] => {
    const rows = foundItems(file);
    const separator = {
      label: file.path,
      kind: vscode.QuickPickItemKind.Separator,
      path: file.path,
    };
    return rows.length > 0 ? [separator, ...rows] : [];
  });
  if (items.length === 0) {
    void showInformation(
      "No file of VS Code, Claude or Cursor has a server that is not there yet.",
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: "Take over MCP servers",
    placeHolder: "Ticked ones are added to your settings, without their secrets",
    canPickMany: true,
    matchOnDetail: true,
  });
  if (picked === undefined || picked.length === 0) {
    return;
  }
  const detail = picked.map(({ label, detail }) => `${label}: ${detail ?? ""}`).join("\n");
  if (
    !(await confirm(
      `Take over ${picked.length} MCP servers?`,
      `${detail}\n\n${STARTED}`,
      "Take Over",
    ))
  ) {
    return;
  }
  for (const path of new Set(picked.map((one) => one.path))) {
    const names = picked.filter((one) => one.path === path).map(({ label }) => label);
    servers.show(await app.request(McpTakeOverRequest, { sessionId, path, servers: names }));
  }
  await offerStart(
    { app, servers },
    picked.map(({ label }) => label),
  );
}

/** Says what is still to be done before new servers can be used. */
async function offerStart({ servers }: McpParts, names: readonly string[]): Promise<void> {
  const { unusable } = servers;
  if (unusable !== undefined) {
    if ((await showWarning(unusable, INSTALL)) === INSTALL) {
      await vscode.commands.executeCommand("plimsoll.installExtra", "mcp");
    }
    return;
  }
  const added = servers.list.filter(({ name }) => names.includes(name));
  const missing = [...new Set(added.flatMap((one) => one.missing ?? []))];
  if (missing.length > 0) {
    void showWarning(`Not started before this is set in the environment: ${missing.join(", ")}.`);
    return;
  }
  const START = "Start";
  const what = names.length === 1 ? `“${names[0]}”` : `${names.length} servers`;
  if (
    (await choose(
      `Added ${what}.`,
      "Started now, it says what tools it has. Otherwise it starts when it is first needed.",
      START,
    )) === START
  ) {
    for (const server of added) {
      await servers.act("restart", server);
    }
  }
}
