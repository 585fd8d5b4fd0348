import type { ChangedFile, ChangesEntry } from "../../session/state";
import { plural } from "../../text/format";
import { lineCountsText } from "../../text/unifiedDiff";
import { h } from "../dom";
import { pathViews } from "../pathViews";

const SETTLED: Readonly<Record<string, string>> = { kept: "kept", undone: "undone" };

/** The files that a turn changed: each can be looked at, kept or put back. */
export function changesView(entry: ChangesEntry): HTMLElement {
  const open = entry.files.filter(({ settled }) => settled === undefined);
  const both = open.length > 1 ? [settleButton(entry, "keep"), settleButton(entry, "undo")] : [];
  return h(
    "div",
    { class: "changes" },
    h(
      "div",
      { class: "changes-title" },
      h("b", {}, `${plural(entry.files.length, "file")} changed`),
      ...both,
    ),
    h("ul", {}, ...entry.files.map((file) => fileView(entry, file))),
  );
}

function fileView(entry: ChangesEntry, file: ChangedFile): HTMLElement {
  const { name, settled, callIds } = file;
  const look = {
    "data-action": "openDiff",
    "data-id": callIds.at(-1) ?? "",
    "data-uri": file.uri,
  };
  return h(
    "li",
    { "data-settled": settled ?? "open" },
    h(
      "button",
      { type: "button", class: "link target", title: `Open the diff of ${name}`, ...look },
      ...pathViews(name),
    ),
    h("span", { class: "counts" }, lineCountsText(file)),
    ...(settled === undefined
      ? [settleButton(entry, "keep", file), settleButton(entry, "undo", file)]
      : [h("span", { class: "settled" }, SETTLED[settled] ?? settled)]),
  );
}

function settleButton(entry: ChangesEntry, how: "keep" | "undo", file?: ChangedFile): HTMLElement {
  const label = how === "keep" ? "Keep" : "Undo";
  return h(
    "button",
    {
      type: "button",
      class: "link",
      "data-action": "settleChange",
      "data-entry": entry.id,
      "data-how": how,
      "data-uri": file?.uri,
      "aria-label": file === undefined ? `${label} all` : `${label} ${file.name}`,
    },
    file === undefined ? `${label} all` : label,
  );
}
