"""`fakellm`, which answers by rules in two dialects: tool calls."""

from collections.abc import Iterator

import pytest

from product.harness import said
from servers.running import Running, fakellm

pytestmark = pytest.mark.slow

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
)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with fakellm(tmp_path_factory.mktemp("fakellm"), *RULES) as server:
        yield server


@pytest.fixture(params=["openai", "anthropic"])
def told(request, rules, start):
    """Say something in a dialect; returns the calls of the turn, its text, and why it ended."""

    def turn(text: str) -> tuple[list[dict], str, str]:
        dialect = {"PLIMSOLL_MODEL__PROVIDER": request.param}
        product = start(rules, PLIMSOLL_MODEL__CONTEXT_WINDOW="32000", **dialect)
        (product.workspace / "note.txt").write_text("forty-two\n")
        # A conversation is known there by its first words: each dialect has its own.
        updates = product.turn(product.new_session(), f"{text} ({request.param})")
        calls = [update for update in updates if update["kind"] == "toolUpdate"]
        return calls, said(updates), updates[-1]["stopReason"]

    return turn


def test_a_tool_is_called_and_its_result_read(told):
    calls, text, reason = told("Read the note.")
    assert calls[-1]["status"] == "completed"
    assert (text, reason) == ("It holds forty-two.", "endTurn")


def test_a_tool_that_is_not_there_is_answered_so(told):
    calls, text, reason = told("Use what is not there.")
    assert calls[-1]["status"] == "failed"
    assert (text, reason) == ("Then without it.", "endTurn")
