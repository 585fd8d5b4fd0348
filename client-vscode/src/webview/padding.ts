/** Blanks that push text out of sight, written as counts; what is approved is seen whole. */

const MID_LINE = /(?<=.\S)[ \t]{16,}/g;
const INDENT = /^([ +-]?)([ \t]{60,})/;
const BLANK_ROWS = 8;

export function foldPadding(line: string): string {
  return line
    .replace(INDENT, (_, sign: string, blanks: string) => `${sign}${counted(blanks)} `)
    .replace(MID_LINE, (blanks) => ` ${counted(blanks)} `);
}

/** Long runs of blank rows with one sign become one row that says how many they are. */
export function foldBlankRows<T extends { kind: string; line: string }>(rows: readonly T[]): T[] {
  const folded: T[] = [];
  for (let start = 0; start < rows.length; ) {
    const first = rows[start] as T;
    let end = start + 1;
    while (isBlank(first) && rows[end]?.kind === first.kind && isBlank(rows[end] as T)) {
      end += 1;
    }
    const many = end - start >= BLANK_ROWS;
    const told = `${first.line.slice(0, 1)}⟨${end - start} blank lines⟩`;
    folded.push(...(many ? [{ ...first, line: told }] : rows.slice(start, end)));
    start = end;
  }
  return folded;
}

function isBlank({ line }: { line: string }): boolean {
  return /^[ +-]?\s*$/.test(line);
}

function counted(blanks: string): string {
  const tabs = blanks.length - blanks.replaceAll("\t", "").length;
  const kind = tabs === 0 ? "spaces" : tabs === blanks.length ? "tabs" : "spaces and tabs";
  return `⟨${blanks.length} ${kind}⟩`;
}
