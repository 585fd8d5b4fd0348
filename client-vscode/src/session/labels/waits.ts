import type { Waiting } from "../../protocol";
import type { ChatState, Entry } from "../state";

const waitsFor = (model: string) => `Waiting for ${model}`;

const WAITS: Readonly<Record<string, (model: string) => string>> = {
  connecting: (model) => `Connecting to the server of ${model}`,
  loading: (model) => `The server loads ${model}`,
  firstToken: waitsFor,
  rateLimited: (model) => `Too many requests for ${model}`,
  retrying: (model) => `${model} failed`,
};

/** What a turn waits for, and which try comes when. */
export function waitingText(waiting: Waiting, model: string | undefined): string {
  const name = waiting.model || model?.slice(model.indexOf("/") + 1) || "the model";
  const words = (WAITS[waiting.reason] ?? waitsFor)(name);
  const { attempt, attempts, retryAt } = waiting;
  return attempt === undefined || retryAt === undefined
    ? words
    : `${words}, try ${attempt} of ${attempts} at ${new Date(retryAt).toLocaleTimeString()}`;
}

/** What a turn does now, for a line below the conversation; nothing while its text is seen to come. */
export function workingText(state: ChatState): string | undefined {
  const { turnId, waiting, entries, session } = state;
  const last = entries.at(-1);
  if (turnId === undefined || asks(last) || streams(last)) {
    return undefined;
  }
  if (waiting !== undefined) {
    return waitingText(waiting, session?.model);
  }
  if (last?.kind === "answer" && last.streaming) {
    return "Thinking";
  }
  // A card that runs counts its own seconds.
  return last?.kind === "tool" && last.status === "running" && last.since ? undefined : "Working";
}

function asks(entry: Entry | undefined): boolean {
  return entry?.kind === "tool" && entry.permission !== undefined;
}

function streams(entry: Entry | undefined): boolean {
  return entry?.kind === "answer" && entry.streaming && entry.text !== "";
}
