"""What people are told while a model is waited for, and of what its server refuses."""

import pytest

from plimsoll.providers.base import Waiting
from plimsoll.session.asking.waiting import tell_mend, tell_wait
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.events import NoticeGiven, WaitLasted
from session.harness import SECRET, harness, redact


class Noon(CountedClock):
    """A clock that stands."""

    def now(self) -> str:
        return "2026-01-01T12:00:00.000Z"


@pytest.mark.parametrize(("seconds", "next_at"), [(None, None), (90.0, "2026-01-01T12:01:30.000Z")])
async def test_a_wait_tells_since_when_and_until_when(tmp_path, seconds, next_at):
    waiting = Waiting(reason="rateLimited", seconds=seconds, attempt=2, attempts=5, lasted=30.0)
    async with harness(tmp_path) as own:
        tell_wait(own.session.state.voice, Noon(), waiting, turn="t1", model="small")
        assert own.events == [
            WaitLasted(
                turn="t1",
                model="small",
                reason="rateLimited",
                since="2026-01-01T11:59:30.000Z",
                attempt=2,
                attempts=5,
                retry_at=next_at,
            )
        ]


async def test_a_field_that_a_server_refuses_is_told_without_secrets(tmp_path):
    async with harness(tmp_path) as own:
        tell_mend(own.session.state.voice, redact, "t1", f"It refuses {SECRET}.")
        assert own.events == [NoticeGiven("It refuses [redacted].", "info", "t1")]
