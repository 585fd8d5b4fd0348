"""What a server asks goes to a person alone, with its fields to be filled in."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.session.mcp.questions import ask_person
from plimsoll.session.ports.asker import Decision
from plimsoll.session.state.session_state import CallPlace
from plimsoll.tools.ports.mcp import McpQuestion, McpReply
from session.harness import ALLOWED, SECRET, harness

PLACE = CallPlace(turn="t1", call_id="c1", item="m1.0")
ASKED = McpQuestion(
    server="box",
    message="Who are\u202e you?",
    fields={
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "As (you) are called"},
            "age": {"type": "integer", "default": 40},
            "team": {"enum": ["red", "green"]},
            "sure": {"type": "boolean"},
        },
        "required": ["name"],
    },
)
FORM = (
    "Who are⟨U+202E⟩ you?\n\n"
    "1. name (string; As [you] are called):\n"
    "2. age (integer; optional): 40\n"
    "3. team (red | green; optional):\n"
    "4. sure (boolean; optional):"
)


async def test_a_person_fills_in_the_fields(tmp_path: Path):
    filled = FORM.replace("called):", "called): Ada").replace("green; optional):", "x): Green")
    answers = [replace(ALLOWED, edited=filled.replace("sure (boolean; optional):", "sure: yes"))]
    async with harness(tmp_path, answers=answers) as own:
        reply = await ask_person(own.session.state, PLACE, ASKED)
        (asked,) = own.person.asked
        assert asked.intent is not None and asked.is_form
        assert asked.intent.proposal == FORM
    content = {"name": "Ada", "age": 40, "team": "green", "sure": True}
    assert reply == McpReply("accept", content)


@pytest.mark.parametrize(
    ("decision", "action"),
    [
        (ALLOWED, "cancel"),
        (replace(ALLOWED, by="rule"), "decline"),
        (Decision(allowed=False), "decline"),
        (Decision(allowed=False, by="nobody"), "cancel"),
        (replace(ALLOWED, edited="1. name: Ada\n2. age: old"), "cancel"),
        (replace(ALLOWED, edited="1. name: Ada\n3. team: blue"), "cancel"),
    ],
)
async def test_nothing_goes_to_the_server_that_no_person_answered_whole(
    tmp_path: Path, decision: Decision, action: str
):
    async with harness(tmp_path, answers=[decision]) as own:
        assert await ask_person(own.session.state, PLACE, ASKED) == McpReply(action)


async def test_a_question_without_fields_and_an_address_are_shown_and_opened_by_nobody(
    tmp_path: Path,
):
    bare = McpQuestion(server="box", message=f"Really? {SECRET}")
    open_it = McpQuestion(server="box", message="Log in.", url="https://box.example/login?a=b")
    async with harness(tmp_path) as own:
        assert await ask_person(own.session.state, PLACE, bare) == McpReply("accept")
        assert await ask_person(own.session.state, PLACE, open_it) == McpReply("accept")
        first, second = (each.intent for each in own.person.asked)
        assert first is not None and second is not None
        assert first.address == "Really? [redacted]"
        assert second.address == "Log in.\nhttps://box.example/login?a=b"
        for url in ("file:///etc/passwd", "javascript:alert(1)", "https://a b"):
            refused = replace(open_it, url=url)
            assert await ask_person(own.session.state, PLACE, refused) == McpReply("decline")
        assert len(own.person.asked) == 2
