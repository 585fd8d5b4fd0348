import type { KeptFolder, StoreSalvageResult } from "../protocol";

/** What was saved of a damaged store, and where the file is now. */
export function salvagedText(saved: StoreSalvageResult): string {
  const { sessions, entries, memories, pins, lost, damagedPath } = saved;
  const gap = lost > 0 ? ` ${lost} entries between others could not be read.` : "";
  return (
    `Saved: ${sessions} sessions with ${entries} entries, ${memories} memories, ${pins} pins.` +
    `${gap} The damaged file is kept in ${damagedPath}.`
  );
}

/** What is kept of folders, a line each. */
export function keptText(kept: readonly KeptFolder[]): string {
  const lines = kept.map((one) => {
    const counts = [count(one.sessions, "sessions"), count(one.memories, "memories")];
    return `${one.path}: ${counts.join(", ")}, ${count(one.pins, "pins")}, ${one.bytes} bytes`;
  });
  return lines.join("\n") || "Nothing is kept.";
}

function count(number: number | null | undefined, what: string): string {
  return typeof number === "number" ? `${number} ${what}` : `${what} that cannot be read`;
}
