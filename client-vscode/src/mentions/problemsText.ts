/** A problem that the editor shows. */
export interface Problem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly severity: "error" | "warning" | "information";
  readonly message: string;
  /** Who reports it, and by which code. */
  readonly source: string;
}

const MOST = 60;
const MESSAGE_LENGTH = 300;
const RANK = { error: 0, warning: 1, information: 2 };

/** Problems a line each, errors first; what is too much is counted at the end. */
export function problemsText(problems: readonly Problem[]): string {
  const sorted = problems.toSorted(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] || a.path.localeCompare(b.path) || a.line - b.line,
  );
  const left = sorted.length - MOST;
  const more = left > 0 ? [`[${left} more are not listed]`] : [];
  return [...sorted.slice(0, MOST).map(row), ...more].join("\n");
}

function row({ path, line, severity, message, source }: Problem): string {
  const told = message.split(/\s+/).join(" ").trim();
  const cut = told.length > MESSAGE_LENGTH ? `${told.slice(0, MESSAGE_LENGTH)}…` : told;
  return `${path}:${line} ${severity}: ${cut}${source ? ` [${source}]` : ""}`;
}
