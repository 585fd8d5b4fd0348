import type { OfferedModel } from "../protocol";
import type { RequestFailure } from "../session/failure";
import type { Place } from "./place";

/** What a server lists, or why it does not. */
export interface Listed {
  readonly models: readonly OfferedModel[];
  readonly failure?: RequestFailure;
}

/** A row of the box: a model, or what else can be done. */
export interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly act: "use" | "retry" | "key" | "name";
}

const NAME: Choice = { label: "Type the model's name…", act: "name" };
const KEY: Choice = { label: "Give a key…", act: "key" };
const RETRY: Choice = { label: "Retry", act: "retry" };

/** Whether nobody is served there without a key: the vendors, who are asked over https. */
export function wantsKey({ baseUrl }: Place): boolean {
  return baseUrl === undefined || baseUrl === "https://openrouter.ai/api/v1";
}

/** The models first; where there are none, the reason with its remedy, and what to do about it. */
export function choices({ models, failure }: Listed): readonly Choice[] {
  if (failure !== undefined) {
    const { message, remedy, kind } = failure;
    const why: Choice = { label: message, act: "retry", ...(remedy ? { detail: remedy } : {}) };
    return [why, ...(kind === "providerAuth" ? [KEY, RETRY] : [RETRY, KEY]), NAME];
  }
  if (models.length === 0) {
    return [{ label: "The server answers, but lists no models.", act: "retry" }, RETRY, KEY, NAME];
  }
  return [...models.map(offered), NAME, KEY];
}

function offered({ name, contextWindow, windowSource }: OfferedModel): Choice {
  const source = windowSource === "server" ? "as it is served" : "as it is known";
  const tokens = contextWindow?.toLocaleString("en-US");
  const description = tokens ? `${tokens} tokens ${source}` : "window not known";
  return { label: name, description, act: "use" };
}
