"""The first words of a text: those of the whole, and no more is read than they take."""

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.text.first_words import first_words


@given(st.text(" \n\t\x1c\u2003ab", max_size=60), st.integers(1, 20))
def test_they_are_those_of_the_whole_text(text: str, most: int) -> None:
    assert first_words(text, most) == " ".join(text.split())[:most]


def test_of_a_long_text_only_the_head_is_split() -> None:
    class Watched(str):
        __slots__ = ()

        def split(self, separator: str | None = None, limit: int = -1) -> list[str]:
            assert 0 < limit <= 60
            return super().split(separator, limit)

    assert first_words(Watched("one  two\n" * 1_000_000), 60) == ("one two " * 8)[:60]
