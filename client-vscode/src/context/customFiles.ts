import * as vscode from "vscode";
import type { App } from "../app";
import { showInformation } from "../editor/notifications";
import { CustomListRequest, CustomSetRequest } from "../methods";
import type { CustomAgent, CustomCommand, CustomKind, CustomResult } from "../protocol";
import { exactTokens } from "../text/format";

const NOTHING =
  "There are no custom agents or commands: Markdown files in .claude/agents or .claude/commands, here or in your home.";

/** Lists custom agents and commands with their cost; what is ticked stays on in the folder. */
export function switchCustom(app: App) {
  return async () => {
    const sessionId = app.session.requiredId();
    const items = itemsOf(await app.request(CustomListRequest, { sessionId }));
    if (items.length === 0) {
      void showInformation(NOTHING);
      return;
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: "Agents and commands",
      canPickMany: true,
      matchOnDescription: true,
      placeHolder: "Ticked agents stand in the prompt with their description",
    });
    if (picked === undefined) {
      return;
    }
    for (const { kind, name, enabled } of switchedCustom(items, new Set(picked))) {
      await app.request(CustomSetRequest, { sessionId, kind, name, enabled });
    }
    app.session.requestReportSoon();
  };
}

export interface CustomItem {
  readonly what: CustomKind;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly picked: boolean;
}

/** What the list says of each that can be used, and of the files that cannot. */
export function itemsOf({ agents = [], commands }: CustomResult): CustomItem[] {
  return [
    ...agents.map((agent) => itemOf("agent", agent.name, agent, agentFacts(agent))),
    ...commands.map((one) => itemOf("command", `/${one.name}`, one, commandFacts(one))),
  ];
}

/** Those whose switch shall change, as it shall be; a file that cannot be used has none. */
export function switchedCustom(
  items: readonly CustomItem[],
  picked: ReadonlySet<CustomItem>,
): { kind: CustomKind; name: string; enabled: boolean }[] {
  return items
    .filter((item) => item.name !== "" && item.picked !== picked.has(item))
    .map(({ what: kind, name, picked: was }) => ({ kind, name, enabled: !was }));
}

function itemOf(
  what: CustomKind,
  label: string,
  one: CustomAgent | CustomCommand,
  facts: readonly string[],
): CustomItem {
  if (one.problem !== undefined) {
    const description = `not used: ${one.problem}`;
    return { what, name: "", label: one.path, description, detail: "", picked: false };
  }
  const whose = one.source === "folder" ? "this folder" : "your own";
  const description = [what, whose, ...(one.enabled ? facts : ["off"])].join(" · ");
  const { name, enabled: picked, description: detail } = one;
  return { what, name, label, description, detail, picked };
}

function agentFacts({ tokens, shortened, tools, model, unknown = [] }: CustomAgent): string[] {
  return [
    `${exactTokens(tokens)} tokens`,
    ...(tools === undefined ? [] : [`tools: ${tools.join(", ")}`]),
    ...(model === undefined ? [] : [model]),
    ...(unknown.length > 0 ? [`not known here: ${unknown.join(", ")}`] : []),
    ...(shortened ? ["description cut"] : []),
  ];
}

function commandFacts({ tokens }: CustomCommand): string[] {
  return [`${exactTokens(tokens)} tokens once sent`];
}
