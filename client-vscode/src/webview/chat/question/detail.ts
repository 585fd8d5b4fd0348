import type { ToolEntry } from "../../../session/state";
import { type DiffRow, diffRows } from "../../../text/unifiedDiff";
import { commandText } from "../../commandText";
import { h, named } from "../../dom";
import { revealHidden } from "../../hiddenCharacters";
import { foldBlankRows } from "../../padding";
import { diffView } from "../diffView";

/** Rows of a change that a card shows before the rest is opened. */
const SHOWN_ROWS = 12;

/** The detail of a question: of a long change the first place, the rest one click away. */
export function questionDetail(tool: ToolEntry): HTMLElement[] {
  const diff = tool.call.detail?.diff;
  if (!diff) {
    return detailView(tool);
  }
  const rows = withoutFarContext(foldBlankRows(diffRows(diff)));
  const end = firstPlaceEnd(rows);
  const { diff: _folded, ...detail } = tool.call.detail ?? {};
  const rest = rows.slice(end);
  return [
    ...detailView({ ...tool, call: { ...tool.call, detail } }),
    diffView(rows.slice(0, end)),
    rest.length > 0 &&
      h(
        "details",
        { class: "diff-rest" },
        h("summary", {}, `… ${restText(rest)}`),
        diffView(rest, "rest"),
      ),
  ].filter((view) => view !== false);
}

/** Unchanged rows that a change is shown with, before and behind it. */
const CONTEXT_ROWS = 2;

/** Of one file the title has the name, so the head goes; every changed row stays, and what is said besides. */
function withoutFarContext(rows: readonly DiffRow[]): DiffRow[] {
  const heads = rows.filter(({ kind }) => kind === "head");
  const isAlone = heads.length <= 2 && heads.every(({ line }) => /^(---|\+\+\+) /.test(line));
  const changed = rows.flatMap(({ kind }, index) =>
    kind === "added" || kind === "removed" ? [index] : [],
  );
  const near = new Set(
    changed.flatMap((index) =>
      Array.from({ length: 2 * CONTEXT_ROWS + 1 }, (_, step) => index + step - CONTEXT_ROWS),
    ),
  );
  return rows.filter(({ kind }, index) =>
    kind === "head" ? !isAlone : kind === "hunk" || near.has(index),
  );
}

function firstPlaceEnd(rows: readonly DiffRow[]): number {
  const first = rows.findIndex(({ kind }) => kind === "hunk");
  const second = rows.findIndex(
    ({ kind }, index) => (kind === "hunk" || kind === "head") && first >= 0 && index > first,
  );
  const end = second < 0 ? rows.length : second;
  return Math.min(end, first + 1 + SHOWN_ROWS);
}

function restText(rest: readonly DiffRow[]): string {
  const places = rest.filter(({ kind }) => kind === "hunk").length;
  const lines = rest.filter(({ kind }) => kind !== "hunk" && kind !== "head").length;
  const more = `${lines} more ${lines === 1 ? "line" : "lines"}`;
  return places === 0 ? more : `${more}, ${places} more ${places === 1 ? "place" : "places"}`;
}

/** Exactly what will happen: the whole command, diff or address. */
export function detailView(tool: ToolEntry): HTMLElement[] {
  const { command, diff, address, plan, askedEachTime, askedAgain, confinement } =
    tool.call.detail ?? {};
  const plain = command ?? address ?? plan;
  const views: HTMLElement[] = [];
  if (askedEachTime) {
    const why = `Asked each time, because of ${askedEachTime}.`;
    views.push(h("p", { class: "each-time" }, ...revealHidden(why)));
  }
  if (askedAgain) {
    views.push(h("p", { class: "each-time" }, ...revealHidden(askedAgain)));
  }
  if (plain) {
    views.push(
      h(
        "pre",
        { class: "detail", ...named(nameOfDetail(tool)), "data-detail": "exact" },
        ...(command ? commandText(plain) : revealHidden(plain)),
      ),
    );
  }
  if (confinement) {
    views.push(
      h(
        "p",
        { class: "confinement", "data-coverage": confinement.coverage },
        ...revealHidden(confinement.summary),
      ),
    );
  }
  if (diff) {
    views.push(diffView(foldBlankRows(diffRows(diff))));
  }
  return views;
}

function nameOfDetail({ call }: ToolEntry): string {
  const { command, address } = call.detail ?? {};
  const told = call.name === "call_tool" ? "Arguments" : "Address";
  return command ? "Command" : address ? told : "Plan";
}
