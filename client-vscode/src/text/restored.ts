import type { FileResult } from "../protocol";
import { plural } from "./format";

/** Says how many files were put back, and names each that was left with its reason, in Markdown. */
export function restoredText(files: readonly FileResult[], commands: number): string {
  const left = files.filter(({ action }) => action === "left");
  const done = files.length - left.length;
  const parts = [
    ...(done > 0 ? [`${plural(done, "file")} put back.`] : []),
    ...(left.length > 0 ? [`Left as ${left.length === 1 ? "it is" : "they are"}:`] : []),
  ];
  const rows = left.map(({ uri, why }) => `- \`${nameOf(uri)}\`: ${why ?? ""}`);
  const ran =
    commands > 0 ? [`What ${plural(commands, "command")} changed since is not undone.`] : [];
  return [...parts, rows.join("\n"), ...ran].filter(Boolean).join("\n\n");
}

function nameOf(uri: string): string {
  return decodeURIComponent(uri.split("/").at(-1) ?? uri).replaceAll("`", "'");
}
