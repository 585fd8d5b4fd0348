import type { Meter, Spending } from "../protocol";
import { exactTokens, formatTokens, turnsLeftText } from "../text/format";
import { cssVariable, type GroupTokens, groupTokens, KIND_GROUPS } from "../text/kinds";
import { lookup } from "../text/lookup";
import { costText, limitText, RAISE_LIMIT, spentTokensText } from "./spending";

export type Alarm = "none" | "warning" | "error";

/** What the status bar shows for a meter; colour is never the only sign. */
export interface LoadLine {
  readonly text: string;
  readonly alarm: Alarm;
  /** What a screen reader says. */
  readonly label: string;
  /** Markdown with the parts. */
  readonly tooltip: string;
}

/** Yellow from the warning mark, red from the compact mark. */
const ZONES: Readonly<Record<string, { alarm: Alarm; word: string; says: string }>> = lookup({
  ok: { alarm: "none", word: "", says: "within the load line" },
  warning: { alarm: "warning", word: "", says: "above the warning mark" },
  compact: { alarm: "error", word: "compact", says: "above the compact mark" },
  blocking: { alarm: "error", word: "full", says: "above the stop mark" },
  infeasible: { alarm: "error", word: "does not fit", says: "the next request cannot fit" },
});

const UNKNOWN_ZONE = { alarm: "none", word: "", says: "" } as const;

const IN_MEMORY = "kept in memory alone: it ends with the server or the window";

/** What else is known of the session. */
export interface Beside {
  readonly inMemory: boolean;
  readonly fileTokens?: number;
  readonly spending?: Spending;
}

/** The load line in words: `$(plimsoll-mark) 49% · 55k`, and that nothing of it is on disk. */
export function loadLine(meter: Meter, { inMemory, fileTokens = 0, spending }: Beside): LoadLine {
  const zone = ZONES[meter.zone] ?? UNKNOWN_ZONE;
  const percent = Math.round(meter.percent);
  const words = filled([zone.word, inMemory ? "in memory" : ""]);
  const memory = inMemory ? IN_MEMORY : "";
  return {
    text: [`$(plimsoll-mark) ${percent}%`, roundTokens(meter.used), ...words].join(" · "),
    alarm: zone.alarm,
    label: `Plimsoll load line: ${percent} percent, ${exactTokens(meter.used)} of ${exactTokens(meter.effective)} tokens, ${filled([zone.says, memory]).join(", ")}`,
    tooltip: filled([tooltip(meter, zone.says, fileTokens), spentText(spending), memory]).join(
      "\n\n",
    ),
  };
}

/** `55k`: the status bar has no room for the tenth. */
function roundTokens(tokens: number): string {
  return tokens < 10_000 || tokens >= 999_500
    ? formatTokens(tokens)
    : `${Math.round(tokens / 1000)}k`;
}

function tooltip(meter: Meter, says: string, fileTokens: number): string {
  return [heading(meter), rows(groupTokens(meter.parts, fileTokens)), footer(meter, says)].join(
    "\n\n",
  );
}

function heading(meter: Meter): string {
  return (
    `**$(plimsoll-mark) Load line** &nbsp; ${formatTokens(meter.used)} of ` +
    `${formatTokens(meter.effective)} · ${accuracy(meter)}`
  );
}

/** What the session has spent, and of its limits; nothing before the first request. */
function spentText(spending: Spending | undefined): string {
  if (spending === undefined || spending.input + spending.output === 0) {
    return "";
  }
  const sum = `Spent: ${spentTokensText(spending)} · ${costText(spending)}`;
  const limits = spending.limits.map(limitText);
  const raise = limits.length > 0 ? ` [Raise Spend Limit…](command:${RAISE_LIMIT})` : "";
  return `${[sum, ...limits].join("  \n")}${raise}`;
}

/** `counted` is exact; an estimate says its margin. */
export function accuracy(meter: Meter): string {
  if (meter.marginTokens === 0 || meter.used === 0) {
    return meter.basis;
  }
  return `${meter.basis} ±${((100 * meter.marginTokens) / meter.used).toFixed(1)} %`;
}

function rows(groups: readonly GroupTokens[]): string {
  return ["| | | |", "|---|:---|---:|", ...groups.map(row)].join("\n");
}

function row({ group, tokens }: GroupTokens): string {
  const { label, color } = KIND_GROUPS[group];
  const swatch = `<span style="color:var(${cssVariable(color)});">■</span>`;
  return `| ${swatch} | ${label} | &nbsp;&nbsp;${formatTokens(tokens)} |`;
}

function footer(meter: Meter, says: string): string {
  const turns =
    typeof meter.turnsLeft === "number" ? turnsLeftText(meter.turnsLeft, meter.percent) : "";
  const measured = meter.lastMeasured;
  const provider = measured
    ? `the provider counted ${exactTokens(measured.inputTokens)} for the last request, Plimsoll ${exactTokens(measured.ourCount)}`
    : "";
  return filled([says, turns, windowText(meter), provider]).join(" · ");
}

const WINDOW_SOURCES: Readonly<Record<string, string>> = {
  setting: "as set",
  server: "as its server says",
  table: "as known of the model",
  learned: "learned from its server",
  assumed: "assumed: set plimsoll.model.contextWindow",
};

/** Who says how large the window is; an older server does not tell. */
function windowText(meter: Meter): string {
  const source = WINDOW_SOURCES[meter.windowSource ?? ""];
  return source === undefined ? "" : `window ${exactTokens(meter.window)}, ${source}`;
}

function filled(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== "");
}
