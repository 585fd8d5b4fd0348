import type { Meter } from "../../protocol";
import { exactTokens, formatTokens } from "../../text/format";
import { type GroupTokens, groupTokens, KIND_GROUPS } from "../../text/kinds";

const SVG = "http://www.w3.org/2000/svg";

/** Height of the bar and of the room above it for the names of the marks, in pixels. */
const BAR = 16;
const NAMES = 14;

type SvgAttributes = Readonly<Record<string, string>>;

function svg(
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
export function loadBar(meter: Meter, fileTokens: number): SVGElement {
  const groups = groupTokens(meter.parts, fileTokens);
  const whole = Math.max(meter.effective, meter.used);
  const percent = (tokens: number) => `${((100 * tokens) / whole).toFixed(3)}%`;
  return svg(
    "svg",
    {
      class: "bar",
      role: "img",
      height: String(BAR + NAMES + 4),
      "aria-label": spoken(meter, groups),
    },
    svg("rect", {
      class: "bar-ground",
      y: String(NAMES),
      width: "100%",
      height: String(BAR),
      rx: "3",
    }),
    ...segments(groups, percent),
    ...markViews(meter, percent),
  );
}

function segments(
  groups: readonly GroupTokens[],
  percent: (tokens: number) => string,
): SVGElement[] {
  let start = 0;
  return groups.map(({ group, tokens }) => {
    const x = percent(start);
    start += tokens;
    const place = { x, y: String(NAMES), width: percent(tokens), height: String(BAR) };
    const title = svg("title", {}, `${KIND_GROUPS[group].label}: ${exactTokens(tokens)} tokens`);
    return svg("rect", { ...place, class: `segment kind-${group}` }, title);
  });
}

function markViews(meter: Meter, percent: (tokens: number) => string): SVGElement[] {
  const { warning, compact, blocking } = meter.thresholds;
  return [
    markView("warn", percent(warning), "end"),
    markView("compact", percent(compact), "middle", percent(compact), "-4"),
    // Its name stands at the edge: above its own line it would run into the one before.
    markView("stop", percent(blocking), "end", "100%"),
  ];
}

/** `shift` moves the name by pixels, so that it keeps clear of its neighbour. */
function markView(name: string, x: string, anchor: string, nameAt = x, shift = "0"): SVGElement {
  const line = { x1: x, x2: x, y1: String(NAMES - 3), y2: String(NAMES + BAR + 3) };
  return svg(
    "g",
    { class: `bar-mark bar-${name}` },
    svg("line", line),
    svg("text", { x: nameAt, dx: shift, y: "9", "text-anchor": anchor }, name),
  );
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
