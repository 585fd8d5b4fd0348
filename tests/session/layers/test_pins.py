"""What a log lacks of the pins of its folder."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import AT, LEDGER, pin, system, user
from plimsoll.context.log.entries import Pinned, Undone
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.types import MemoryScope
from plimsoll.session.layers.pins import entries_of, pin_changes
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.reduction.items import evict
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from session.harness import harness
from session.reduction.long_turn import filled, texts

CLOCK = CountedClock()
NOW = CLOCK.now()


def kept(name: str, number: int = 1) -> WorkspacePin:
    return WorkspacePin(id=name, at=AT, text=f"text of {name}", number=number)


def test_new_pins_enter_with_numbers_of_the_session():
    fold = Fold(LEDGER, [system(), user("u1", "hello"), pin(1, "mine")])

    assert pin_changes(fold, [kept("w1"), kept("w2", 2)], CLOCK) == (
        Pinned(id="w1", at=NOW, text="text of w1", number=2, scope="workspace"),
        Pinned(id="w2", at=NOW, text="text of w2", number=3, scope="workspace"),
    )


def test_a_colleagues_pin_says_whose_it_is():
    theirs = replace(kept("w1"), sharing=PinSharing(MemoryScope.TEAM, "anna"))
    own = replace(kept("w2"), sharing=PinSharing(MemoryScope.TEAM))

    texts = [entry.text for entry in entries_of([theirs, own], 1, CLOCK)]

    assert texts == ["Pinned by anna (a colleague): text of w1", "text of w2"]


def test_removed_pins_leave_and_those_of_the_session_stay():
    fold = Fold(LEDGER, [system(), pin(1, "mine"), *pin_changes(Fold(LEDGER), [kept("w1")], CLOCK)])

    (gone,) = pin_changes(fold, [], CLOCK)

    assert isinstance(gone, Undone)
    assert gone.target == "w1"


@given(st.lists(st.sets(st.sampled_from("abcde")), max_size=6))
def test_the_log_follows_the_folder_and_never_holds_a_pin_twice(states: list[set[str]]):
    clock, fold, ever = CountedClock(), Fold(LEDGER, [system()]), set[str]()
    for number, state in enumerate(states):
        # An id is never given again.
        names = sorted((state - ever) | (state & set(fold.pins)))
        ever |= state
        fold.extend(pin_changes(fold, [kept(name) for name in names], clock))
        assert sorted(fold.pins) == names
        assert pin_changes(fold, [kept(name) for name in names], clock) == ()
        fold.append(user(f"m{number}", "go on"))
    ids = [entry.id for entry in fold.entries]
    numbers = [entry.number for entry in fold.entries if isinstance(entry, Pinned)]
    assert len(set(ids)) == len(ids)
    assert len(set(numbers)) == len(numbers)


async def test_pins_have_numbers_that_are_never_given_twice(tmp_path):
    async with harness(tmp_path) as own:
        first = await own.session.pin("one", None)
        await own.session.unpin(first.id)
        second = await own.session.pin("two", None)
        assert (first.number, second.number) == (1, 2)
        with pytest.raises(NotFound):
            await own.session.unpin(first.id)
        with pytest.raises(InvalidInput) as large:
            await own.session.pin("word " * 9_000, None)
        assert large.value.data["needsTokens"] > 0
        await filled(own, 2)
        copied = await own.session.pin(None, "r1.0")
        assert copied.text.startswith("line 1 word")
        await evict(own.session.state, ["r1.0"])
        assert any(text.count("line 1 word") for text in texts(own))
