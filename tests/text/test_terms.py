"""The words of names, of scripts without spaces, and of long questions."""

from plimsoll.text.terms import (
    MOST_TERMS,
    content_words,
    helper_words,
    search_terms,
    split_name,
    words,
)


def test_names_are_searched_whole_and_in_parts() -> None:
    assert search_terms("Where is openProvider?") == ["openprovider", "open", "provider"]
    assert search_terms("context_window in src/plimsoll/tokens.py") == [
        "context",
        "window",
        "src",
        "plimsoll",
        "tokens",
        "py",
    ]
    assert split_name("HTTPServerError2") == ["http", "server", "error"]


def test_scripts_without_spaces_are_cut_in_pairs() -> None:
    assert words("数据库连接 ok") == ["数据", "据库", "库连", "连接", "ok"]
    assert helper_words("データ") == "デー ータ"
    assert words("猫") == ["猫"]


def test_negations_carry_meaning_and_stop_words_do_not() -> None:
    assert content_words("We do not push; never without the tests, don't.") == [
        "not",
        "push",
        "never",
        "tests",
        "don't",
    ]


def test_forms_of_a_letter_are_one() -> None:
    assert words("ＣＡＦÉ café Straße") == ["café", "café", "strasse"]


def test_a_question_without_end_is_cut() -> None:
    assert len(search_terms(" ".join(f"word{n}" for n in range(10_000)))) == MOST_TERMS
    assert search_terms("") == search_terms("the of and ?!") == []
