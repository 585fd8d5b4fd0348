"""A folder's part in a team: joining, leaving, and what a person is told of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, NotFound, StoreUnavailable
from plimsoll.settings import Settings
from plimsoll.settings.shape import TeamSettings
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import Done, NotAllowed, Queued, ShareMemory
from plimsoll.storage.shared.reasons import Reason
from plimsoll.storage.shared.status import SuggestedProject, TeamState, TeamStatus
from plimsoll.team.service import FolderTeam
from team.ends import (
    AT,
    HARBOUR,
    JOINED,
    PROJECT,
    URL,
    Around,
    Replica,
    Server,
    TestClock,
    away,
    memory,
    shared,
)

FIRST = Queued("k1", ShareMemory(memory("m1", "Use tabs")))


class Folder:
    """A folder's team, whose loop a test lets go on step by step."""

    def __init__(self, root: Path, replica: Replica, server: Server) -> None:
        self.clock = TestClock()
        server._clock = self.clock
        self.around = Around(root, replica, server, self.clock)
        self.replica, self.server = replica, server
        self.team = FolderTeam(self.around.given, wait=self._wait)
        self._waits: asyncio.Queue[float] = asyncio.Queue()
        self._go = asyncio.Event()

    async def _wait(self, woken: asyncio.Event, seconds: float) -> None:
        self._waits.put_nowait(seconds)
        waking = asyncio.ensure_future(woken.wait())
        going = asyncio.ensure_future(self._go.wait())
        try:
            await asyncio.wait([waking, going], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waking.cancel()
            going.cancel()
        self._go.clear()

    async def at_rest(self) -> float:
        """Wait until the loop waits; returns for how long."""
        return await self._waits.get()

    async def after(self, seconds: float) -> float:
        """Let so many seconds pass, and wait until the loop waits again."""
        self.clock.at += seconds
        self._go.set()
        return await self.at_rest()


@asynccontextmanager
async def folder(
    root: Path, replica: Replica | None = None, server: Server | None = None
) -> AsyncIterator[Folder]:
    opened = Folder(root, replica or Replica(JOINED), server or Server())
    try:
        yield opened
    finally:
        await opened.team.close()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


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


async def test_joining_by_name_and_address(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        status = await opened.team.join("harbour", URL)
        assert (status.state, status.project, status.url) == (TeamState.OK, "harbour", URL)
        assert opened.replica.now == Joined(project=PROJECT, name="harbour", url=URL, joined_at=AT)
        await opened.at_rest()
        assert opened.team.status().role == "ada"


async def test_joining_what_the_folder_suggests_at_the_server_of_the_settings(tmp_path: Path):
    (tmp_path / ".plimsoll").mkdir()
    (tmp_path / ".plimsoll/project").write_text(f'id = "{PROJECT}"\nname = "any"\n')
    async with folder(tmp_path, Replica()) as opened:
        opened.around.settings = Settings(team=TeamSettings(url=URL, project="another"))
        await opened.team.begin()
        assert opened.team.status() == TeamStatus(
            suggested=SuggestedProject(project=PROJECT, name="any")
        )
        assert (await opened.team.join()).project == "harbour"


async def test_joining_the_project_of_the_settings(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        opened.around.settings = Settings(team=TeamSettings(url=URL, project="harbour"))
        assert (await opened.team.join()).project == "harbour"


@pytest.mark.parametrize(
    ("name", "url", "error", "message"),
    [
        ("harbour", None, InvalidInput, "No server is named."),
        (None, URL, InvalidInput, "No project is named, and this folder suggests none."),
        ("a\nb", URL, InvalidInput, "That cannot be the name of a project."),
        ("harbour", "db", InvalidInput, "That is not the address of a PostgreSQL with a database."),
        ("quay", URL, NotFound, "No project 'quay'."),
    ],
)
async def test_what_cannot_be_joined_is_refused(tmp_path: Path, name, url, error, message):
    async with folder(tmp_path, Replica()) as opened:
        with pytest.raises(error) as refused:
            await opened.team.join(name, url)
        assert refused.value.message == message
        assert opened.replica.now is None


async def test_a_folder_takes_part_in_one_project(tmp_path: Path):
    async with folder(tmp_path) as opened:
        with pytest.raises(InvalidInput) as refused:
            await opened.team.join("quay", URL)
        assert (refused.value.message, refused.value.remedy) == (
            "This folder takes part in 'harbour' already.",
            "Leave it first: `plimsoll team leave`.",
        )


async def test_the_same_project_at_another_address_is_gone_on_with(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        await opened.team.join("harbour", "postgresql://ada@localhost/team")
        assert opened.server.closed == 1


async def test_making_a_project_and_suggesting_it(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        status = await opened.team.create("quay", URL, write_file=True)
        assert status.project == "quay"
        text = (tmp_path / ".plimsoll/project").read_text()
        assert text == f'id = "{opened.around.engine.projects["quay"].project}"\nname = "quay"\n'
        await opened.team.leave()
        with pytest.raises(InvalidInput, match=r"This folder has a file \.plimsoll/project"):
            await opened.team.create("pier", URL, write_file=True)
        assert set(opened.around.engine.projects) == {HARBOUR.name, "quay"}


async def test_leaving_ends_the_exchange_and_says_so(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        assert await opened.team.leave() == TeamStatus()
        assert (opened.replica.now, opened.server.closed) == (None, 1)
        assert opened.around.arrivals == [True]


async def test_accepting_a_colleague(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.accept("bob")
        assert (opened.replica.authors, opened.around.arrivals) == ({"bob"}, [False])
    async with folder(tmp_path, Replica()) as opened:
        with pytest.raises(InvalidInput, match=r"takes part in no team"):
            await opened.team.accept("bob")


async def test_the_password_of_the_variable_goes_to_the_driver_alone(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        opened.around.variables["PLIMSOLL_TEAM_PASSWORD"] = "anchors aweigh"
        await opened.team.join("harbour", URL)
        await opened.at_rest()
        complete = "postgresql://ada:anchors%20aweigh@127.0.0.1:5432/team"
        assert opened.around.engine.addresses == [complete, complete]
        assert "anchors" not in repr((opened.replica.now, opened.around.shown))
        assert opened.around.secrets("anchors aweigh") == "[redacted: team-password]"


async def test_the_password_of_a_client_goes_to_its_own_address(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        opened.around.passwords[URL] = "knots"
        await opened.team.join("harbour", URL)
        await opened.at_rest()
        assert set(opened.around.engine.addresses) == {URL.replace("@", ":knots@")}
        await opened.team.join("harbour", "postgresql://ada@localhost/team")
        assert opened.around.engine.addresses[-1] == "postgresql://ada@localhost/team"


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
