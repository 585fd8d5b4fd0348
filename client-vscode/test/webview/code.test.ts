import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coloured, HIGHLIGHTED_LANGUAGES, plain, remembered } from "../../src/webview/code";

const CODE = 'x = "<a & b>"  # 1\nfunction f(a) { return a < 1; }\n<b c="d">e</b>\n';

/** The text of HTML that has no elements but spans. */
function textOf(html: string): string {
  return html
    .replaceAll(/<\/?span[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

it.each([...HIGHLIGHTED_LANGUAGES, "diff", "patch", "no language"])(
  "keeps every letter of a block of %s",
  (language) => {
    expect(textOf(coloured(CODE, language))).toBe(CODE);
    expect(textOf(plain(CODE, language))).toBe(CODE);
  },
);

it("leaves a block plain that is too long to be coloured within a frame", () => {
  expect(coloured("if a:\n".repeat(6_000), "python")).not.toContain("<span");
});

describe("what was made of a block", () => {
  it("is remembered: a redraw colours no text again, another language does", () => {
    const made: string[] = [];
    const html = remembered((text, language) => {
      made.push(`${language}:${text}`);
      return text;
    });
    for (const language of ["a", "a", "b", "a"]) {
      html("text", language);
    }
    expect(made).toEqual(["a:text", "b:text"]);
  });

  it("is forgotten when others were used since", () => {
    let count = 0;
    const html = remembered(() => String(++count), 2);
    for (const text of ["one", "two", "one", "three", "one"]) {
      html(text, "");
    }
    expect(count).toBe(3);
    expect(html("two", "")).toBe("4");
  });
});

/** VS Code's defaults of the colours that the style names: Dark Modern, Light Modern, both high contrasts. */
const THEMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dark: {
    ground: "#2b2b2b",
    "debugTokenExpression-boolean": "#4e94ce",
    "debugTokenExpression-string": "#ce9178",
    "debugTokenExpression-number": "#b5cea8",
    "debugTokenExpression-name": "#c586c0",
    "symbolIcon-functionForeground": "#b180d7",
    "symbolIcon-interfaceForeground": "#75beff",
    dim: "#9d9d9d",
  },
  light: {
    ground: "#f8f8f8",
    "debugTokenExpression-boolean": "#0000ff",
    "debugTokenExpression-string": "#a31515",
    "debugTokenExpression-number": "#098658",
    "debugTokenExpression-name": "#9b46b0",
    "symbolIcon-functionForeground": "#652d90",
    "symbolIcon-interfaceForeground": "#007acc",
    dim: "#3b3b3b",
  },
  highContrast: {
    ground: "#000000",
    "debugTokenExpression-boolean": "#75bdfe",
    "debugTokenExpression-string": "#f48771",
    "debugTokenExpression-number": "#89d185",
    "debugTokenExpression-name": "#ffffff",
    "symbolIcon-functionForeground": "#b180d7",
    "symbolIcon-interfaceForeground": "#75beff",
    dim: "#b3b3b3",
  },
  highContrastLight: {
    ground: "#ffffff",
    "debugTokenExpression-boolean": "#0000ff",
    "debugTokenExpression-string": "#a31515",
    "debugTokenExpression-number": "#098658",
    "debugTokenExpression-name": "#292929",
    "symbolIcon-functionForeground": "#652d90",
    "symbolIcon-interfaceForeground": "#007acc",
    dim: "#515151",
  },
};

describe.each(Object.entries(THEMES))("the colours of code in the theme %s", (_, colors) => {
  const style = readFileSync("src/webview/style/code.css", "utf8");
  const named = [...style.matchAll(/var\(--(?:vscode-)?([\w-]+)\)/g)].map(([, name]) => name ?? "");

  it.each([...new Set(named)])("%s stands off its ground by 3 to 1", (name) => {
    expect(contrast(colors[name] ?? "", colors.ground ?? "")).toBeGreaterThanOrEqual(3);
  });
});

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The relative luminance of WCAG 2; NaN for what is no colour. */
function luminance(hex: string): number {
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
