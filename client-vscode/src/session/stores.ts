import type { KeptFolder, StoreSalvageResult } from "../protocol";
import { INSTALL_LIBRARIES } from "../server/locate";
import { formatBytes, plural } from "../text/format";
import { failureOf, failureText } from "./failure";

/** What the editor offers where no session could be opened, by what is why, the best first. */
const RESCUES: Readonly<Record<string, readonly Rescue[]>> = {
  storeDamaged: ["salvageStore", "useMemory"],
  storeUnavailable: ["useMemory"],
  storeNewer: ["useMemory"],
  noLibraries: ["installLibraries"],
};

export type Rescue = "salvageStore" | "useMemory" | "installLibraries";

export const RESCUE_LABELS: Readonly<Record<Rescue, string>> = {
  salvageStore: "Salvage…",
  useMemory: "Work in memory",
  installLibraries: INSTALL_LIBRARIES,
};

/** What can be done about a failure of a kind; nothing where that is unknown. */
export function rescuesOf(kind: string | undefined): readonly Rescue[] {
  return RESCUES[kind ?? ""] ?? [];
}

/** Why no session could be opened; what the editor offers to do itself is no command to be typed. */
export function rescueText(error: unknown): string {
  const { kind, message } = failureOf(error);
  return rescuesOf(kind).includes("salvageStore") ? message : failureText(error);
}

/** What was saved of a damaged store, and where the file is now. */
export function salvagedText(saved: StoreSalvageResult): string {
  const { sessions, entries, memories, pins, lost, damagedPath, leftTeam } = saved;
  const gap =
    lost > 0 ? ` ${plural(lost, "entry", "entries")} between others could not be read.` : "";
  const team =
    leftTeam === undefined
      ? ""
      : ` The folder takes no part in the team's project ${leftTeam} any more: join it again.`;
  return (
    `Saved: ${plural(sessions, "session")} with ${plural(entries, "entry", "entries")}, ` +
    `${plural(memories, "memory", "memories")}, ${plural(pins, "pin")}.` +
    `${gap} The damaged file is kept in ${damagedPath}.${team}`
  );
}

/** What is kept of folders, a line each. */
export function keptText(kept: readonly KeptFolder[]): string {
  const lines = kept.map((one) => {
    return `${one.path}: ${countsText(one)}, ${formatBytes(one.bytes)}`;
  });
  return lines.join("\n");
}

/** The server leaves all counts out where it cannot read a database. */
function countsText({ sessions, memories, pins }: KeptFolder): string {
  if (typeof sessions !== "number") {
    return "damaged or of another version";
  }
  return [
    plural(sessions, "session"),
    plural(memories ?? 0, "memory", "memories"),
    plural(pins ?? 0, "pin"),
  ].join(", ");
}
