import type { Meter } from "../protocol";
import { exactTokens, formatTokens } from "../text/format";
import { type GroupTokens, groupTokens, KIND_GROUPS } from "../text/kinds";

const SVG = "http://www.w3.org/2000/svg";

/** How a bar is drawn, in pixels: its height, and the room above it for the names of the marks. */
interface BarSize {
  readonly bar: number;
  readonly names: number;
}

const SIZES = {
  view: { bar: 16, names: 14 },
  /** A thin one above the composer: the marks have no names. */
  strip: { bar: 6, names: 3 },
} as const satisfies Record<string, BarSize>;

/** How far a mark stands out of the bar, in pixels. */
const OUT = 3;

type SvgAttributes = Readonly<Record<string, string>>;

export function svg(
  tag: string,
  attributes: SvgAttributes,
  ...children: (Element | string)[]
): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** The load line as one stacked bar with its three marks; widths are per cent of what may be loaded. */
export function loadBar(
  meter: Meter,
  fileTokens: number,
  look: keyof typeof SIZES = "view",
): SVGElement {
  const size = SIZES[look];
  const groups = groupTokens(meter.parts, fileTokens);
  const whole = Math.max(meter.effective, meter.used);
  const height = size.names + size.bar + OUT + 1;
  const ground = { y: String(size.names), height: String(size.bar), rx: "3" };
  return svg(
    "svg",
    { class: "bar", role: "img", height: String(height), "aria-label": spoken(meter, groups) },
    svg("rect", { class: "bar-ground", width: "100%", ...ground }),
    ...segments(groups, whole, size),
    ...markViews(meter, whole, size),
  );
}

const percent = (tokens: number, whole: number) => `${((100 * tokens) / whole).toFixed(3)}%`;

function segments(groups: readonly GroupTokens[], whole: number, size: BarSize): SVGElement[] {
  let start = 0;
  return groups.map(({ group, tokens }) => {
    const x = percent(start, whole);
    start += tokens;
    const place = {
      x,
      y: String(size.names),
      width: percent(tokens, whole),
      height: String(size.bar),
    };
    const title = svg("title", {}, `${KIND_GROUPS[group].label}: ${exactTokens(tokens)} tokens`);
    return svg("rect", { ...place, class: `segment kind-${group}` }, title);
  });
}

function markViews({ thresholds }: Meter, whole: number, size: BarSize): SVGElement[] {
  const { warning, compact, blocking } = thresholds;
  const marks = [
    { name: "warn", tokens: warning },
    { name: "compact", tokens: compact },
    { name: "stop", tokens: blocking },
  ];
  const places = namePlaces(marks.map(({ name, tokens }) => ({ name, at: tokens / whole })));
  return marks.map(({ name, tokens }, index) => {
    const x = percent(tokens, whole);
    const line = {
      x1: x,
      x2: x,
      y1: String(size.names - OUT),
      y2: String(size.names + size.bar + OUT),
    };
    const title = svg("title", {}, `${name}: ${exactTokens(tokens)} tokens`);
    const shift = (places[index] ?? 0).toFixed(1);
    const named = size.names > OUT;
    return svg(
      "g",
      { class: `bar-mark bar-${name}` },
      title,
      svg("line", line),
      ...(named ? [svg("text", { x, dx: shift, y: "9", "text-anchor": "end" }, name)] : []),
    );
  });
}

/** The bar of the narrowest side bar that shows names, and a letter of them, in pixels. */
const NARROWEST = 266;
const LETTER = 5.2;
const GAP = 9;

/**
 * How far the end of each name is moved from its mark, in pixels. In the narrowest bar no two names
 * touch and none leaves it; in a wider one the marks, and so the names, are only further apart.
 */
export function namePlaces(marks: readonly { name: string; at: number }[]): number[] {
  let room = NARROWEST;
  return marks
    .toReversed()
    .map(({ name, at }) => {
      const length = name.length * LETTER;
      const end = Math.min(room, at * NARROWEST + length / 2);
      room = end - length - GAP;
      return end - at * NARROWEST;
    })
    .toReversed();
}

/** The bar in words: the parts from the largest down, then the marks. */
function spoken(meter: Meter, groups: readonly GroupTokens[]): string {
  const parts = groups
    .toSorted((a, b) => b.tokens - a.tokens)
    .map(({ group, tokens }) => `${KIND_GROUPS[group].label} ${formatTokens(tokens)}`);
  const { warning, compact, blocking } = meter.thresholds;
  const at = [warning, compact, blocking].map((tokens) =>
    Math.round((100 * tokens) / meter.effective),
  );
  return (
    `${exactTokens(meter.used)} of ${exactTokens(meter.effective)} tokens: ${parts.join(", ")}. ` +
    `Marks: warn at ${at[0]}, compact at ${at[1]}, stop at ${at[2]} percent.`
  );
}
