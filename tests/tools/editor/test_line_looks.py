from pathlib import Path

import pytest

from plimsoll.tools.editor.line_looks import defined_in, last_line, outline_of

GO = """\
package ledger

type Ledger struct {
\trows []int
}

func (l *Ledger) Count() int {
\tif l == nil {
\t\treturn 0
\t}
\treturn len(l.rows)
}
"""


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("def count(self):", "count"),
        ("    async def count(", "count"),
        ("export default class Ledger extends Base {", "Ledger"),
        ("export const total = (a: number) => a;", "total"),
        ("pub(crate) fn count(&self) -> usize {", "count"),
        ("func (l *Ledger) Count() int {", "Count"),
        ("  public int count(int a) {", "count"),
        ("static int count(struct ledger *l)", "count"),
        ("interface Row {", "Row"),
        ("LIMIT = 10", "LIMIT"),
        ("LIMIT: int = 10", "LIMIT"),
        ("    total = 10", None),
        ("    return count(1)", None),
        ("  if (count(a)) {", None),
        ("LIMIT == 10", None),
        ("count(1)", None),
    ],
)
def test_a_line_defines(line, name):
    assert defined_in(line) == name


def test_the_outline_of_a_language_with_braces():
    symbols = list(outline_of(Path("/a.go"), GO.split("\n")))
    assert [(each.name, each.first, each.last) for each in symbols] == [
        ("Ledger", 3, 5),
        ("Count", 7, 12),
    ]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("def f(\n    a,\n) -> int:\n    return a\n\nx = 1\n", 4),
        ("int f(void)\n{\n  return 1;\n}\nint g;\n", 4),
        ("def f\n  1\nend\n", 3),
        ("def f(): ...\n", 1),
    ],
)
def test_a_symbol_ends_with_its_indentation(text, last):
    assert last_line(text.split("\n"), 1) == last
