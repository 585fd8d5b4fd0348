"""Sessions that travel between a person's machines by way of the server."""

import asyncio

import pytest

from plimsoll.errors import Busy, LogConflict, NotFound, StoreUnavailable
from plimsoll.storage.base import HeldAddress
from plimsoll.storage.shared.operations import DeleteSession, Done
from plimsoll.storage.shared.reasons import Reason
from storage.postgres.crew import Crew
from storage.postgres.team.samples import everything, push
from storage.samples import record, said

pytestmark = pytest.mark.slow
A, B, C = said("a"), said("b"), said("c")


def run_out(crew: Crew) -> None:
    """Let the engine's clock run past every lease."""
    crew.as_administrator("UPDATE plimsoll.sessions SET held_until = now() - interval '1 second'")


async def test_a_session_arrives_on_the_other_machine_and_at_nobody_elses(crew):
    laptop, desk, bob = crew.team("ada"), crew.team("ada", "desk"), crew.team("bob")
    told = record(title="Cranes", addresses=(HeldAddress("https://api.example.org"),), turns=2)

    assert await laptop.sessions.ship(told, [A, B], 0, None) == 2

    [session] = (await desk.news(0)).sessions
    assert (session.record, session.length, session.machine) == (told, 2, "laptop")
    assert not session.is_held
    assert await desk.sessions.read("s1") == (session, [A, B])
    assert (await desk.sessions.read("s1", 1))[1] == [B]
    for stranger in (bob, crew.team("owner")):
        assert (await stranger.news(0)).sessions == []
        with pytest.raises(NotFound):
            await stranger.sessions.read("s1")
        with pytest.raises(NotFound):
            await stranger.sessions.take("s1", force=True)


async def test_what_was_sent_before_is_not_written_twice(crew):
    team = crew.team("ada")
    await team.sessions.ship(record(), [A, B], 0, None)

    for entries, expected, length in (([A, B], 0, 2), ([B, C], 1, 3), ([C], 2, 3), ([], 3, 3)):
        assert await team.sessions.ship(record(), entries, expected, None) == length
    others = [([C], 0), ([A, C], 0), ([C], 4), ([], 2), ([said("d")], 2)]
    for entries, expected in others:
        with pytest.raises(LogConflict) as raised:
            await team.sessions.ship(record(title="Other"), entries, expected, None)
    assert raised.value.data["length"] == 3

    session, log = await team.sessions.read("s1")
    assert (session.record.title, log) == ("A title", [A, B, C])


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


async def test_one_machine_writes_and_the_other_is_told_which(crew):
    laptop, desk = crew.team("ada").sessions, crew.team("ada", "desk").sessions
    await laptop.ship(record(), [A], 0, None)
    fence = await laptop.take("s1")

    with pytest.raises(Busy, match="in use by laptop") as raised:
        await desk.take("s1")
    assert raised.value.data["heldBy"] == "laptop"
    with pytest.raises(Busy):
        await desk.ship(record(), [B], 1, None)
    assert (await desk.read("s1"))[0].is_held
    assert await laptop.ship(record(), [B], 1, fence) == 2

    forced = await desk.take("s1", force=True)

    assert forced > fence
    for late in (laptop.ship(record(), [C], 2, fence), laptop.ship(record(), [C], 2, None)):
        with pytest.raises(Busy, match="in use by desk"):
            await late
    assert not await laptop.renew("s1", fence)
    await laptop.release("s1", fence)
    assert await desk.ship(record(), [C], 2, forced) == 3
    await desk.release("s1", forced)
    assert not (await desk.read("s1"))[0].is_held
    assert await laptop.take("s1") > forced


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


async def test_a_machine_that_began_anew_takes_its_own_lease_again(crew):
    before, after = crew.team("ada").sessions, crew.team("ada").sessions
    namesake = crew.team("ada", "laptop of somebody").sessions
    await before.ship(record(), [], 0, None)
    fence = await before.take("s1")

    assert await after.take("s1") > fence
    with pytest.raises(Busy):
        await namesake.take("s1")


async def test_a_deleted_session_leaves_with_every_text_and_stays_away(crew):
    laptop, desk = crew.team("ada"), crew.team("ada", "desk")
    told = record(title="A pearl", preview="A pearl", turns=7)
    await laptop.sessions.ship(told, [said("a", "A pearl")], 0, None)
    fence = await laptop.sessions.take("s1")

    assert await push(desk, DeleteSession("s1")) == Done()
    assert await push(desk, DeleteSession("s1")) == Done()
    assert await push(desk, DeleteSession("s2")) == Done()

    news = await laptop.news(0)
    assert (news.sessions, news.deleted_sessions) == ([], ["s1"])
    kept = crew.as_administrator("SELECT entry::text FROM plimsoll.entries AS entry")
    kept += crew.as_administrator("SELECT session::text FROM plimsoll.sessions AS session")
    assert "pearl" not in str(kept)
    for late in (
        laptop.sessions.ship(told, [B], 1, fence),
        laptop.sessions.take("s1", force=True),
        laptop.sessions.read("s1"),
    ):
        with pytest.raises(NotFound):
            await late


async def test_a_reader_sends_no_session(crew):
    with pytest.raises(StoreUnavailable) as raised:
        await crew.team("cy").sessions.ship(record(), [A], 0, None)
    assert raised.value.data["reason"] == Reason.RIGHTS


async def test_two_that_both_believe_to_hold_it_make_one_log(crew):
    machines = [crew.team("ada").sessions, crew.team("ada", "desk").sessions]
    await machines[0].ship(record(), [], 0, None)
    written: list[str] = []

    async def write(number: int) -> None:
        for turn in range(60):
            name = f"{number}-{turn}"
            try:
                fence = await machines[number].take("s1", force=True)
                length = (await machines[number].read("s1"))[0].length
                await machines[number].ship(record(), [said(name)], length, fence)
                written.append(name)
            except (Busy, LogConflict):
                continue

    await asyncio.gather(write(0), write(1))

    session, log = await machines[0].read("s1")
    assert sorted(each.id for each in log) == sorted(written)
    assert session.length == len(log) > 0
    assert (await everything(crew.team("ada"))).sessions == [session]
