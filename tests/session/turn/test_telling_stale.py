"""The model is told of files that are not as it read them."""

from plimsoll.context.log.entries import ItemState
from plimsoll.session.turn.telling_stale import MOST_NAMED, stale_text, to_tell
from session.turn.reads import ROOT, TEN, read


def test_the_model_is_told_of_what_no_later_read_has():
    first, second = read("one", TEN, (3, 5)), read("two", TEN, (1, 2))
    again, gone = read("three", TEN, (2, 6)), read("four", TEN, state=ItemState.PRUNED)
    stale = frozenset({"one", "two", "four"})
    assert to_tell([first, second, again, gone], stale) == [second]
    assert to_tell([again, first], stale) == [first]


def test_files_are_named_with_the_lines_that_were_read():
    items = [read("1", TEN, (3, 5)), read("2", TEN, (7, 9)), read("3", TEN, path="b.py")]
    assert stale_text(items, ROOT) == (
        "[Changed since you read it: a.py (lines 3-5, 7-9), b.py. Read again what you need.]"
    )
    many = [read(str(number), TEN, path=f"{number}.py") for number in range(MOST_NAMED + 2)]
    assert "7.py, 2 more." in stale_text(many, ROOT)
