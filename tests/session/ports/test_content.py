import pytest

from plimsoll.session.ports.content import (
    PREVIEW_LENGTH,
    TITLE_LENGTH,
    preview_of,
    title_of,
)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Fix the build", "Fix the build"),
        ("\n\n  # Fix the **build**  \nwith care", "Fix the build"),
        ("> - [ ] Rename `open_provider` to *open*", "Rename open_provider to open"),
        ("1. See [the guide](https://example.org/a_b) first", "See the guide first"),
        ("```py\nprint(1)\n```\nWhy does this print?", "Why does this print?"),
        ("---\nReally?", "Really?"),
        ("```\nlet x = 1\n```", "let x = 1"),
        ("```py\nnever closed", "never closed"),
        ("snake_case_name and __init__ stay", "snake_case_name and init stay"),
        ("<b>Bold</b> words", "Bold words"),
        ("a < b and b > c", "a < b and b > c"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("漢字 の 題", "漢字 の 題"),
        ("", ""),
        ("   \n ", ""),
    ],
)
def test_a_title_is_the_first_line_without_its_markup(text: str, title: str) -> None:
    assert title_of(text) == title


def test_a_long_title_ends_at_a_word() -> None:
    title = title_of("word " * 40)

    assert len(title) <= TITLE_LENGTH
    assert title == "word " * 11 + "word…"


def test_a_word_without_end_is_cut_where_it_stands() -> None:
    assert title_of("x" * 500) == "x" * (TITLE_LENGTH - 1) + "…"
    assert title_of("漢" * 500) == "漢" * (TITLE_LENGTH - 1) + "…"


def test_a_preview_is_the_beginning_on_one_line() -> None:
    assert preview_of("one\n\n  two\tthree") == "one two three"
    assert len(preview_of("a b c d " * 99)) <= PREVIEW_LENGTH


def test_hostile_markup_takes_no_time() -> None:
    for text in ("*" * 50_000, "[" * 50_000, "`" * 50_000, "_a" * 20_000, "<a" * 20_000):
        assert len(title_of(text)) <= TITLE_LENGTH
