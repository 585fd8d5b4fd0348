import type { DiffRow } from "../../text/unifiedDiff";
import { h, named } from "../dom";
import { revealHidden } from "../hiddenCharacters";
import { foldPadding } from "../padding";

/** The rows of a change, each in its colour, with nothing hidden in them. */
export function diffView(rows: readonly DiffRow[], part = "diff"): HTMLElement {
  return h(
    "pre",
    { class: "detail diff", ...named("Change"), "data-detail": part },
    ...rows.map(({ kind, line }) =>
      h("span", { class: `diff-${kind}` }, ...revealHidden(foldPadding(line)), "\n"),
    ),
  );
}
