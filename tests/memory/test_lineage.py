"""A conclusion may stem from a person's words, or from those of others too."""

from plimsoll.memory.lineage import Lineage


def test_instructions_of_the_repository_are_no_words_of_the_person() -> None:
    assert Lineage.of([]) is Lineage.TYPED
    assert Lineage.of([], instructed=True) is Lineage.MIXED
