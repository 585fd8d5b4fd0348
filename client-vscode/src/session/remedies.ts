import type { Fix } from "../protocol";

/** What to do in VS Code, by what is to be put right; where this says nothing, the server's words hold. */
const REMEDIES: Readonly<Record<string, (fix: Fix) => string | undefined>> = {
  key: () => "Give a valid key: Plimsoll: Set API Key…",
  model: () =>
    "Choose a model that the server has: Plimsoll: Select Model…, or the setting plimsoll.model.name.",
  address: ({ address }) =>
    address === undefined ? undefined : `Set plimsoll.model.baseUrl to ${address}.`,
};

/** What to do about an error here. */
export function remedyOf(error: { remedy?: string; fix?: Fix }): string | undefined {
  const { fix, remedy } = error;
  return (fix && REMEDIES[fix.kind]?.(fix)) ?? remedy;
}
