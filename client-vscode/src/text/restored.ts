import type { FileResult } from "../protocol";
import { plural } from "./format";

/** Says how many files were put back, and names each of which more is to be said, in Markdown. */
export function restoredText(files: readonly FileResult[], commands: number): string {
  const done = files.filter(({ action }) => action !== "left").length;
  const told = done > 0 ? [`${plural(done, "file")} put back.`] : [];
  return [...told, remarksText(files, commands)].filter(Boolean).join("\n\n");
}

/** Names the files that stay, or come back perhaps not as they were, with the reasons. */
export function remarksText(files: readonly FileResult[], commands: number): string {
  const left = files.filter(({ action }) => action === "left");
  const doubtful = files.filter(({ action, why }) => action !== "left" && why !== undefined);
  const stay = `Left as ${left.length === 1 ? "it is" : "they are"}:`;
  return [
    ...(doubtful.length > 0 ? ["Perhaps not as at the prompt:", rows(doubtful)] : []),
    ...(left.length > 0 ? [stay, rows(left)] : []),
    ...(commands > 0 ? [`What ${plural(commands, "command")} changed since is not undone.`] : []),
  ].join("\n\n");
}

function rows(files: readonly FileResult[]): string {
  return files.map(({ uri, why }) => `- \`${nameOf(uri)}\`: ${why ?? ""}`).join("\n");
}

function nameOf(uri: string): string {
  return decodeURIComponent(uri.split("/").at(-1) ?? uri).replaceAll("`", "'");
}
