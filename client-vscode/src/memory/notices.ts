import type { Memory, Notice } from "../protocol";

/** What a notice tells of a memory that was kept, or waits for a word: shown with buttons, not with its id. */
export interface MemoryNotice {
  readonly id: string;
  readonly title: string;
  /** It waits in the inbox. */
  readonly waits: boolean;
}

/** What a person can do with it. */
export type MemoryAnswer = "accept" | "reject" | "forget";

/** The memory that a notice tells of: found in what was said, or kept by `/remember`. */
export function memoryOf({ data, command = "/remember" }: Notice): MemoryNotice | undefined {
  const { memory } = (data ?? {}) as { memory?: Partial<Memory> };
  if (!command.startsWith("/remember") || typeof memory?.id !== "string") {
    return undefined;
  }
  return { id: memory.id, title: memory.title ?? "", waits: memory.state === "inbox" };
}

export function memoryNoticeText({ title, waits }: MemoryNotice): string {
  return waits
    ? `Remember this for later sessions? “${title}”`
    : `Saved for this project: “${title}”`;
}

const ANSWERED: Readonly<Record<MemoryAnswer, string>> = {
  accept: "Saved for this project",
  reject: "Not saved",
  forget: "Not saved any more",
};

export function answeredText(title: string, answer: MemoryAnswer): string {
  return `${ANSWERED[answer]}: “${title}”`;
}
