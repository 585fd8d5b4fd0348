"""``memory_save`` and ``memory_search``: what they show, and what they leave to the session."""

from dataclasses import replace
from typing import Any, cast

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.conversation.memory_save import MemorySave
from plimsoll.tools.conversation.memory_search import DEFAULT_LIMIT, MemorySearch
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.conversation import Conversation
from plimsoll.tools.ports.conversation_values import NoteKept, NotePlan


class Notes:
    """Keeps what it is given in a list."""

    def __init__(self, *, waits: bool = False) -> None:
        self.kept: list[NotePlan] = []
        self.searched: list[tuple[str, int]] = []
        self.waits = waits

    async def keep_note(self, note: NotePlan) -> NoteKept:
        if "secret" in note.content:
            raise ToolFailed("This was not remembered. Leave it out.")
        self.kept.append(note)
        return NoteKept("n1", self.waits)

    async def find_notes(self, query: str, limit: int) -> str:
        self.searched.append((query, limit))
        return "> found"


def within(context: CallContext, notes: Notes) -> CallContext:
    """The context of a call in a session that has nothing but notes."""
    return replace(context, conversation=cast(Conversation, cast(Any, notes)))


WISH = {"type": "decision", "title": "Store\u202e", "content": "SQLite it is."}


@pytest.mark.parametrize(
    ("waits", "answer"),
    [
        (False, "Remembered. (memory n1)"),
        (True, "It waits in the inbox for the user's review. (memory n1)"),
    ],
)
async def test_a_note_is_kept_and_the_answer_says_whether_it_has_effect(
    context: CallContext, waits: bool, answer: str
) -> None:
    notes, tool = Notes(waits=waits), MemorySave()
    here = within(context, notes)

    intent = tool.prepare({**WISH, "class": "working"}, here)
    outcome = await tool.run(intent, here)

    assert (intent.title.startswith("Remember Store"), intent.ask) == (True, False)
    assert "\u202e" not in intent.title
    assert notes.kept == [
        NotePlan(type="decision", title="Store\u202e", content="SQLite it is.", class_="working")
    ]
    assert outcome.text == answer


async def test_a_refusal_is_told_to_the_model(context: CallContext) -> None:
    tool, here = MemorySave(), within(context, Notes())
    intent = tool.prepare({**WISH, "content": "a secret"}, here)

    with pytest.raises(ToolFailed, match=r"not remembered\. Leave it out\."):
        await tool.run(intent, here)


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "song"},
        {"class": "gold"},
        {"title": ""},
        {"content": "x" * 4_001},
        {"content": None},
        {"author": "user"},
        {"state": "active"},
        {"pinned": True},
    ],
)
def test_a_model_can_set_nothing_but_what_the_schema_has(
    context: CallContext, wrong: dict[str, object]
) -> None:
    with pytest.raises(ToolFailed):
        MemorySave().prepare({**WISH, **wrong}, within(context, Notes()))


def test_without_a_session_there_are_no_notes(context: CallContext) -> None:
    for tool, arguments in ((MemorySave(), WISH), (MemorySearch(), {"query": "harbour"})):
        with pytest.raises(ToolFailed, match="only within a session"):
            tool.prepare(arguments, context)


async def test_a_search_asks_the_session(context: CallContext) -> None:
    notes, tool = Notes(), MemorySearch()
    here = within(context, notes)

    first = await tool.run(tool.prepare({"query": "harbour"}, here), here)
    await tool.run(tool.prepare({"query": "pier", "limit": 3}, here), here)

    assert first.text == "> found"
    assert notes.searched == [("harbour", DEFAULT_LIMIT), ("pier", 3)]
    for wrong in ({}, {"query": ""}, {"query": "x", "limit": 0}, {"query": "x", "limit": 21}):
        with pytest.raises(ToolFailed):
            tool.prepare(wrong, here)


def test_searching_reads_and_saving_does_not() -> None:
    assert (MemorySearch().reading, MemorySave().reading) == (True, False)
