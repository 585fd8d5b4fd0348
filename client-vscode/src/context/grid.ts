import type { Meter } from "../protocol";
import { exactTokens, formatTokens } from "../text/format";
import { escapeHtml, tag } from "../text/html";
import { groupTokens, KIND_GROUPS } from "../text/kinds";

const CELLS = 100;
const SIDE = 10;
/** A cell with the gap behind it, and the cell itself. */
const STEP = 12;
const CELL = 10;

/** What some cells of the grid stand for. */
export interface Share {
  /** The name in the style sheet. */
  readonly name: string;
  readonly label: string;
  readonly tokens: number;
  readonly cells: number;
}

/**
 * The window as a hundred cells: the kinds in the order of every view, what is free, and what is kept
 * for the answer. What weighs anything has a cell; the largest share gives what is missing.
 */
export function shares(meter: Meter, fileTokens: number): Share[] {
  const held = groupTokens(meter.parts, fileTokens).map(({ group, tokens }) => ({
    name: `kind-${group}`,
    label: KIND_GROUPS[group].label,
    tokens,
  }));
  const free = Math.max(0, meter.effective - meter.used);
  const all = [
    ...held,
    { name: "free", label: "Free", tokens: free },
    { name: "reserved", label: "Kept for the answer", tokens: meter.reservedOutput },
  ].filter(({ tokens }) => tokens > 0);
  const whole = all.reduce((sum, { tokens }) => sum + tokens, 0);
  const counted = all.map((share) => ({
    ...share,
    cells: Math.max(1, Math.round((CELLS * share.tokens) / whole)),
  }));
  const over = counted.reduce((sum, { cells }) => sum + cells, 0) - CELLS;
  const most = Math.max(...counted.map(({ cells }) => cells));
  const largest = counted.findIndex(({ cells }) => cells === most);
  return counted.map((share, index) =>
    index === largest ? { ...share, cells: share.cells - over } : share,
  );
}

/** The grid with its legend; the legend is a table, so nothing is told by colour alone. */
export function gridHtml(meter: Meter, fileTokens: number): string {
  const found = shares(meter, fileTokens);
  return tag("div", { class: "grid" }, gridSvg(meter, found), legend(found));
}

function gridSvg(meter: Meter, found: readonly Share[]): string {
  const size = SIDE * STEP - (STEP - CELL);
  const spoken = found.map(({ label, tokens }) => `${label} ${formatTokens(tokens)}`).join(", ");
  let start = 0;
  const groups = found.map((share) => {
    const first = start;
    start += share.cells;
    return tag(
      "g",
      { class: `cell ${share.name}` },
      tag("title", {}, escapeHtml(`${share.label}: ${exactTokens(share.tokens)} tokens`)),
      ...Array.from({ length: share.cells }, (_, index) => cell(first + index, share.name)),
    );
  });
  return tag(
    "svg",
    {
      role: "img",
      viewBox: `-1 -1 ${size + 2} ${size + 2}`,
      "aria-label": `A window of ${exactTokens(meter.window)} tokens in a hundred cells: ${spoken}.`,
    },
    ...groups,
  );
}

function cell(index: number, name: string): string {
  const x = (index % SIDE) * STEP;
  const y = Math.floor(index / SIDE) * STEP;
  const square = tag("rect", { x, y, width: CELL, height: CELL, rx: 1.5 });
  const end = { x: x + CELL, y: y + CELL };
  // A stroke through it tells a reserved cell from a free one in every theme.
  return name === "reserved"
    ? square + tag("line", { x1: x, y1: end.y, x2: end.x, y2: y })
    : square;
}

function legend(found: readonly Share[]): string {
  const rows = found.map(({ name, label, tokens }) => {
    const shown = tag(
      "svg",
      { class: "key", viewBox: "-1 -1 12 12", "aria-hidden": "true" },
      tag("g", { class: `cell ${name}` }, cell(0, name)),
    );
    return tag(
      "tr",
      {},
      tag("td", {}, shown),
      tag("th", { scope: "row" }, escapeHtml(label)),
      tag("td", { class: "number" }, exactTokens(tokens)),
    );
  });
  const head = tag(
    "tr",
    {},
    tag("th", {}, tag("span", { class: "sr" }, "Colour")),
    tag("th", { scope: "col" }, "Part"),
    tag("th", { scope: "col", class: "number" }, "Tokens"),
  );
  return tag("table", { class: "legend" }, tag("thead", {}, head), tag("tbody", {}, ...rows));
}
