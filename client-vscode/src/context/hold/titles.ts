import type { ContextItem } from "../../protocol";
import { kindOf } from "../../text/kinds";
import { lookup } from "../../text/lookup";

/** Slots of the frame that a person knows by another name. */
const SLOTS: Readonly<Record<string, string>> = lookup({
  system: "System text",
  mode: "Mode",
  environment: "Environment",
  date: "Date",
  brief: "The agent's task",
  toolChoice: "Tool choice",
  stale: "Changed files",
  skills: "Skills of your own",
  "skills.folder": "Skills of this folder",
  agents: "Agents of your own",
  "agents.folder": "Agents of this folder",
  agent: "The agent's instructions",
});

/** What an item is called in the context view; `folder` is the URI that its files are named from. */
export function titleOf(item: ContextItem, folder: string): string {
  if (item.id.startsWith("frame.")) {
    return slotTitle(item);
  }
  if (item.source !== undefined) {
    return `${relative(item.source.uri, folder)}${lines(item.title)}`;
  }
  if (item.kind === "toolResults") {
    return item.title.replace(/^Run (?=\S)/, "");
  }
  return item.title.replace(/^\[pinned \d+\] /, "") || kindOf(item.kind).label;
}

/** `system.environment` is the name of a slot: `System: environment`. */
function slotTitle({ kind, title }: ContextItem): string {
  const [, ...rest] = title.split(".");
  const { label } = kindOf(kind);
  return SLOTS[title] ?? (rest.length > 0 ? `${label}: ${rest.join(".")}` : label);
}

/** `src/ledger.py` for a file of the folder, its name alone for any other. */
export function relative(uri: string, folder: string): string {
  const root = folder.endsWith("/") ? folder : `${folder}/`;
  const path = uri.startsWith(root) ? uri.slice(root.length) : uri.slice(uri.lastIndexOf("/") + 1);
  return decoded(path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone % is part of the name.
    return path;
  }
}

/** `:1-640`, from the lines that end the server's title. */
function lines(title: string): string {
  return /:\d+(?:-\d+)?$/.exec(title)?.[0] ?? "";
}
