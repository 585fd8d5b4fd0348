"""Whether a file may have been another at a checkpoint than at the agent's first edit of it."""

import pytest

from plimsoll.context.log.entries import Noted
from plimsoll.session.checkpoints.since import APPEARED, CHANGED, CLOCK_STEP, moment, why_another

AT = 1_800_000_000_000_000


def checkpoint(at: str) -> Noted:
    return Noted(id="n1", at=at, what="turn", item=None, data="{}")


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("2027-01-15T08:00:00.000Z", AT),
        ("2027-01-15T08:00:00.000250+00:00", AT + 250),
        ("2027-01-15T08:00:00", AT),
        ("1950-01-15T08:00:00Z", 0),
        ("yesterday", None),
    ],
)
def test_times_of_any_log_are_read(at, found):
    assert moment(at) == found


@pytest.mark.parametrize(
    ("changed", "at", "missing", "why"),
    [
        (AT + 1, "2027-01-15T08:00:00Z", False, CHANGED),
        (AT + 1, "2027-01-15T08:00:00Z", True, APPEARED),
        (AT - CLOCK_STEP, "2027-01-15T08:00:00Z", False, CHANGED),
        (AT - CLOCK_STEP - 1, "2027-01-15T08:00:00Z", False, None),
        (None, "2027-01-15T08:00:00Z", False, None),
        (AT, "yesterday", False, None),
    ],
)
def test_what_is_younger_than_the_checkpoint_may_be_another(changed, at, missing, why):
    assert why_another(changed, checkpoint(at), missing=missing) == why


def test_before_everything_nothing_is_known():
    assert why_another(AT, None, missing=False) is None
