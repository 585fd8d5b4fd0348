"""The tool by which the model looks at its load and lets go."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.conversation.context import ContextTool
from plimsoll.tools.ports.context import CallContext
from tools.conftest import answering


class Session:
    """A conversation that notes what it lets go of."""

    def __init__(self) -> None:
        self.gone: list[str] = []

    async def evict(self, items: Sequence[str]) -> str:
        if "m9.0" in items:
            raise ToolFailed("There is no item 'm9.0'.")
        self.gone += items
        return f"Freed {len(items)} items."

    def load(self) -> str:
        return "12 % full"


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def use(context: CallContext, session: Session):
    return answering(ContextTool(), context, session)


async def test_the_load_alone_changes_nothing(use, session):
    assert await use() == "12 % full"
    assert await use(evict=[]) == "12 % full"
    assert session.gone == []


async def test_items_are_let_go_of_and_then_the_load_is_told(use, session):
    assert await use(evict=["m1.0", "m2.0"]) == "Freed 2 items.\n12 % full"
    assert session.gone == ["m1.0", "m2.0"]


async def test_an_item_that_is_not_there_is_told(use):
    with pytest.raises(ToolFailed, match="m9"):
        await use(evict=["m9.0"])


@pytest.mark.parametrize("arguments", [{"evict": "m1.0"}, {"evict": [1]}, {"other": []}])
async def test_what_is_no_list_of_ids_is_refused(use, session, arguments):
    with pytest.raises(ToolFailed):
        await use(**arguments)
    assert session.gone == []


def test_it_works_only_within_a_session_and_asks_nobody(context, session):
    with pytest.raises(ToolFailed, match="only within a session"):
        ContextTool().prepare({}, context)
    there = replace(context, conversation=session)
    assert not ContextTool().prepare({"evict": ["m1.0"]}, there).ask
