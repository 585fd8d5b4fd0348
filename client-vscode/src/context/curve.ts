import type { ContextReport, Meter } from "../protocol";
import { exactTokens, formatTokens, plural } from "../text/format";
import { escapeHtml, tag } from "../text/html";
import { type Point, pointsOf, pointText, reductionText } from "./history";

const WIDTH = 640;
const HEIGHT = 210;
/** Room for the tokens at the left, the names of the marks at the right, the turns below. */
const LEFT = 40;
const RIGHT = 60;
const TOP = 12;
const BOTTOM = 24;
/** Names of marks and of turns stand no closer, in units of the picture. */
const NAME_HEIGHT = 11;
const NAME_WIDTH = 26;

interface Scale {
  x(index: number): number;
  y(tokens: number): number;
}

/** The load of each request so far and of the next one, under the marks of the load line. */
export function curveHtml(report: ContextReport): string {
  const points = pointsOf(report);
  if (points.length < 2) {
    return "";
  }
  const scale = scaleOf(points, report.meter);
  const svg = tag(
    "svg",
    {
      role: "img",
      class: "curve",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      "aria-label": spoken(points),
    },
    ...marks(report.meter, scale),
    limits(points, scale),
    tag("path", { class: "load", d: path(points, scale) }),
    ...turns(points, scale),
    ...points.map((point, index) => dot(point, scale.x(index), scale)),
    ...points.map((point, index) => reductions(point, scale.x(index), scale)),
    ...points.map((point, index) => miss(point, scale.x(index))),
  );
  return tag("figure", {}, svg, tag("figcaption", {}, CAPTION));
}

const CAPTION =
  "● a request, ○ the next one, ▼ a reduction before it, × text that the cache no longer had. Point at one to read more.";

function scaleOf(points: readonly Point[], { effective }: Meter): Scale {
  const most = Math.max(effective, ...points.map(({ tokens }) => tokens)) * 1.02;
  const last = points.length - 1;
  return {
    x: (index) => round(LEFT + ((WIDTH - LEFT - RIGHT) * index) / last),
    y: (tokens) => round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - tokens / most)),
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

function marks({ thresholds, effective }: Meter, scale: Scale): string[] {
  const named = [
    { name: "full", tokens: effective },
    { name: "stop", tokens: thresholds.blocking },
    { name: "compact", tokens: thresholds.compact },
    { name: "warn", tokens: thresholds.warning },
    { name: "", tokens: 0 },
  ];
  let free = 0;
  return named.map(({ name, tokens }) => {
    const y = scale.y(tokens);
    const at = Math.max(free, y + 3);
    free = at + NAME_HEIGHT;
    const text = { x: WIDTH - RIGHT + 6, y: round(at) };
    return tag(
      "g",
      { class: `level level-${name || "ground"}` },
      ...(name ? [tag("title", {}, `${name}: ${exactTokens(tokens)} tokens`)] : []),
      tag("line", { x1: LEFT, y1: y, x2: WIDTH - RIGHT, y2: y }),
      ...(name ? [tag("text", text, name)] : []),
      ...(["full", "warn", ""].includes(name)
        ? [tag("text", { x: LEFT - 4, y: y + 3, "text-anchor": "end" }, formatTokens(tokens))]
        : []),
    );
  });
}

/** What requests could carry, where that was another amount than now: another model, another window. */
function limits(points: readonly Point[], scale: Scale): string {
  const known = points.flatMap(({ request }, index) =>
    request?.effective === undefined ? [] : [{ x: scale.x(index), y: scale.y(request.effective) }],
  );
  const moved = known.some(({ y }) => y !== known[0]?.y);
  const line = known.map(({ x, y }, index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`));
  return moved ? tag("path", { class: "limit", d: line.join("") }) : "";
}

/** Where something was reduced, the line falls from what would have been sent. */
function path(points: readonly Point[], scale: Scale): string {
  return points
    .map(({ tokens }, index) => `${index === 0 ? "M" : "L"}${scale.x(index)} ${scale.y(tokens)}`)
    .join("");
}

/** The number of each turn under its first request, where there is room for it. */
function turns(points: readonly Point[], scale: Scale): string[] {
  let free = 0;
  return points.flatMap(({ turn }, index) => {
    const x = scale.x(index);
    if (turn === points[index - 1]?.turn || x < free) {
      return [];
    }
    free = x + NAME_WIDTH;
    const place = { x, y: HEIGHT - 6, "text-anchor": "middle" };
    return [tag("text", { class: "turn", ...place }, turn === 0 ? "next" : String(turn))];
  });
}

function dot(point: Point, x: number, scale: Scale): string {
  const circle = { cx: x, cy: scale.y(point.tokens), r: point.turn === 0 ? 4 : 2.5 };
  const title = tag("title", {}, escapeHtml(pointText(point)));
  return tag("circle", { class: point.turn === 0 ? "dot next" : "dot", ...circle }, title);
}

function reductions({ tokens, reductions: done }: Point, x: number, scale: Scale): string {
  if (done.length === 0) {
    return "";
  }
  const from = scale.y(Math.max(tokens, ...done.map(({ tokensBefore }) => tokensBefore)));
  const y = scale.y(tokens) - 5;
  const arrow = `M${round(x - 5)} ${round(y - 8)}H${round(x + 5)}L${x} ${round(y)}Z`;
  return tag(
    "g",
    { class: "reduction" },
    tag("title", {}, escapeHtml(done.map(reductionText).join("\n"))),
    tag("line", { x1: x, y1: Math.min(from, y - 8), x2: x, y2: y - 8 }),
    tag("path", { d: arrow }),
  );
}

function miss({ request }: Point, x: number): string {
  if (request?.miss === undefined) {
    return "";
  }
  const y = HEIGHT - BOTTOM - 4;
  const cross = `M${x - 3} ${y - 3}L${x + 3} ${y + 3}M${x - 3} ${y + 3}L${x + 3} ${y - 3}`;
  const text = `${exactTokens(request.miss.tokens)} tokens were sent again, not from the cache`;
  return tag("path", { class: "miss", d: cross }, tag("title", {}, text));
}

function spoken(points: readonly Point[]): string {
  const sizes = points.map(({ tokens }) => tokens);
  const most = Math.max(...sizes);
  const reduced = points.reduce((sum, { reductions: done }) => sum + done.length, 0);
  const missed = points.filter(({ request }) => request?.miss !== undefined).length;
  const next = exactTokens(sizes.at(-1) ?? 0);
  return (
    `${plural(points.length - 1, "request")}: from ${exactTokens(sizes[0] ?? 0)} tokens to ` +
    `${next} of the next one, at most ${exactTokens(most)}. ${plural(reduced, "reduction")}; text was ` +
    `sent again ${plural(missed, "time")}. The last table has the figures.`
  );
}
