"""What decides between memories that fit alike, and that none of it decides alone."""

import pytest

from memory.samples import AT, memory
from plimsoll.memory.ranking import REACH, weight
from plimsoll.memory.types import Memory, MemoryClass, MemoryState, Trust

LATER = "2027-11-21T10:00:00.000Z"


@pytest.mark.parametrize(
    "heaviest_first",
    [
        [memory(class_=each) for each in MemoryClass],
        [memory(trust=each) for each in (Trust.USER, Trust.AGENT, Trust.EXTRACTED)],
        [memory(pinned=True), memory()],
        [memory(created_at=LATER), memory()],
        [memory(content="It is tabs."), memory(content="Is it tabs?")],
    ],
    ids=["class", "trust", "pinned", "age", "question"],
)
def test_what_weighs_more_is_ahead_of_what_fits_alike_and_of_nothing_else(
    heaviest_first: list[Memory],
) -> None:
    weights = [weight(each, LATER, frozenset()) for each in heaviest_first]
    assert weights == sorted(set(weights), reverse=True)
    assert weights[0] / weights[-1] < REACH


def test_what_a_changed_file_made_doubtful_stands_behind() -> None:
    doubtful = weight(memory(state=MemoryState.STALE), AT, frozenset())
    assert doubtful < weight(memory(class_=MemoryClass.WORKING), AT, frozenset())
