"""Checks of sessions that travel by way of a team's server: one log, one machine that writes."""

import asyncio

from plimsoll.errors import Busy, LogConflict, NotFound
from plimsoll.storage.base import HeldAddress
from plimsoll.storage.conformance.base import record, refusal, said
from plimsoll.storage.conformance.teams import OpenTeam, TeamCheck, everything, push
from plimsoll.storage.shared.operations import DeleteSession, Done

A, B, C = said("a"), said("b"), said("c")


async def check_a_session_arrives_on_the_other_machine_and_at_nobody_elses(
    open_team: OpenTeam,
) -> None:
    """A session reaches the person's other machine, and no other person's."""
    laptop, desk, bob = (
        await open_team("ada"),
        await open_team("ada", "desk"),
        await open_team("bob"),
    )
    told = record(title="Cranes", addresses=(HeldAddress("https://api.example.org"),), turns=2)

    assert await laptop.sessions.ship(told, [A, B], 0, None) == 2

    [session] = (await desk.news(0)).sessions
    assert (session.record, session.length, session.machine) == (told, 2, "laptop")
    assert not session.is_held
    assert await desk.sessions.read("s1") == (session, [A, B])
    assert (await desk.sessions.read("s1", 1))[1] == [B]
    for stranger in (bob, await open_team("owner")):
        assert (await stranger.news(0)).sessions == []
        await refusal(stranger.sessions.read("s1"), NotFound)
        await refusal(stranger.sessions.take("s1", force=True), NotFound)


async def check_what_was_sent_before_is_not_written_twice(open_team: OpenTeam) -> None:
    """Entries that were sent before are not stored twice."""
    team = await open_team("ada")
    await team.sessions.ship(record(), [A, B], 0, None)

    for entries, expected, length in (([A, B], 0, 2), ([B, C], 1, 3), ([C], 2, 3), ([], 3, 3)):
        assert await team.sessions.ship(record(), entries, expected, None) == length
    for entries, expected in (([C], 0), ([A, C], 0), ([C], 4), ([], 2), ([said("d")], 2)):
        late = team.sessions.ship(record(title="Other"), entries, expected, None)
        assert (await refusal(late, LogConflict)).data["length"] == 3

    session, log = await team.sessions.read("s1")
    assert (session.record.title, log) == ("A title", [A, B, C])


async def check_one_machine_writes_and_the_other_is_told_which(open_team: OpenTeam) -> None:
    """One machine holds a session's lease, and another is told its name."""
    laptop, desk = (await open_team("ada")).sessions, (await open_team("ada", "desk")).sessions
    await laptop.ship(record(), [A], 0, None)
    fence = await laptop.take("s1")

    raised = await refusal(desk.take("s1"), Busy)
    assert "in use by laptop" in raised.message
    assert raised.data["heldBy"] == "laptop"
    await refusal(desk.ship(record(), [B], 1, None), Busy)
    assert (await desk.read("s1"))[0].is_held
    assert await laptop.ship(record(), [B], 1, fence) == 2

    forced = await desk.take("s1", force=True)

    assert forced > fence
    for late in (laptop.ship(record(), [C], 2, fence), laptop.ship(record(), [C], 2, None)):
        refused = await refusal(late, Busy)
    assert "in use by desk" in refused.message
    assert not await laptop.renew("s1", fence)
    await laptop.release("s1", fence)
    assert await desk.ship(record(), [C], 2, forced) == 3
    await desk.release("s1", forced)
    assert not (await desk.read("s1"))[0].is_held
    assert await laptop.take("s1") > forced


async def check_a_machine_that_began_anew_takes_its_own_lease_again(open_team: OpenTeam) -> None:
    """A machine that began anew takes its own lease again."""
    before, after = (await open_team("ada")).sessions, (await open_team("ada")).sessions
    namesake = (await open_team("ada", "laptop of somebody")).sessions
    await before.ship(record(), [], 0, None)
    fence = await before.take("s1")

    assert await after.take("s1") > fence
    await refusal(namesake.take("s1"), Busy)


async def check_a_deleted_session_leaves_with_every_text_and_stays_away(
    open_team: OpenTeam,
) -> None:
    """A deleted session is removed with all its texts, and cannot be sent again."""
    laptop, desk = await open_team("ada"), await open_team("ada", "desk")
    told = record(title="A pearl", preview="A pearl", turns=7)
    await laptop.sessions.ship(told, [said("a", "A pearl")], 0, None)
    fence = await laptop.sessions.take("s1")

    assert await push(desk, DeleteSession("s1")) == Done()
    assert await push(desk, DeleteSession("s1")) == Done()
    assert await push(desk, DeleteSession("s2")) == Done()

    news = await laptop.news(0)
    assert (news.sessions, news.deleted_sessions) == ([], ["s1"])
    for late in (
        laptop.sessions.ship(told, [B], 1, fence),
        laptop.sessions.take("s1", force=True),
        laptop.sessions.read("s1"),
    ):
        await refusal(late, NotFound)


async def check_two_that_both_believe_to_hold_it_make_one_log(open_team: OpenTeam) -> None:
    """Two machines that both believe to hold the lease still make one log."""
    machines = [(await open_team("ada")).sessions, (await open_team("ada", "desk")).sessions]
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
    assert (await everything(await open_team("ada"))).sessions == [session]


TRAVELLING: tuple[TeamCheck, ...] = (
    check_a_session_arrives_on_the_other_machine_and_at_nobody_elses,
    check_what_was_sent_before_is_not_written_twice,
    check_one_machine_writes_and_the_other_is_told_which,
    check_a_machine_that_began_anew_takes_its_own_lease_again,
    check_a_deleted_session_leaves_with_every_text_and_stays_away,
    check_two_that_both_believe_to_hold_it_make_one_log,
)
"""What a team's server must pass that sessions travel by."""
