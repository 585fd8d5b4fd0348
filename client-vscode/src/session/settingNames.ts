/** `model.base_url`, as the server names a setting, by its id in VS Code: `plimsoll.model.baseUrl`. */
export function settingId(name: string): string {
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `plimsoll.${camel}`;
}

/** The setting as the Settings editor titles it: `Model: Base Url`. */
export function settingTitle(name: string): string {
  const words = (part: string) =>
    part
      .split("_")
      .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
      .join(" ");
  return name.split(".").map(words).join(": ");
}

/** The settings that a notice says it names. */
export function settingsNamed(data: unknown): readonly string[] {
  const named = (data as { settings?: unknown } | undefined)?.settings;
  return Array.isArray(named) ? named.filter((name) => typeof name === "string") : [];
}

/** A text with each setting that it names by its title; in Markdown, without the backticks. */
export function withTitles(text: string, names: readonly string[]): string {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((told, name) => {
    const title = `“${settingTitle(name)}”`;
    // A value that is to be set stands behind the name in the words of the settings file.
    return told
      .replaceAll(`\`${name} = true\``, title)
      .replaceAll(`\`${name}\``, title)
      .replaceAll(name, title);
  }, text);
}
