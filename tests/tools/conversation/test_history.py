"""The tool that finds again what has left the context."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.conversation.history import MOST_CHARACTERS, MOST_FOUND, History
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.conversation_values import Found
from tools.conftest import answering

FOUND = [
    Found(
        item="m1.0", title="a.py 1-9", excerpt="the needle lies", turn=1, tokens=20, in_view=False
    ),
    Found(item="m2.0", title="grep x", excerpt="a needle", turn=2, tokens=7, in_view=True),
]


class Session:
    """A conversation with one long item."""

    def __init__(self, found: Sequence[Found] = FOUND) -> None:
        self.found = found
        self.asked: list[tuple[str, int]] = []
        self.long = "".join(f"{n:09}\n" for n in range(MOST_CHARACTERS // 4))

    def search(self, query: str, limit: int) -> Sequence[Found]:
        self.asked.append((query, limit))
        return self.found

    def text_of(self, item: str) -> str | None:
        return {"m1.0": "short", "m2.0": self.long, "m3.0": ""}.get(item)


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def use(context: CallContext, session: Session):
    return answering(History(), context, session)


async def test_a_search_lists_where_each_item_is(use, session):
    assert await use(query="needle") == (
        "m1.0 | turn 1 | a.py 1-9 | 20 tokens, left the context\n    the needle lies\n"
        "m2.0 | turn 2 | grep x | 7 tokens, in view\n    a needle"
    )
    assert session.asked == [("needle", MOST_FOUND)]


async def test_nothing_found_says_what_to_try(use, session):
    session.found = []
    assert "Try a name" in await use(query="x")


async def test_an_item_comes_back_whole(use):
    assert await use(item_id="m1.0") == "short"


async def test_a_long_item_comes_back_in_pages_that_make_up_the_whole(use, session):
    """A text that is truncated again each time it is read is never read whole."""
    read, offset = "", 0
    for _ in range(9):
        page = await use(item_id="m2.0", offset=offset)
        text, _, note = page.rpartition("\n[")
        if "go on with offset" not in note:
            read += page
            break
        read += text
        offset = int(note.partition("offset ")[2].rstrip("]"))
    assert read == session.long


async def test_past_the_end_it_says_how_long_the_item_is(use):
    assert await use(item_id="m1.0", offset=5) == "[the item has 5 characters]"
    assert await use(item_id="m3.0") == "[the item has 0 characters]"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": "a", "item_id": "m1.0"},
        {"query": ""},
        {"query": 3},
        {"query": "a", "offset": 1},
        {"item_id": "m1.0", "offset": -1},
        {"item_id": "m1.0", "offset": "1"},
        {"other": "a"},
    ],
)
async def test_a_question_that_is_none_is_refused(use, arguments):
    with pytest.raises(ToolFailed):
        await use(**arguments)


async def test_an_item_that_is_not_there_is_named(use):
    with pytest.raises(ToolFailed, match="m9"):
        await use(item_id="m9.0")


def test_it_works_only_within_a_session(context):
    with pytest.raises(ToolFailed, match="only within a session"):
        History().prepare({"query": "a"}, context)


def test_a_title_shows_what_a_terminal_would_hide(context, session):
    there = replace(context, conversation=session)
    title = History().prepare({"query": "a\x1b[2Jb"}, there).title
    assert "\x1b" not in title
