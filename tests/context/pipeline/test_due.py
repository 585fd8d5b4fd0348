"""When a stage is due: a load that has reached a mark."""

import pytest

from builders import assistant, exchange, user
from context.stages.logs import next_request
from plimsoll.context.pipeline.due import reached_compact


@pytest.mark.parametrize(
    ("seen", "unseen", "reached"),
    [
        (6_600, 0, True),
        (6_000, 600, False),
        (6_000, 1_500, True),
        (6_000, 100, False),
    ],
    ids=["seen", "with what is unseen", "the last answer is near", "below"],
)
def test_what_no_request_has_carried_does_not_reach_the_compact_mark_alone(seen, unseen, reached):
    """It may not leave yet, and with the next request it may for next to nothing."""
    entries = [*exchange(1, "word " * seen), assistant("a9", "So far."), user("u9", "go on")]
    new = exchange(2, "word " * unseen) if unseen else ()
    asked = next_request([*entries, *new], 10_240)
    assert (asked.tokens >= asked.budget.compact) is (seen + unseen > 6_500)
    assert (asked.tokens >= asked.budget.force_final) is (unseen == 1_500)
    assert reached_compact(asked) is reached
