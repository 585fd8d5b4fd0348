/** `842`, `3.1k`, `112k`, `1.2M`: tokens as the load line writes them. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) {
    return String(tokens);
  }
  if (tokens < 999_950) {
    return `${tenth(tokens / 1000)}k`;
  }
  return `${tenth(tokens / 1_000_000)}M`;
}

function tenth(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

/** `1,204`: tokens to the last one, the same in every locale. */
export function exactTokens(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

/** `512 bytes`, `296 kB`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) {
    return plural(bytes, "byte");
  }
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} kB` : `${tenth(bytes / 1_000_000)} MB`;
}

/** `0.4 s`, `12 s`, `2 min 5 s`. */
export function formatSeconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) {
    return seconds < 10 ? `${(milliseconds / 1000).toFixed(1)} s` : `${seconds} s`;
  }
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 turn`, `3 turns`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** More turns than this are no forecast any more. */
const MOST_TURNS = 50;

/** Below this share of what a request may use nobody needs a forecast, and a few turns make a bad one. */
const FORECAST_FROM_PERCENT = 50;

/** `about 14 turns left`, as far as the last turns tell; nothing while there is much room. */
export function turnsLeftText(turns: number, percent: number): string {
  if (turns < 1) {
    return "nearly full";
  }
  if (percent < FORECAST_FROM_PERCENT) {
    return "";
  }
  return turns > MOST_TURNS ? "many turns left" : `about ${plural(turns, "turn")} left`;
}

/** Text without links: a notification would turn `[…](command:…)` in it into something to click. */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

/** `2026-11-21 14:05` in the reader's own time zone. */
export function formatTime(rfc3339: string): string {
  const at = new Date(rfc3339);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/**
 * The title of a lens with the icon of our font in place of the sign that the server writes for any
 * client. The space does not break: a plain one after an icon is dropped.
 */
export function lensTitle(title: string): string {
  return title.replace(/^⊖ /, "$(plimsoll-mark)\u00a0");
}
