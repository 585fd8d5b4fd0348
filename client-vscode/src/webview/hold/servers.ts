import type { ServerAction, ServerRow } from "../../mcp/model";
import { exactTokens, plural } from "../../text/format";
import { h } from "../dom";

/** The person's MCP servers under one heading, closed while none of them wants anything; those that do come first. */
export function serverViews(servers: readonly ServerRow[]): HTMLElement[] {
  if (servers.length === 0) {
    return [];
  }
  const rows = servers.toSorted((a, b) => Number(b.failed) - Number(a.failed));
  const troubles = troublesOf(servers);
  const summary = [plural(servers.length, "MCP server"), troubles].filter(Boolean).join(": ");
  return [
    h(
      "details",
      { class: "servers", open: troubles !== "", "data-key": "servers" },
      h("summary", {}, summary),
      h("ul", { "aria-label": "MCP servers" }, ...rows.map(serverView)),
    ),
  ];
}

/** Which servers cannot be used, and which only want a login; empty when all can be used. */
function troublesOf(servers: readonly ServerRow[]): string {
  const namesOf = (wantsLogin: boolean) =>
    servers.filter((each) => each.failed && each.wantsLogin === wantsLogin).map(({ name }) => name);
  const [broken, logins] = [namesOf(false), namesOf(true)];
  return [
    broken.length > 0 && `${broken.join(", ")} cannot be used`,
    logins.length > 0 && `${logins.join(", ")} ${logins.length > 1 ? "want" : "wants"} a login`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Whether a server wants something of the person that did not before. */
export function wantsMore(now: readonly ServerRow[], before: readonly ServerRow[]): boolean {
  const wanted = new Set(before.filter(({ failed }) => failed).map(({ name }) => name));
  return now.some(({ name, failed }) => failed && !wanted.has(name));
}

function serverView({ name, state, tokens, why, failed, told, actions }: ServerRow): HTMLElement {
  return h(
    "li",
    { class: failed ? "server failed" : "server", title: why },
    h("span", { class: "title" }, name),
    h("span", { class: "state" }, state),
    h("span", { class: "tokens" }, exactTokens(tokens), h("span", { class: "sr" }, " tokens")),
    h("span", { class: "actions" }, ...actions.map((action) => actionView(action, name))),
    ...(told ? [h("span", { class: "why" }, why)] : []),
  );
}

function actionView(action: ServerAction, name: string): HTMLElement {
  const words = WORDS[action];
  return h(
    "button",
    {
      type: "button",
      class: "quiet",
      "data-server": name,
      "data-action": action,
      "aria-label": `${words} ${name}`,
    },
    words,
  );
}

const WORDS: Readonly<Record<ServerAction, string>> = {
  tools: "tools",
  restart: "restart",
  logIn: "log in",
  on: "switch on",
  off: "switch off",
};
