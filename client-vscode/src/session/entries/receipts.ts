import type { Receipt } from "../../protocol";
import { COMPACTIONS } from "../labels/receipts";
import type { Entry, ReceiptEntry } from "../state";
import { upsert } from "./entries";

export function isPlanned(entry: Entry): entry is ReceiptEntry {
  return entry.kind === "receipt" && entry.receipt.status === "planned";
}

export function withoutPlanned(entries: readonly Entry[]): readonly Entry[] {
  return entries.some(isPlanned) ? entries.filter((entry) => !isPlanned(entry)) : entries;
}

export function withReceipt(entries: readonly Entry[], receipt: Receipt): readonly Entry[] {
  const settles = COMPACTIONS.has(receipt.stage) && receipt.status === "completed";
  const kept = settles ? withoutPlanned(entries) : entries;
  return upsert(kept, { kind: "receipt", id: receipt.id, at: receipt.at, receipt });
}

/** A receipt of an earlier day stands where it happened: behind the last entry that is not younger. */
export function withReceiptAtItsTime(
  entries: readonly Entry[],
  receipt: Receipt,
): readonly Entry[] {
  if (entries.some((entry) => entry.kind === "receipt" && entry.id === receipt.id)) {
    return withReceipt(entries, receipt);
  }
  const at = Date.parse(receipt.at);
  const after = entries.findLastIndex(
    (entry) => entry.at !== undefined && Date.parse(entry.at) <= at,
  );
  return entries.toSpliced(after + 1, 0, {
    kind: "receipt",
    id: receipt.id,
    at: receipt.at,
    receipt,
  });
}
