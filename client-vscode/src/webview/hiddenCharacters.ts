import { h } from "./dom";

/**
 * Characters that a reader cannot see, or that reorder what is seen: controls, format marks such as
 * bidirectional overrides and zero-width joints, line separators. A command must be read as it runs.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Text in which every hidden character is spelled out as `U+202E`. */
export function revealHidden(text: string): Node[] {
  const nodes: Node[] = [];
  let plain = "";
  for (const character of text) {
    if (HIDDEN.test(character)) {
      nodes.push(document.createTextNode(plain), spelled(character));
      plain = "";
    } else {
      plain += character;
    }
  }
  nodes.push(document.createTextNode(plain));
  return nodes.filter((node) => node.textContent !== "");
}

function spelled(character: string): HTMLElement {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return h("span", { class: "hidden-character" }, `U+${code}`);
}
