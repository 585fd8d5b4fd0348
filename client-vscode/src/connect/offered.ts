import type { ConnectedAddress, ConnectedModel, Failure, ModelConnectedResult } from "../protocol";
import { isKeywordSearch } from "../session/labels/sessions";

/** A row of the picker: a model, or what else can be done. */
export interface ModelRow {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly act: "use" | "connect" | "type" | "remove";
  /** What the session is set to. */
  readonly model?: string;
}

const MORE: readonly ModelRow[] = [
  {
    label: "Connect a model…",
    detail: "Who serves it, its key, the models there, one test",
    act: "connect",
  },
  { label: "Type a model's name…", act: "type" },
];
const REMOVE: ModelRow = { label: "Remove an address from this list…", act: "remove" };

/** The models of all connected addresses, the last used first, and what else can be done. */
export function modelRows(
  { models, addresses }: ModelConnectedResult,
  current: string | undefined,
): readonly ModelRow[] {
  const silent = new Map(addresses.map((one) => [placeOf(one), one.error]));
  const rows = models.map((one) => offered(one, current, silent.get(placeOf(one))));
  const listed = models.some(({ model }) => model === current);
  const own: ModelRow[] =
    current === undefined || listed
      ? []
      : [{ label: nameOf(current), description: "current", act: "use", model: current }];
  return [...own, ...rows, ...MORE, ...(removable(addresses).length > 0 ? [REMOVE] : [])];
}

/** The addresses that can leave the list: those of the settings stay as long as these name them. */
export function removable(addresses: readonly ConnectedAddress[]): readonly ConnectedAddress[] {
  return addresses.filter(({ isSet }) => !isSet);
}

function offered(
  one: ConnectedModel,
  current: string | undefined,
  error: Failure | undefined,
): ModelRow {
  if (isKeywordSearch(one.model)) {
    const label = "Keyword search";
    const description = one.model === current ? "current" : "";
    return { label, description, detail: "No model, no network", act: "use", model: one.model };
  }
  const where = one.address.replace(/^https?:\/\//, "");
  const said = [where, one.model === current ? "current" : "", error ? "not reachable now" : ""];
  return {
    label: one.name,
    description: said.filter((word) => word !== "").join(" · "),
    detail: error ? [error.message, error.remedy].filter(Boolean).join(" ") : facts(one),
    act: "use",
    model: one.model,
  };
}

function facts({ contextWindow, price, images, tools }: ConnectedModel): string {
  const window = contextWindow?.toLocaleString("en-US");
  const takes = [images ? "images" : "", tools ? "tools" : ""].filter((word) => word !== "");
  return [
    window ? `${window} tokens` : "window not known",
    price ? `$${price.input} in, $${price.output} out per million` : "",
    takes.join(", "),
  ]
    .filter((word) => word !== "")
    .join(" · ");
}

function placeOf({ provider, address }: { provider: string; address: string }): string {
  return `${provider} ${address}`;
}

function nameOf(model: string): string {
  return model.split("/").slice(1).join("/") || model;
}
