import type { MadeFile } from "../../../protocol";
import type { Permission } from "../../../session/state";
import { type DiffRow, diffRows, lineCounts } from "../../../text/unifiedDiff";
import { h } from "../../dom";
import { revealHidden } from "../../hiddenCharacters";
import { foldBlankRows } from "../../padding";
import { diffView } from "../diffView";

/** Protected files that a command made: each with what is in it, and whether it is kept. */
export function madeView(files: readonly MadeFile[], permission: Permission): HTMLElement {
  const kept = permission.keptFiles;
  return h(
    "ul",
    { class: "made" },
    ...files.map((file) =>
      fileView(file, {
        requestId: permission.requestId,
        kept: kept === undefined || kept.includes(file.path),
        // Of several the names come first: what is opened is looked at by itself.
        open: files.length === 1,
      }),
    ),
  );
}

/** All of it is new: what a hunk says of its place is left out, and the row names the file. */
function rowsOf({ path, diff }: MadeFile): DiffRow[] {
  return foldBlankRows(diffRows(diff.trimEnd())).flatMap(({ kind, line }) => {
    if (kind === "hunk") {
      const note = line.replace(/^@@.*?@@ ?/, "");
      return note === "" ? [] : [{ kind, line: note }];
    }
    if (kind !== "head") {
      return [{ kind, line }];
    }
    const name = line.startsWith("+++ b/") ? line.slice("+++ b/".length) : "";
    return name.startsWith(path) && path.endsWith("/")
      ? [{ kind, line: name.slice(path.length) }]
      : [];
  });
}

function fileView(
  file: MadeFile,
  { requestId, kept, open }: { requestId: string; kept: boolean; open: boolean },
): HTMLElement {
  const { path, why, diff, whole } = file;
  const { added } = lineCounts(diff);
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
      h("summary", {}, added > 0 && h("span", { class: "counts" }, `+${added} `), why),
      diffView(rowsOf(file)),
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
