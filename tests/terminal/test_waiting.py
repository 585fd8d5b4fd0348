"""A wait at the terminal: a line that goes away, or one that stays where none can."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest

from plimsoll.session.ports.clock import rfc3339
from plimsoll.session.ports.events import Event, TextArrived, TurnEnded, WaitLasted
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import Show
from plimsoll.terminal.turns import ring_after
from plimsoll.terminal.waiting import waiting_words


class Terminal(StringIO):
    """A stream that says that a person looks at it."""

    def isatty(self) -> bool:
        return True


SINCE = rfc3339(datetime.now(UTC) - timedelta(seconds=75))
WAIT = WaitLasted(turn="t", model="gpt-4o", reason="firstToken", since=SINCE)
CLEARED = "\r\x1b[K"


@pytest.mark.parametrize("end", [TextArrived("t", "m", "Hello"), TurnEnded("t", "cancelled")])
async def test_a_wait_is_shown_and_goes_away(end: Event):
    out, err = StringIO(), Terminal()
    show = Show(Screen(out, err))
    show("s", WAIT)
    shown = err.getvalue()
    assert re.search(r"Waiting for gpt-4o · \d+ s$", shown)
    show("s", end)
    assert err.getvalue() == shown + CLEARED
    await asyncio.sleep(0)
    assert out.getvalue() in {"", "Hello"}


async def test_where_no_line_can_go_away_each_wait_is_told_once():
    err = StringIO()
    show = Show(Screen(StringIO(), err))
    show("s", WAIT)
    show("s", TextArrived("t", "m", "Hello"))
    assert err.getvalue() == "· Waiting for gpt-4o\n"


def test_the_next_try_is_named():
    retry = WaitLasted(
        turn="t",
        model="m",
        reason="rateLimited",
        since=SINCE,
        attempt=2,
        attempts=5,
        retry_at=SINCE,
    )
    assert waiting_words(retry).startswith("Too many requests for m, try 2 of 5 at ")


@pytest.mark.parametrize(
    ("seconds", "least", "rung"), [(29.9, 30, ""), (30.0, 30, "\a"), (900.0, 0, "")]
)
def test_the_bell_rings_after_a_long_turn_where_somebody_looks(
    seconds: float, least: int, rung: str
):
    out, piped = Terminal(), StringIO()
    for stream in (out, piped):
        ring_after(seconds, least, Screen(stream, StringIO()))
    assert (out.getvalue(), piped.getvalue()) == (rung, "")
