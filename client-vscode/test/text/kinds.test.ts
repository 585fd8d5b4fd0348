import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { groupOf, groupTokens, KIND_GROUPS } from "../../src/text/kinds";

describe("groups of kinds", () => {
  it("adds up to the meter, in one order, with files apart from runs", () => {
    const parts = [
      { kind: "toolResults", tokens: 100 },
      { kind: "draft", tokens: 3 },
      { kind: "system", tokens: 10 },
      { kind: "tools", tokens: 20 },
      { kind: "ofALaterVersion", tokens: 1 },
      { kind: "user", tokens: 4 },
    ];
    expect(groupTokens(parts, 60)).toEqual([
      { group: "fixed", tokens: 31 },
      { group: "you", tokens: 7 },
      { group: "files", tokens: 60 },
      { group: "runs", tokens: 40 },
    ]);
  });

  it("never tells more tokens of files than the meter has results", () => {
    expect(groupTokens([{ kind: "toolResults", tokens: 5 }], 60)).toEqual([
      { group: "files", tokens: 5 },
    ]);
  });

  it("tells a file that was read from what was run", () => {
    expect([groupOf("toolResults", true), groupOf("toolResults", false)]).toEqual([
      "files",
      "runs",
    ]);
    expect(groupOf("user", true)).toBe("you");
  });
});

type Linear = readonly [number, number, number];

/** The colours as the manifest contributes them, by theme. */
const contributed: { id: string; defaults: Record<string, string> }[] = JSON.parse(
  readFileSync("package.json", "utf8"),
).contributes.colors;
/** Grounds of VS Code's own themes: side bar, editor, widget. */
const GROUNDS: Readonly<Record<string, readonly string[]>> = {
  dark: ["#181818", "#1f1f1f", "#252526"],
  light: ["#f8f8f8", "#ffffff", "#f3f3f3"],
  highContrast: ["#000000"],
  highContrastLight: ["#ffffff"],
};

describe.each(Object.keys(GROUNDS))("the colours of the theme %s", (theme) => {
  const colors = Object.values(KIND_GROUPS).map(({ color }) => hexOf(color, theme));

  it("are at most eight, which a deuteranope tells apart, whichever stand side by side", () => {
    const seen = colors.map((hex) => lab(deuteranope(linear(hex))));
    const distances = seen.flatMap((one, at) =>
      seen.slice(at + 1).map((other) => difference(one, other)),
    );
    expect(colors.length).toBeLessThanOrEqual(8);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(10);
  });

  it("keep 3:1 on every ground", () => {
    const contrasts = colors.flatMap((hex) =>
      (GROUNDS[theme] ?? []).map((ground) => contrast(hex, ground)),
    );
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3);
  });
});

it("computes what the sources of the formulas print", () => {
  // The first and the third pair of the data of Sharma, Wu and Dalal (2005).
  expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(difference([50, 2.8361, -74.02], [50, 0, -82.7485])).toBeCloseTo(3.4412, 4);
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(lab([1, 1, 1])[0]).toBeCloseTo(100, 3);
});

function hexOf(id: string, theme: string): string {
  return contributed.find((one) => one.id === id)?.defaults[theme] ?? "#000000";
}

/** sRGB without its gamma (IEC 61966-2-1). */
function linear(hex: string): Linear {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [r, g, b];
}

/** Deuteranopia, severity 1.0: Machado, Oliveira and Fernandes (2009), table of matrices. */
function deuteranope([r, g, b]: Linear): Linear {
  const seen = (x: number, y: number, z: number) => Math.min(1, Math.max(0, x * r + y * g + z * b));
  return [
    seen(0.367322, 0.860646, -0.227968),
    seen(0.280085, 0.672501, 0.047413),
    seen(-0.01182, 0.04294, 0.968881),
  ];
}

/** Relative luminance and contrast: WCAG 2.1. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((hex) => {
      const [r, g, b] = linear(hex);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    .toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** CIE L*a*b* under D65. */
function lab([r, g, b]: Linear): Linear {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const degrees = (radians: number) => (radians * 180) / Math.PI;
const radians = (angle: number) => (angle * Math.PI) / 180;
const seventh = (chroma: number) => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));

/** CIEDE2000, as Sharma, Wu and Dalal (2005) write it. */
function difference([l1, a1, b1]: Linear, [l2, a2, b2]: Linear): number {
  const stretch = 1.5 - 0.5 * seventh((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const hue = (a: number, b: number) => (degrees(Math.atan2(b, a * stretch)) + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const turn = ((h2 - h1 + 540) % 360) - 180;
  const h = h1 + turn / 2;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const forL = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const forC = (c2 - c1) / (1 + 0.045 * c);
  const forH = (2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))) / (1 + 0.015 * c * t);
  const mean = (h + 360) % 360;
  const rotation = -2 * seventh(c) * Math.sin(radians(60 * Math.exp(-(((mean - 275) / 25) ** 2))));
  return Math.sqrt(forL ** 2 + forC ** 2 + forH ** 2 + rotation * forC * forH);
}
