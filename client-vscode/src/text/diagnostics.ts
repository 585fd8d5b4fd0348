import type { Counters, StatusResult } from "../protocol";
import { exactTokens, plural } from "./format";

/** What is known here of an installation; nothing that was said is in it. */
export interface DiagnosticFacts {
  readonly versions: Readonly<Record<string, string>>;
  /** The settings that somebody set, by their keys. */
  readonly settings: readonly (readonly [string, unknown])[];
  /** None while no server answers. */
  readonly status: StatusResult | undefined;
  /** The newest lines of the server's log file, which holds nobody's text. */
  readonly logLines: readonly string[];
  readonly home: string;
}

/** Settings whose value is a name that the person has given to no one else. */
const NAMES = /(^|\.)(provider|name|profile|extraction)$/;
const ADDRESS = /^https?:\/\//i;

/** The diagnostics as Markdown, to be pasted into a report. */
export function diagnosticsText(facts: DiagnosticFacts): string {
  const settings = facts.settings.map(([key, value]) => `${key}: ${settingText(key, value)}`);
  const text = [
    section(
      "Versions",
      Object.entries(facts.versions).map(([name, version]) => `${name}: ${version}`),
    ),
    section("Settings", settings),
    section("Status", statusLines(facts.status)),
    section("Counters", counterLines(facts.status?.counters)),
    section("Log", facts.logLines),
  ].join("\n");
  return facts.home === "" ? text : text.replaceAll(facts.home, "~");
}

/** A setting as others may read it: texts of the person are left out, of an address all but its host. */
export function settingText(key: string, value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  if (typeof value !== "string") {
    return "set";
  }
  if (ADDRESS.test(value)) {
    return URL.canParse(value) ? new URL(value).origin : "an address";
  }
  return NAMES.test(key) ? value : "set";
}

function section(title: string, lines: readonly string[]): string {
  const body = lines.length === 0 ? ["(none)"] : lines;
  return [`## ${title}`, "", "```text", ...body.map(unfenced), "```", ""].join("\n");
}

/** A line cannot end the fence that it stands in. */
function unfenced(line: string): string {
  return line.replaceAll("```", "'''");
}

function statusLines(status: StatusResult | undefined): string[] {
  if (status === undefined) {
    return ["the server does not answer"];
  }
  const { store, sandbox } = status;
  return [
    `model: ${status.model}`,
    `profile: ${status.profile ?? "default"}`,
    `store: ${store.kind}, ${exactTokens(store.bytes)} bytes, ${plural(status.sessions, "session")}`,
    ...(sandbox === undefined ? [] : [`sandbox: ${sandbox.confinement.rung}`]),
    ...status.warnings.map(({ code }) => `warning: ${code}`),
  ];
}

function counterLines(counters: Counters | undefined): string[] {
  if (counters === undefined) {
    return [];
  }
  return [
    `turns: ${counters.turns}`,
    ...counters.requests.map(
      (one) =>
        `requests of ${one.model} for ${one.purpose}: ${one.requests}, failed: ${one.failed}; tokens in: ` +
        `${exactTokens(one.input)} (${exactTokens(one.cached)} from the cache), out: ${exactTokens(one.output)}`,
    ),
    ...counters.reductions.map(
      ({ stage, times, tokens }) => `${stage}: ${times}, freed: ${exactTokens(tokens)} tokens`,
    ),
    ...counters.cacheMisses.map(
      ({ cause, times, tokens }) =>
        `cache misses (${cause}): ${times}, sent again: ${exactTokens(tokens)} tokens`,
    ),
    ...counters.waits.map(({ reason, times }) => `waits (${reason}): ${times}`),
  ];
}
