import type { FileResult } from "../protocol";
import { plural } from "./format";

/** Names the files that stay, or come back perhaps not as they were, with the reasons, in Markdown. */
export function remarksText(files: readonly FileResult[], commands: number): string {
  const left = files.filter(({ action }) => action === "left");
  const doubtful = files.filter(({ action, why }) => action !== "left" && why !== undefined);
  const stay = `Left as ${left.length === 1 ? "it is" : "they are"}:`;
  return [
    ...(doubtful.length > 0 ? ["Perhaps not as at the prompt:", rows(doubtful)] : []),
    ...(left.length > 0 ? [stay, rows(left)] : []),
    ...(commands > 0 ? [`Not undone: what ${plural(commands, "command")} changed since.`] : []),
  ].join("\n\n");
}

function rows(files: readonly FileResult[]): string {
  return files.map(({ uri, why }) => `- \`${nameOf(uri)}\`: ${why ?? ""}`).join("\n");
}

function nameOf(uri: string): string {
  return decodeURIComponent(uri.split("/").at(-1) ?? uri).replaceAll("`", "'");
}
