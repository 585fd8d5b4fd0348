import { h } from "./dom";
import { revealHidden } from "./hiddenCharacters";

/** Of a path the name is seen, however little room there is: its folders give way. */
export function pathViews(path: string): HTMLElement[] {
  const folders = path.lastIndexOf("/") + 1;
  const name = h("span", {}, ...revealHidden(path.slice(folders)));
  return folders === 0
    ? [name]
    : [h("span", { class: "folders" }, ...revealHidden(path.slice(0, folders))), name];
}
