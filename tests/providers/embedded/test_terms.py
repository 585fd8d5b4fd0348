import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.providers.embedded.terms import (
    QuestionKind,
    parse_question,
    split_name,
    stem,
    terms_of,
)


@pytest.mark.parametrize(
    ("words", "beginning"),
    [
        (("compute", "computed", "computes", "computing", "computer"), "comput"),
        (("truncate", "truncated", "truncation", "truncating"), "truncat"),
        (("plan", "planned", "planning"), "plan"),
        (("call", "called", "calling", "calls"), "call"),
        (("setting", "settings"), "sett"),
        (("file", "files"), "file"),
        (("bus", "is", "use"), None),
    ],
)
def test_forms_of_a_word_share_a_beginning(words: tuple[str, ...], beginning: str | None):
    assert [stem(word) for word in words] == [beginning or word for word in words]


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Where is the budget computed?", ["budget", "comput"]),
        ('Who says "too long"?', ["too long"]),
        ("Where is `Foo.bar` set?", ["foo.bar", "set"]),
        ("How does open_provider work?", ["open_provider", "open", "provid"]),
        ("where is HTTPServer?", ["httpserver", "http", "serv"]),
        ("Where is the load line?", ["load", "line"]),
        ("Which line is it?", []),
        ("What's the user's goal?", ["user", "goal"]),
        ("Wie heißt der Zähler?", ["wie", "heißt", "der", "zähl"]),
        ("", []),
    ],
)
def test_terms(question: str, terms: list[str]):
    assert sorted(term.text for term in terms_of(question)) == sorted(terms)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Where is it computed?", QuestionKind.SEARCH),
        ("Hi", QuestionKind.GREETING),
        ("Which files are there?", QuestionKind.FILES),
        ("Which files use tiktoken?", QuestionKind.SEARCH),
        ("what is in README.md?", QuestionKind.FILE),
        ("where does src/a.py use tiktoken?", QuestionKind.SEARCH),
        ("Please summarise what we did", QuestionKind.SUMMARY),
        ("Where is the summary built?", QuestionKind.SEARCH),
    ],
)
def test_kinds(question: str, kind: QuestionKind):
    assert parse_question(question).kind is kind


def test_names_are_split_into_words():
    assert split_name("openHTTPServer_for2") == ["open", "http", "server", "for"]


@given(st.text(max_size=300), st.none() | st.text(max_size=50))
def test_any_text_is_understood(text: str, before: str | None):
    question = parse_question(text, before)
    assert len(question.terms) <= 6
    assert all(term.text for term in question.terms)
