"""Which earlier results share lines with a text."""

from builders import result
from context.stages.logs import lines
from plimsoll.context.index.results import LineIndex


def index(*texts):
    return LineIndex([result(f"r{n}", "a", f"c{n}", text) for n, text in enumerate(texts)])


def test_the_result_that_shares_most_comes_first_and_the_newest_of_equals():
    one, two = lines("one line", 20), lines("two line", 20)
    assert index(one, f"{one}\n{two}", two).sharing(f"{one}\n{two}", 3) == ["r1.0", "r2.0", "r0.0"]
    assert index(one, one, two).sharing(one, 2) == ["r1.0", "r0.0"]


def test_short_lines_and_other_texts_are_not_shared():
    assert index("a\nb\nc\n}\n").sharing("a\nb\nc\n}\n", 3) == []
    assert index(lines("one line", 5)).sharing(lines("other line", 5), 3) == []
