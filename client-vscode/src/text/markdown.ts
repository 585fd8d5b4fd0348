/** A heading over a list; nothing when there are no lines. */
export function listSection(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : `## ${title}\n\n${lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")}`;
}

/** A heading over a table; nothing when there are no rows. */
export function tableSection(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return rows.length === 0 ? "" : `## ${title}\n\n${table(head, rows)}`;
}

const WIDEST = 60;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => escapeMarkdown(clip(cell))));
  const widths = head.map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? "").length)),
  );
  const right = head.map((_, column) => rows.every((row) => /^[\d,]*$/.test(row[column] ?? "")));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0, right[column] ?? false)).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (right[column] ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2))).join("|")}|`;
  const [first, ...rest] = cells;
  return [line(first ?? head), rule, ...rest.map(line)].join("\n");
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

/**
 * Text that somebody else wrote, on one line and without effect: the preview would load an image from
 * anywhere, so nothing in it may be read as Markdown or HTML.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\\`*_[\]<>!|&~$]/g, "\\$&");
}

function clip(text: string): string {
  return text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`;
}
