import type { Fix } from "../protocol";
import { settingTitle, withTitles } from "./settingNames";

/** What to do in VS Code, by what is to be put right; where this says nothing, the server's words hold. */
const REMEDIES: Readonly<Record<string, (fix: Fix) => string | undefined>> = {
  key: () => "Give a valid key.",
  model: () => "Choose a model that the server has.",
  address: ({ address, advice, setting }) =>
    address === undefined
      ? advice && setting && `${advice} Otherwise check “${settingTitle(setting)}” and the network.`
      : `The address is probably meant to be ${address}.`,
  window: ({ advice, setting }) =>
    setting && `${advice ?? ""} Or say how much the model holds: “${settingTitle(setting)}”.`,
  setting: ({ advice, setting }) =>
    advice && setting && `${advice} The setting is “${settingTitle(setting)}”.`,
};

/** What to do about an error here: never in the names of the server's own settings file. */
export function remedyOf(error: { remedy?: string; fix?: Fix }): string | undefined {
  const { fix, remedy } = error;
  const own = fix && REMEDIES[fix.kind]?.(fix)?.trim();
  return own || (remedy && withTitles(remedy, fix?.setting ? [fix.setting] : []));
}
