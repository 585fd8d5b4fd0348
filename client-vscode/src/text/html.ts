/** Text that somebody wrote, without effect in HTML, in a text or in an attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

type HtmlAttributes = Readonly<Record<string, string | number>>;

/** An element; its children are HTML already, the values of its attributes are escaped. */
export function tag(
  name: string,
  attributes: HtmlAttributes,
  ...children: readonly string[]
): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(String(value))}"`,
  );
  return `<${name}${written.join("")}>${children.join("")}</${name}>`;
}

/** A heading over what follows it; nothing when that is empty. */
export function section(title: string, ...children: readonly string[]): string {
  const body = children.join("");
  return body === "" ? "" : tag("section", {}, tag("h2", {}, escapeHtml(title)), body);
}

/** A text up to this length stays on one line. */
const SHORT = 20;

/** A table of texts, columns of numbers to the right; nothing when there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) {
    return "";
  }
  const looks = head.map((_, column) => columnLook(rows.map((row) => row[column] ?? "")));
  const cells = (row: readonly string[], name: string, attributes: HtmlAttributes) =>
    row.map((cell, column) =>
      tag(name, { ...attributes, class: looks[column] ?? "" }, escapeHtml(cell)),
    );
  return tag(
    "table",
    {},
    tag("thead", {}, tag("tr", {}, ...cells(head, "th", { scope: "col" }))),
    tag("tbody", {}, ...rows.map((row) => tag("tr", {}, ...cells(row, "td", {})))),
  );
}

function columnLook(cells: readonly string[]): string {
  if (cells.every((cell) => /^[\d,]*$/.test(cell))) {
    return "number";
  }
  return cells.every((cell) => cell.length <= SHORT) ? "short" : "long";
}

/** A list of texts; nothing when there are none. */
export function list(lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : tag("ul", {}, ...lines.map((line) => tag("li", {}, escapeHtml(line))));
}
