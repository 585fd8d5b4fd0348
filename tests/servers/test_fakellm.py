"""`fakellm`, which answers by rules in two dialects: calls of tools, and answers of no use."""

from collections.abc import Callable, Iterator

import pytest

from product.harness import Product, said
from servers.products import UNRELATED, connected, session_in
from servers.running import Running, fakellm

pytestmark = pytest.mark.slow
PIECE = "again\n" * 80
TIMES = 60
MISSING = {"name": "file_read", "arguments": {"path": "missing.txt"}}

RULES = (
    {
        "name": "read",
        "when": {"tool_result_contains": "forty-two"},
        "respond": {"content": "It holds forty-two."},
    },
    {
        "name": "no tool",
        "when": {"tool_result_contains": "no tool"},
        "respond": {"content": "Then without it."},
    },
    {
        "name": "unknown",
        "when": {"messages_contain": "Use what is not there"},
        "respond": {"tool_calls": [{"name": "teleport", "arguments": {"to": "port"}}]},
    },
    {
        "name": "call",
        "when": {"messages_contain": "Read the note", "tools_include": "file_read"},
        "respond": {"tool_calls": [{"name": "file_read", "arguments": {"path": "note.txt"}}]},
    },
    {
        "name": "fail",
        "when": {"messages_contain": "Read what is missing"},
        "respond": {"tool_calls": [MISSING]},
    },
    {
        "name": "silence",
        "when": {"messages_contain": "Say nothing"},
        "respond": {"content": ""},
    },
    {
        "name": "babble",
        "when": {"messages_contain": "Never end"},
        "respond": {"content": " ".join([PIECE] * TIMES)},
    },
)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with fakellm(tmp_path_factory.mktemp("fakellm"), *RULES) as server:
        yield server


@pytest.fixture(scope="module")
def product(rules: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with connected(tmp_path_factory.mktemp("home"), rules, window=32_000, **UNRELATED) as own:
        (own.workspace / "note.txt").write_text("forty-two\n")
        yield own


Told = Callable[[str], list[dict]]


@pytest.fixture(params=["openai", "anthropic"])
def told(request, product: Product) -> Told:
    """Say something in a dialect; returns the updates of the turn."""

    def turn(text: str) -> list[dict]:
        # A conversation is known there by its first words: each dialect has its own.
        return product.turn(session_in(product, request.param), f"{text} ({request.param})")

    return turn


def of_kind(kind: str, updates: list[dict]) -> list[dict]:
    return [update for update in updates if update["kind"] == kind]


def notices(updates: list[dict]) -> list[str]:
    return [update["markdown"] for update in of_kind("notice", updates)]


def answered(updates: list[dict]) -> tuple[str, str, str]:
    """How the last call ended, what was said, and why the turn ended."""
    status = of_kind("toolUpdate", updates)[-1]["status"]
    return status, said(updates), updates[-1]["stopReason"]


def test_a_tool_is_called_and_its_result_read(told: Told):
    assert answered(told("Read the note.")) == ("completed", "It holds forty-two.", "endTurn")


def test_a_tool_that_is_not_there_is_answered_so(told: Told):
    answer = answered(told("Use what is not there."))
    assert answer == ("failed", "Then without it.", "endTurn")


def test_the_fifth_equal_failing_call_ends_the_turn(told: Told):
    updates = told("Read what is missing.")
    assert updates[-1]["stopReason"] == "loop"
    results = [update["output"] for update in of_kind("toolUpdate", updates) if "output" in update]
    assert ["in the same way" in text for text in results] == [False, False, True, True, True]
    looped = notices(updates)[-1]
    assert "5 times: Read missing.txt" in looped
    assert "Send a message that says what to do instead" in looped


def test_an_answer_without_a_word_fails_the_turn(told: Told):
    error = told("Say nothing.")[-1]["error"]
    assert error["kind"] == "providerAnswer"
    assert "The model answered nothing." in error["message"]


def test_a_phrase_without_an_end_is_stopped(told: Told):
    updates = told("Never end.")
    assert updates[-1]["stopReason"] == "loop"
    assert len(said(updates)) < TIMES * len(PIECE)
    assert "without an end" in notices(updates)[-1]


def test_usage_that_cannot_be_right_is_said_once(product: Product):
    """In Anthropic's dialect it reports one token for every prompt."""
    session = session_in(product, "anthropic")
    turns = [product.turn(session, text) for text in ("Read the note.", "Which note is it?")]
    (told,) = [words for updates in turns for words in notices(updates)]
    assert "reports 1 tokens" in told
    assert "counts by itself" in told
