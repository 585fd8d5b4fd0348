"""What becomes of operations at this server beside what the checks of every server hold it to."""

import pytest

from plimsoll.memory.types import MemoryType
from plimsoll.storage.conformance.teams import MINE, TEAM, note, pin, push, texts
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    ForgetMemory,
    NotAllowed,
    ShareMemory,
    SharePin,
)

pytestmark = pytest.mark.slow


async def test_of_what_is_forgotten_no_table_has_a_word(crew):
    ada, bob = crew.team("ada"), crew.team("bob")
    await push(ada, ShareMemory(note(content="The safe opens with seven turns.")))
    await push(bob, ChangeMemory(note(content="The safe opens with nine turns."), 1))
    late = await push(ada, ChangeMemory(note(content="The safe opens with eight turns."), 1))

    assert await push(ada, ForgetMemory("k1")) == Done()
    assert await push(ada, ForgetMemory(late.suggestion.memory.id)) == Done()

    kept = crew.as_administrator("SELECT memory::text FROM plimsoll.memories AS memory")
    kept += crew.as_administrator("SELECT operation::text FROM plimsoll.operations AS operation")
    assert "safe" not in str(kept)
    assert "turns" not in str(kept)


async def test_what_may_not_be_kept_is_said_in_a_sentence(crew):
    ada, bob, cy = crew.team("ada"), crew.team("bob"), crew.team("cy")
    await push(ada, ShareMemory(note()))
    refused = [
        (ada, ShareMemory(note("k2", "The key is ghp_16C7e42F292c6912E7710c838347Ae178B4a now."))),
        (ada, ShareMemory(note("k2", type=MemoryType.USER))),
        (ada, ShareMemory(note("k2", scope=type(TEAM).PRIVATE))),
        (ada, ChangeMemory(note(scope=MINE), 1)),
        (bob, ChangeMemory(note(scope=MINE), 1)),
        (cy, ShareMemory(note("k2"))),
        (cy, ForgetMemory("k1")),
        (cy, SharePin(pin())),
        (ada, SharePin(pin(scope=type(TEAM).PRIVATE))),
    ]

    for team, operation in refused:
        outcome = await push(team, operation)
        assert isinstance(outcome, NotAllowed), operation
        assert outcome.message.endswith(".")
    assert await texts(cy) == {"k1": note().content}
