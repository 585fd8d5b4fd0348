"""Sessions that travel, beside what the checks of every server hold this one to."""

import pytest

from plimsoll.errors import Busy, StoreUnavailable
from plimsoll.storage.conformance.teams import push
from plimsoll.storage.shared.operations import DeleteSession, Done
from plimsoll.storage.shared.reasons import Reason
from storage.postgres.crew import Crew
from storage.samples import record, said

pytestmark = pytest.mark.slow
A, B = said("a"), said("b")


def run_out(crew: Crew) -> None:
    """Let the engine's clock run past every lease."""
    crew.as_administrator("UPDATE plimsoll.sessions SET held_until = now() - interval '1 second'")


async def test_secrets_stay_and_what_became_one_later_is_no_other_entry(crew):
    team = crew.team("ada")
    secret = "Sign with four-leaf-anchor."
    await team.sessions.ship(record(title=secret, preview=secret), [said("a", secret)], 0, None)
    crew.as_administrator(
        "UPDATE plimsoll.entries SET body = replace(body, 'Sign with', 'Sign by')"
    )

    assert await team.sessions.ship(record(), [said("a", secret), B], 0, None) == 2

    kept = crew.as_administrator("SELECT entry::text FROM plimsoll.entries AS entry")
    kept += crew.as_administrator("SELECT session::text FROM plimsoll.sessions AS session")
    assert "four-leaf" not in str(kept)


async def test_a_lease_holds_until_somebody_else_has_taken_it(crew):
    laptop, desk = crew.team("ada").sessions, crew.team("ada", "desk").sessions
    await laptop.ship(record(), [], 0, None)
    fence = await laptop.take("s1")
    run_out(crew)
    # Nobody has taken it: whoever held it goes on.
    assert await laptop.ship(record(), [A], 0, fence) == 1
    assert await laptop.renew("s1", fence)
    with pytest.raises(Busy):
        await desk.take("s1")
    run_out(crew)

    taken = await desk.take("s1")

    with pytest.raises(Busy):
        await laptop.ship(record(), [B], 1, fence)
    assert not await laptop.renew("s1", fence)
    await desk.release("s1", taken)
    with pytest.raises(Busy, match="another machine"):
        await laptop.ship(record(), [B], 1, fence)


async def test_of_a_deleted_session_no_table_has_a_word(crew):
    laptop, desk = crew.team("ada"), crew.team("ada", "desk")
    told = record(title="A pearl", preview="A pearl", turns=7)
    await laptop.sessions.ship(told, [said("a", "A pearl")], 0, None)

    assert await push(desk, DeleteSession("s1")) == Done()

    kept = crew.as_administrator("SELECT entry::text FROM plimsoll.entries AS entry")
    kept += crew.as_administrator("SELECT session::text FROM plimsoll.sessions AS session")
    assert "pearl" not in str(kept)


async def test_a_reader_sends_no_session(crew):
    with pytest.raises(StoreUnavailable) as raised:
        await crew.team("cy").sessions.ship(record(), [A], 0, None)
    assert raised.value.data["reason"] == Reason.RIGHTS
