import { expect, it } from "vitest";
import { list, section, table, tag } from "../../src/text/html";

it("writes elements whose attributes are escaped", () => {
  expect(tag("a", { href: `"x"`, tabindex: 0 }, "<b></b>", "y")).toBe(
    '<a href="&quot;x&quot;" tabindex="0"><b></b>y</a>',
  );
});

it("writes a table: numbers to the right, short texts on one line, all of them escaped", () => {
  const rows = [
    ["a <b>", "1,204", "a text that is longer than a line of a table should be"],
    ["c", "", ""],
  ];
  expect(table(["Name", "Tokens", "Why"], rows)).toBe(
    "<table><thead><tr>" +
      '<th scope="col" class="short">Name</th><th scope="col" class="number">Tokens</th><th scope="col" class="long">Why</th>' +
      "</tr></thead><tbody>" +
      '<tr><td class="short">a &lt;b&gt;</td><td class="number">1,204</td><td class="long">a text that is longer than a line of a table should be</td></tr>' +
      '<tr><td class="short">c</td><td class="number"></td><td class="long"></td></tr>' +
      "</tbody></table>",
  );
});

it("writes nothing where there is nothing to tell", () => {
  expect([table(["Name"], []), list([]), section("Title", "", "")]).toEqual(["", "", ""]);
  expect(section("A & b", list(["<x>"]))).toBe(
    "<section><h2>A &amp; b</h2><ul><li>&lt;x&gt;</li></ul></section>",
  );
});
