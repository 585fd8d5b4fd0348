import type { Range } from "../protocol";
import { bareName } from "./kinds";

/** A symbol of a document with those inside of it, as editors outline them. */
export interface OutlineSymbol {
  readonly name: string;
  readonly range: Range;
  readonly children: readonly OutlineSymbol[];
}

/** The whole of a symbol, of which a search may have told the name's place alone. */
export function wholeRange(outline: readonly OutlineSymbol[], name: string, found: Range): Range {
  const holding = outline.filter(
    ({ range }) => range.start.line <= found.start.line && range.end.line >= found.end.line,
  );
  for (const symbol of holding) {
    const inner = wholeRange(symbol.children, name, found);
    if (inner !== found) {
      return inner;
    }
  }
  return holding.find((symbol) => bareName(symbol.name) === bareName(name))?.range ?? found;
}
