/** What can be installed beside the carried server, by the name of its extra in the package. */
export type Extra =
  | "documents"
  | "web"
  | "mcp"
  | "keyring"
  | "socks"
  | "team"
  | "telemetry"
  | "confined"
  | "view";

/** A lock file that the extension carries: the libraries of the server itself, or of an extra. */
export type Lock = "runtime" | Extra;

interface ExtraText {
  readonly label: string;
  readonly detail: string;
  /** The systems that it is for, as Node names them; undefined: all. */
  readonly systems?: readonly string[];
}

const EXTRAS: Readonly<Record<Extra, ExtraText>> = {
  documents: { label: "PDF documents", detail: "The agent reads the text of PDF files." },
  web: {
    label: "Web pages",
    detail:
      "The agent reads pages as Markdown, where “Plimsoll › Web: Fetch” lets it ask for them.",
  },
  mcp: {
    label: "Servers of tools (MCP)",
    detail: "The agent uses the tools of the servers that you have added.",
  },
  keyring: {
    label: "The system's keyring",
    detail: "The server finds the keys that “plimsoll connect” keeps in the system's keyring.",
  },
  socks: {
    label: "SOCKS proxies",
    detail: "Models are reached through the SOCKS proxy of “Plimsoll › Network: Proxy”.",
  },
  team: {
    label: "Sharing with a team",
    detail: "The folder can share memories and pins at the PostgreSQL of a team.",
  },
  telemetry: {
    label: "Spans for a collector",
    detail: "What the server does goes to the collector of “Plimsoll › Telemetry: Otlp Endpoint”.",
  },
  view: {
    label: "The context in a browser",
    detail: "The slash command /view shows it to any browser on this machine.",
  },
  confined: {
    label: "Bubblewrap",
    detail: "Commands of the agent run in a sandbox, where the system has no bwrap of its own.",
    systems: ["linux"],
  },
};

export interface ExtraRow {
  readonly extra: Extra;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** The extras of a system, and which of them are there. */
export function extraRows(system: string, installed: readonly string[]): ExtraRow[] {
  return Object.entries(EXTRAS)
    .filter(([, { systems }]) => systems?.includes(system) ?? true)
    .map(([name, { label, detail }]) => ({
      extra: name as Extra,
      label,
      detail,
      description: installed.includes(name) ? "installed" : "",
    }));
}
