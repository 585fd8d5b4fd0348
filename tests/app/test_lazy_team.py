"""A folder's team in the process: nothing of it is loaded before the folder takes part in one."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll.app.lazy_team import LazyTeam, LoadedTeam
from plimsoll.errors import InvalidInput, StoreUnavailable
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.status import SuggestedProject, TeamState, TeamStatus
from plimsoll.team.service import FolderTeam
from team.ends import AT, HARBOUR, JOINED, URL, Around, Replica, Server, TestClock


class Loading:
    """A lazy team over a server in memory, and how often its code was asked for."""

    def __init__(self, root: Path, replica: Replica) -> None:
        self.clock = TestClock()
        self.around = Around(root, replica, Server(), self.clock)
        self.loads = 0
        self.waited: list[float] = []
        self.team = LazyTeam(
            root,
            replica,
            self.clock,
            self._load,
            changed=self.around.shown.append,
            wait=self._wait,
        )

    async def _wait(self, seconds: float) -> None:
        assert self.loads == 0
        self.waited.append(seconds)

    async def _load(self) -> LoadedTeam:
        self.loads += 1
        return FolderTeam(self.around.given)

    async def shown(self) -> TeamStatus:
        """Wait until it has shown how it stands."""
        while not self.around.shown:
            await asyncio.sleep(0)
        return self.around.shown[-1]


async def test_a_folder_of_no_team_loads_nothing_and_shows_what_it_suggests(tmp_path: Path):
    (tmp_path / ".plimsoll").mkdir()
    file = f'id = "{HARBOUR.project}"\nname = "harbour"\n'
    (tmp_path / ".plimsoll/project").write_text(file)
    there = Loading(tmp_path, Replica())
    assert there.team.status() == TeamStatus()
    there.team.wake()
    suggested = SuggestedProject(project=HARBOUR.project, name="harbour")
    assert await there.shown() == TeamStatus(suggested=suggested)
    assert await there.team.leave() == TeamStatus(suggested=suggested)
    assert await there.team.look() == TeamStatus(suggested=suggested)
    with pytest.raises(InvalidInput, match="takes part in no team"):
        await there.team.accept("bob")
    await there.team.close()
    assert there.loads == 0


async def test_what_was_joined_is_known_before_anything_is_loaded(tmp_path: Path):
    there = Loading(tmp_path, Replica(JOINED))
    await there.team.recall()
    status = there.team.status()
    assert (status.state, status.project, status.url) == (TeamState.OK, JOINED.name, JOINED.url)
    assert there.loads == 0


async def test_a_folder_that_has_joined_goes_on_beside(tmp_path: Path):
    there = Loading(tmp_path, Replica(JOINED))
    there.team.wake()
    assert (await there.shown()).project == "harbour"
    assert there.team.status().state is TeamState.OK
    # A first request has the processor for itself; meanwhile it stands as it was left.
    assert there.waited == [1.0]
    shown = [status.project for status in there.around.shown]
    assert set(shown) == {"harbour"}
    there.team.wake()
    await there.team.close()
    assert there.loads == 1


async def test_what_another_process_joins_is_noticed_within_half_a_minute(tmp_path: Path):
    replica = Replica()
    there = Loading(tmp_path, replica)
    there.team.wake()
    while there.team._looking is None or not there.team._looking.done():
        await asyncio.sleep(0)
    replica.now = JOINED
    there.clock.at = 29.0
    looked = there.team._looking
    there.team.wake()
    assert there.team._looking is looked
    there.clock.at = 30.0
    there.team.wake()
    assert (await there.shown()).project == "harbour"
    await there.team.close()


async def test_joining_loads_the_team_once(tmp_path: Path):
    there = Loading(tmp_path, Replica())
    status = await there.team.join("harbour", URL)
    assert (status.project, there.loads) == ("harbour", 1)
    assert (await there.team.look()).seen_at == AT
    await there.team.accept("bob")
    assert await there.team.leave() == TeamStatus()
    await there.team.close()
    assert there.loads == 1


async def test_a_store_that_cannot_be_read_is_no_end(tmp_path: Path, caplog):
    class Broken(Replica):
        async def read_joined(self) -> Joined | None:
            raise StoreUnavailable("The disk is gone.")

    there = Loading(tmp_path, Broken())
    there.team.wake()
    assert there.team._looking is not None
    await there.team._looking
    await there.team.close()
    assert "not known: The disk is gone." in caplog.text


LOADED = """
import sys
from plimsoll.cli import main
try:
    main(["run", "hello"])
except SystemExit as ended:
    print(ended.code, sorted(name for name in sys.modules if name in sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_turn_in_a_folder_of_no_team_loads_neither_the_driver_nor_our_part(tmp_path: Path):
    names = ("plimsoll.team", "psycopg", "psycopg_pool", "plimsoll.storage.postgres")
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *names],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "0 []", done.stderr
