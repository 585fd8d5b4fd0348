import type { McpServer, SlashCommand } from "../protocol";
import { calledCommand } from "./customCommands";
import type { OfferedResource } from "./kinds";

const SHOWN_RESOURCES = 20;

/** The prompts of MCP servers as commands; only those that can be called by their names. */
export function promptCommands(servers: readonly McpServer[]): SlashCommand[] {
  const prompts = servers.flatMap((server) =>
    (server.offers?.prompts ?? []).map((one) => ({ ...one, name: `${server.name}:${one.name}` })),
  );
  return prompts
    .filter(({ name }) => calledCommand({ text: `/${name}`, pasted: [] })?.name === name)
    .map(({ name, hint = "", description = "" }) => ({
      name,
      arguments: hint,
      // An argument that can be left out stands in brackets.
      alone: hint.split(" ").every((word) => word === "" || word.startsWith("[")),
      help: description,
    }));
}

/**
 * The resources of MCP servers whose mention or name has what was typed behind the @; behind `server:` those
 * of that server whose address or name has the rest.
 */
export function resourceOffers(servers: readonly McpServer[], query: string): OfferedResource[] {
  const wanted = query.toLowerCase();
  const wantedOf = (server: string) =>
    wanted.startsWith(`${server}:`) ? wanted.slice(server.length + 1) : wanted;
  return servers
    .flatMap((server) =>
      (server.offers?.resources ?? []).map((resource) => ({
        ...resource,
        mention: `@${server.name}:${resource.uri}`,
        wanted: wantedOf(server.name.toLowerCase()),
      })),
    )
    .filter((one) => `${one.mention}\n${one.name ?? ""}`.toLowerCase().includes(one.wanted))
    .slice(0, SHOWN_RESOURCES)
    .map(({ mention, name, description }) => ({
      label: mention,
      detail: [name, description].filter(Boolean).join(": "),
      text: `${mention} `,
    }));
}
