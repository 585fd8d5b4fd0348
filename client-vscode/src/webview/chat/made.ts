import type { MadeFile } from "../../protocol";
import type { Permission } from "../../session/state";
import { type DiffRow, diffRows, lineCounts, lineCountsText } from "../../text/unifiedDiff";
import { h } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { foldBlankRows } from "../padding";
import { diffView } from "./diffView";

/** So many rows of all files together are open at first. */
const OPEN_ROWS = 16;

/** Protected files that a command made: each with what is in it, and whether it is kept. */
export function madeView(files: readonly MadeFile[], permission: Permission): HTMLElement {
  const kept = permission.keptFiles;
  const rows = files.map(({ diff }) => rowsOf(diff));
  const open = rows.flat().length <= OPEN_ROWS;
  return h(
    "ul",
    { class: "made" },
    ...files.map((file, index) =>
      fileView(file, rows[index] ?? [], {
        requestId: permission.requestId,
        kept: kept === undefined || kept.includes(file.path),
        open,
      }),
    ),
  );
}

/** The row names the file; of a folder each file keeps its head. */
function rowsOf(diff: string): DiffRow[] {
  const rows = foldBlankRows(diffRows(diff.trimEnd()));
  const first = rows.findIndex(({ kind }) => kind === "hunk");
  const heads = rows.filter(({ kind }) => kind === "hunk").length;
  return heads > 1 ? rows.filter(({ line }) => line !== "--- /dev/null") : rows.slice(first);
}

function fileView(
  { path, why, diff, whole }: MadeFile,
  rows: readonly DiffRow[],
  { requestId, kept, open }: { requestId: string; kept: boolean; open: boolean },
): HTMLElement {
  return h(
    "li",
    {},
    h(
      "label",
      { title: why },
      h("input", {
        type: "checkbox",
        checked: kept,
        "data-made": path,
        "data-request": requestId,
      }),
      h("b", {}, ...revealHidden(path)),
    ),
    h(
      "details",
      { open },
      h("summary", {}, h("span", { class: "counts" }, lineCountsText(lineCounts(diff))), ` ${why}`),
      diffView(rows),
      !whole && h("p", { class: "each-time" }, "Not all of it is shown here."),
    ),
  );
}

/** What is kept once a person has ticked or cleared one of the files. */
export function chosenFiles(
  target: HTMLElement,
): { requestId: string; keptFiles: string[] } | undefined {
  const { made, request = "" } = target.dataset;
  if (made === undefined) {
    return undefined;
  }
  const boxes = target.closest(".made")?.querySelectorAll<HTMLInputElement>("input[data-made]");
  const ticked = [...(boxes ?? [])].filter(({ checked }) => checked);
  return { requestId: request, keptFiles: ticked.map(({ dataset }) => dataset.made ?? "") };
}
