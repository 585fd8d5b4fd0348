import { h } from "./dom";
import { revealHidden } from "./hiddenCharacters";

/** An option of a command, such as `-j` or `--all`; a longer word may break after all. */
const OPTION = /(?<=^|\s)(--?[^\s-][^\s]{0,30})(?=\s|$)/g;

/** A command with nothing hidden in it, in which no option breaks at its hyphen. */
export function commandText(text: string): Node[] {
  // What the pattern captures stands at the odd places.
  return text
    .split(OPTION)
    .flatMap((piece, place) =>
      place % 2 === 1
        ? [h("span", { class: "option" }, ...revealHidden(piece))]
        : revealHidden(piece),
    );
}
