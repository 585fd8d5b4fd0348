import type { App } from "../app";
import { CustomExpandRequest, CustomListRequest } from "../methods";
import { type McpServer, SLASH_COMMANDS, type SlashCommand } from "../protocol";
import type { Draft } from "../text/pasted";

/** A custom command as it was typed. */
export interface CalledCommand {
  readonly name: string;
  readonly arguments: string;
}

const CALL = /^\/([A-Za-z0-9][\w-]*(?::[A-Za-z0-9][\w-]*)*)(?:\s+([\s\S]*))?$/;

/** What may be a custom command: the server knows; several pasted lines are text. */
export function calledCommand({ text, pasted }: Draft): CalledCommand | undefined {
  const [, name, rest = ""] = CALL.exec(text) ?? [];
  const isPaste = pasted.some(([from, to]) => from === 0 && text.slice(0, to).includes("\n"));
  if (name === undefined || isPaste || SLASH_COMMANDS.some((own) => own.name === name)) {
    return undefined;
  }
  return { name, arguments: rest.trim() };
}

/** The custom commands that can be called, as completion offers them. */
export async function customCommands(app: App): Promise<SlashCommand[]> {
  const sessionId = app.session.state.session?.id;
  if (sessionId === undefined || !served(app)) {
    return [];
  }
  const { commands } = await app.request(CustomListRequest, { sessionId });
  return commands
    .filter(({ enabled, problem }) => enabled && problem === undefined)
    .map(({ name, argumentHint, description }) => ({
      name,
      arguments: argumentHint ?? "",
      alone: true,
      help: description,
    }));
}

/** The prompt of a custom command or of an MCP server, and what of it has no effect; nothing if there is no such one. */
export async function expandedCommand(
  app: App,
  servers: readonly McpServer[],
  called: CalledCommand,
): Promise<{ draft: Draft; remarks: readonly string[] } | undefined> {
  const commands = namesServer(servers, called) ? [called] : await customCommands(app);
  if (!served(app) || !commands.some(({ name }) => name === called.name)) {
    return undefined;
  }
  const sessionId = app.session.requiredId();
  const { text, pasted, remarks } = await app.request(CustomExpandRequest, {
    sessionId,
    ...called,
  });
  return { draft: { text, pasted }, remarks: remarks ?? [] };
}

/** Whether it begins with a server that may be used, which is then asked for the prompt. */
export function namesServer(servers: readonly McpServer[], { name }: CalledCommand): boolean {
  return servers.some((server) => server.state !== "off" && name.startsWith(`${server.name}:`));
}

function served(app: App): boolean {
  return app.serverCapabilities?.commands?.includes("plimsoll.server.expandCommand") ?? false;
}
