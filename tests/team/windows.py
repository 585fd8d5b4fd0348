"""Windows of people's folders: what is open in one process, with its part in the team."""

from pathlib import Path

from plimsoll.memory.service import Memories
from plimsoll.memory.types import MemoryScope, MemoryType, NewNote
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.clock import SystemClock
from plimsoll.settings import Settings
from plimsoll.storage.locate import locate
from plimsoll.storage.registry import open_store
from plimsoll.team.engine import PostgresEngine
from plimsoll.team.service import FolderTeam
from plimsoll.team.surroundings import TeamSurroundings


class Window:
    """A folder that is open in one process, and its part in the team."""

    def __init__(self, root: Path, data: Path, url: str, password: str) -> None:
        self.said: list[str] = []
        self.arrivals = 0
        self.settings = Settings()
        self._root, self._data = root, data
        self.url, self._password = url, password

    async def open(self) -> "Window":
        paths = locate(self._root, self._data)
        self.store = await open_store("sqlite", paths, Secrets({}), self.said.append)
        clock = SystemClock()
        self.memories = Memories(self.store.memories, lambda: clock.new_id("m"), clock.now)
        engine = PostgresEngine(
            redact=Secrets({}), machine_id="here", machine_name="laptop", tools={}
        )
        self.around = TeamSurroundings(
            root=self._root,
            replica=self.store.replica,
            engine=engine,
            clock=clock,
            secrets=Secrets({}),
            variables={"PLIMSOLL_TEAM_PASSWORD": self._password},
            passwords={},
            settings=lambda: self.settings,
            changed=lambda _: None,
            say=self.said.append,
            arrived=self._arrive,
        )
        self.team = FolderTeam(self.around)
        return self

    async def _arrive(self, removed: bool) -> None:
        self.arrivals += 1

    async def close(self) -> None:
        await self.team.close()
        await self.store.close()

    async def share(self, title: str) -> str:
        note = NewNote(type=MemoryType.DECISION, title=title, content=title, scope=MemoryScope.TEAM)
        return (await self.memories.add(note)).id

    async def titles(self) -> list[tuple[str, str]]:
        return sorted((one.title, one.state.value) for one in await self.memories.all())
