"""The exchange beside the turns, and what a person is told of it."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import Done, NotAllowed, Queued, ShareMemory
from plimsoll.storage.shared.reasons import Reason
from plimsoll.storage.shared.status import TeamState, TeamStatus
from team.ends import (
    AT,
    JOINED,
    URL,
    Replica,
    Server,
    away,
    memory,
    shared,
)
from team.folders import Folder, folder

FIRST = Queued("k1", ShareMemory(memory("m1", "Use tabs")))


async def test_a_folder_that_has_joined_asks_at_once_and_says_how_it_stands(tmp_path: Path):
    server = Server()
    server.pages = [News(position=4, memories=(shared("m7"),))]
    async with folder(tmp_path, Replica(JOINED, FIRST), server) as opened:
        await opened.team.begin()
        assert await opened.at_rest() == 30.0
        assert opened.team.status() == TeamStatus(
            state=TeamState.OK,
            project="harbour",
            url=URL,
            role="ada",
            rights="write",
            since=AT,
            seen_at=AT,
        )
        assert (server.pushed, opened.replica.settled) == ([FIRST], [("k1", Done(1))])
        assert (opened.around.arrivals, opened.around.said) == ([False], [])


async def test_each_trouble_is_told_once_and_its_end_is_shown(tmp_path: Path):
    server = Server()
    async with folder(tmp_path, Replica(JOINED), server) as opened:
        server.fails["open"] = away()
        await opened.team.begin()
        assert await opened.at_rest() == 5.0
        told = opened.team.status()
        assert told == TeamStatus(
            state=TeamState.AWAY,
            project="harbour",
            url=URL,
            since=AT,
            message="The team's server at db cannot be reached.",
            remedy="Check it. What you share meanwhile is sent later.",
        )
        assert await opened.after(5.0) == 10.0
        assert replace(opened.team.status(), queued=0) == told
        del server.fails["open"]
        assert await opened.after(10.0) == 30.0
        assert opened.team.status().state is TeamState.OK
        assert opened.team.status().message is None
        server.fails["news"] = away()
        await opened.after(30.0)
        assert opened.around.said == [f"{told.message} {told.remedy}"]
        assert opened.around.states == ["ok", "away", "ok", "away"]
        # An hour later the same is said once more.
        del server.fails["news"]
        await opened.after(3_600.0)
        server.fails["news"] = away()
        await opened.after(300.0)
        assert len(opened.around.said) == 2


async def test_a_change_waits_while_the_server_is_away_and_is_sent_once(tmp_path: Path):
    server = Server()
    async with folder(tmp_path, Replica(JOINED), server) as opened:
        server.fails["news"] = away()
        await opened.team.begin()
        await opened.at_rest()
        opened.replica.waiting.append(FIRST)
        opened.team.wake()
        await opened.at_rest()
        assert (opened.team.status().queued, server.pushed) == (1, [])
        server.fails.clear()
        await opened.after(300.0)
        assert (opened.team.status().queued, server.pushed) == (0, [FIRST])


async def test_a_look_by_hand_sends_at_once_and_ends_the_long_pauses(tmp_path: Path):
    server = Server()
    async with folder(tmp_path, Replica(JOINED), server) as opened:
        server.fails["news"] = away()
        await opened.team.begin()
        await opened.at_rest()
        for _ in range(6):
            await opened.after(300.0)
        server.fails.clear()
        opened.replica.waiting.append(FIRST)
        status = await opened.team.look()
        assert (status.state, status.queued, server.pushed) == (TeamState.OK, 0, [FIRST])
        opened.team.wake()
        assert await opened.at_rest() == 5.0


async def test_a_change_is_sent_when_it_is_made(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        opened.replica.waiting.append(FIRST)
        opened.team.wake()
        assert await opened.at_rest() == pytest.approx(0.2)
        await opened.after(0.2)
        assert opened.server.pushed == [FIRST]


async def test_a_server_that_is_late_twice_is_slow(tmp_path: Path):
    server = Server()
    async with folder(tmp_path, server=server) as opened:
        server.takes = 0.4
        await opened.team.begin()
        await opened.at_rest()
        assert opened.team.status().state is TeamState.OK
        await opened.after(30.0)
        status = opened.team.status()
        assert (status.state, status.message) == (
            TeamState.SLOW,
            "The team's server takes more than 300 ms to answer.",
        )
        server.takes = 0.1
        await opened.after(30.0)
        assert opened.team.status().state is TeamState.OK


async def test_a_reader_is_told_so_once_and_sends_nothing(tmp_path: Path):
    server = Server("read")
    async with folder(tmp_path, Replica(JOINED, FIRST), server) as opened:
        await opened.team.begin()
        assert await opened.at_rest() == 30.0
        await opened.after(30.0)
        status = opened.team.status()
        assert (status.state, status.rights, status.queued) == (TeamState.READ_ONLY, "read", 1)
        assert (len(opened.around.said), server.pushed) == (1, [])


async def test_a_full_disk_holds_up_what_is_sent_and_not_what_is_read(tmp_path: Path):
    server = Server()
    server.fails["push"] = StoreUnavailable("It is full.", data={"reason": Reason.FULL})
    server.pages = [News(position=1, memories=(shared("m1"),))]
    async with folder(tmp_path, Replica(JOINED, FIRST), server) as opened:
        await opened.team.begin()
        # It is not tried again and again for the sake of what waits.
        assert await opened.at_rest() == 30.0
        assert opened.team.status().state is TeamState.READ_ONLY
        assert opened.around.arrivals == [False]


async def test_what_the_server_does_not_keep_is_said(tmp_path: Path):
    server = Server()
    server.outcomes = {"k1": NotAllowed("It keeps no such text.")}
    async with folder(tmp_path, Replica(JOINED, FIRST), server) as opened:
        await opened.team.begin()
        await opened.at_rest()
        assert opened.around.said == ["“Use tabs” is not shared: It keeps no such text."]


async def test_what_another_window_took_in_is_spread_here_too(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        opened.replica.now = replace(JOINED, position=9)
        await opened.after(30.0)
        assert opened.around.arrivals == [False]


async def test_another_window_leaves_and_joins(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        opened.replica.now = None
        opened.clock.at += 30.0
        opened._go.set()
        while opened.team.status().state is not TeamState.OFF:
            await asyncio.sleep(0)
        assert opened.team.status() == TeamStatus()
        opened.replica.now = JOINED
        await opened.team.begin()
        await opened.at_rest()
        assert opened.team.status().project == "harbour"


async def test_the_folders_own_store_fails_and_the_team_is_not_blamed(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        opened.server.fails["news"] = StoreUnavailable("This disk is full.")
        assert await opened.after(30.0) == 5.0
        assert opened.team.status().state is TeamState.OK


async def test_a_defect_does_not_end_the_exchange(tmp_path: Path, caplog):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        opened.server.fails["news"] = ZeroDivisionError()
        assert await opened.after(30.0) == 5.0
        del opened.server.fails["news"]
        assert await opened.after(5.0) == 30.0
    assert "the exchange with the team's server failed" in caplog.text


async def test_closing_does_not_wait_for_a_server_that_hangs(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("plimsoll.team.loop._LONGEST_CLOSING", 0.0)
    opened = Folder(tmp_path, Replica(JOINED), Server())
    begun, over = asyncio.Event(), asyncio.Event()

    async def hang(_since: int, _limit: int = 500) -> News:
        begun.set()
        while not over.is_set():
            with suppress(asyncio.CancelledError):
                await over.wait()
        return News(position=0)

    opened.server.news = hang
    await opened.team.begin()
    await begun.wait()
    await opened.team.close()
    over.set()
    while len(asyncio.all_tasks()) > 1:
        await asyncio.sleep(0)
