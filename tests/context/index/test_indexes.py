"""What is counted and indexed ahead on another thread is not counted again."""

import pytest

from builders import assistant, exchange, system, user
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Entry, Framed, Noted, Slot
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger

FRAME = Framed(id="f1", at="t", slot="rules", kind=Slot.INSTRUCTIONS, text="use the long_name")
ENTRIES: list[Entry] = [
    system("be the agent"),
    FRAME,
    user("u1", "mend the parse_url"),
    *exchange(1, "found some_name"),
    assistant("a2", "so it is"),
    Noted(id="n1", at="t", what="other"),
]


class Counting:
    """A tokenizer that remembers which texts it has seen, as a real one's cache does."""

    def __init__(self) -> None:
        self.known = set[str]()
        self.fresh = list[str]()

    def __call__(self, text: str) -> int:
        if text not in self.known:
            self.fresh.append(text)
        self.known.add(text)
        return len(text.split())


def test_entries_that_were_read_ahead_cost_no_count_as_they_are_appended():
    count = Counting()
    indexes = Indexes(Fold(Ledger(count)))
    indexes.read_ahead(ENTRIES)
    assert indexes.fold.entries == []
    count.fresh.clear()
    indexes.fold.extend(ENTRIES)
    assert indexes.fold.view.tokens > 0
    assert count.fresh == []


def test_parts_that_come_back_into_view_are_counted_ahead():
    count = Counting()
    indexes = Indexes(Fold(Ledger(count)))
    part = Part(kind=PartKind.TEXT, text="some words")
    indexes.read_parts([part])
    count.fresh.clear()
    assert indexes.fold.ledger.part(part, first=True) == 6
    assert count.fresh == []


@pytest.mark.parametrize("ahead", [True, False])
def test_names_in_view_are_counted_by_items(ahead):
    indexes = Indexes(Fold(Ledger(lambda text: len(text.split())), ENTRIES))
    if ahead:
        indexes.read_all()
    before = dict(indexes.name_counts_in_view())
    assert before["parse_url"] == 1
    indexes.fold.extend([user("u2", "is it parse_url?"), *exchange(2, "no parse_url")])
    assert indexes.name_counts_in_view()["parse_url"] == 3
    assert indexes.fold.view.tokens > 0
