/** What a command in a terminal has written, as far as it is kept. */
export interface TerminalRun {
  readonly command: string;
  /** As it came, control sequences included; only the end of a long one. */
  readonly raw: string;
  /** Characters of it that are no longer kept. */
  readonly dropped: number;
  /** `running` while it does; a shell may not tell how a command ended. */
  readonly ended: "running" | "unknown" | number;
}

/** Characters of one command's output that are kept in memory. */
const MOST_KEPT = 40_000;
/** Characters of it that go along with a message. */
const MOST_SAID = 16_000;

/** Adds what arrived, and lets go of the beginning of what is too much. */
export function withOutput(run: TerminalRun, data: string): TerminalRun {
  const raw = run.raw + data;
  const over = Math.max(0, raw.length - MOST_KEPT);
  return { ...run, raw: raw.slice(over), dropped: run.dropped + over };
}

/** The command, its output without control sequences, and how it ended. */
export function terminalText(run: TerminalRun): string {
  const plain = plainText(run.raw).trim();
  const over = Math.max(0, plain.length - MOST_SAID);
  const cut = over + run.dropped;
  return [
    `$ ${run.command}`,
    ...(cut > 0 ? [`[the first ${cut} characters are left out]`] : []),
    plain === "" && run.ended !== "running" ? NOTHING_TOLD : plain.slice(over),
    END[String(run.ended)] ?? `[exit code ${run.ended}]`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Editors lose what a command prints in one piece with its prompt: nobody shall take it for silent. */
const NOTHING_TOLD = "[the editor passed on no output: see the terminal]";

const END: Readonly<Record<string, string>> = {
  running: "[it still runs]",
  unknown: "",
};

const ESCAPE = "\u001b";
const BELL = "\u0007";
/** Titles and marks of the shell, colours and moves, and what else begins with an escape. */
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?`,
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
const CONTROLS = /[^\P{Cc}\t]/gu;

/** What a person reads of it: a line that was written over shows what was written last. */
function plainText(raw: string): string {
  return raw
    .replace(SEQUENCES, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => lastWritten(line).replace(CONTROLS, ""))
    .join("\n");
}

function lastWritten(line: string): string {
  const rows = line.split("\r").filter((row) => row !== "");
  return rows.at(-1) ?? "";
}
