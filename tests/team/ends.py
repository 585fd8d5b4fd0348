"""Both ends of an exchange for the tests: a team's server in memory, and a folder's copy of it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plimsoll.errors import InvalidInput, NotFound, StoreUnavailable
from plimsoll.memory.types import Author, Memory, MemoryType, Trust
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.clock import CountedClock
from plimsoll.settings import Settings
from plimsoll.storage.shared.base import Joined, Membership
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import Done, Operation, Outcome, Queued, SharedMemory
from plimsoll.storage.shared.reasons import Reason
from plimsoll.storage.shared.status import SuggestedProject, TeamStatus
from plimsoll.team.surroundings import TeamSurroundings

AT = "2000-01-01T00:00:00.000Z"
PROJECT = "11111111-2222-4333-8444-555555555555"
URL = "postgresql://ada@127.0.0.1:5432/team"
JOINED = Joined(project=PROJECT, name="harbour", url=URL, joined_at=AT)
HARBOUR = SuggestedProject(project=PROJECT, name="harbour")


def memory(name: str, title: str = "A title") -> Memory:
    return Memory(
        id=name,
        type=MemoryType.DECISION,
        title=title,
        content=f"content of {name}",
        author=Author.USER,
        trust=Trust.USER,
        created_at=AT,
    )


def shared(name: str, author: str = "bob") -> SharedMemory:
    return SharedMemory(memory=memory(name), version=1, author_name=author, is_own=False)


def away() -> StoreUnavailable:
    return StoreUnavailable(
        "The team's server at db cannot be reached.",
        remedy="Check it.",
        data={"reason": Reason.AWAY},
    )


class TestClock(CountedClock):
    """A clock that a test sets."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self.at = 0.0

    def seconds(self) -> float:
        return self.at

    def now(self) -> str:
        return f"2000-01-01T00:00:{self.at:06.3f}Z"


class Server:
    """A ``TeamServer``; ``fails`` says what the next requests of each kind come to."""

    def __init__(self, rights: str = "write", clock: TestClock | None = None) -> None:
        self.member = Membership("ada", rights)
        self.pushed: list[Queued] = []
        self.outcomes: dict[str, Outcome] = {}
        self.pages: list[News] = []
        self.fails: dict[str, Exception] = {}
        self.asked: list[int] = []
        self.closed = 0
        self.takes = 0.0
        """Seconds of an answer."""
        self._clock = clock

    @property
    def sessions(self) -> object:
        raise AssertionError("no session travels here")

    async def membership(self) -> Membership:
        self._fail("membership")
        return self.member

    async def push(self, queued: Queued) -> Outcome:
        self._fail("push")
        self.pushed.append(queued)
        return self.outcomes.get(queued.key, Done(1))

    async def news(self, since: int, limit: int = 500) -> News:
        self._fail("news")
        self.asked.append(since)
        if self._clock is not None:
            self._clock.at += self.takes
        later = [page for page in self.pages if page.position > since]
        return later[0] if later else News(position=since)

    async def close(self) -> None:
        self.closed += 1

    def _fail(self, kind: str) -> None:
        if kind in self.fails:
            raise self.fails[kind]


class Replica:
    """A ``TeamReplica`` in memory."""

    def __init__(self, joined: Joined | None = None, *waiting: Queued) -> None:
        self.now = joined
        self.waiting = list(waiting)
        self.settled: list[tuple[str, Outcome]] = []
        self.taken: list[tuple[News, str]] = []
        self.authors: set[str] = set()

    async def read_joined(self) -> Joined | None:
        return self.now

    async def join(self, joined: Joined) -> None:
        self.now = joined

    async def leave(self) -> None:
        self.now = None
        self.waiting.clear()

    async def read_queued(self, limit: int = 50) -> list[Queued]:
        return self.waiting[:limit]

    async def count_queued(self) -> int:
        return len(self.waiting)

    async def settle(self, queued: Queued, outcome: Outcome, at: str) -> None:
        self.waiting = [each for each in self.waiting if each.key != queued.key]
        self.settled.append((queued.key, outcome))

    async def enqueue(self, operation: Operation) -> None:
        self.waiting.append(Queued(f"k{len(self.settled) + len(self.waiting)}", operation))

    async def take_in(self, news: News, at: str, accept: str = "known") -> bool:
        assert self.now is not None
        self.now = replace(self.now, position=news.position, seen_at=at)
        self.taken.append((news, accept))
        return not news.is_empty

    async def accepted_authors(self) -> frozenset[str]:
        return frozenset(self.authors)

    async def accept_author(self, name: str, at: str) -> None:
        self.authors.add(name)


class Engine:
    """A ``TeamEngine`` with one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.projects = {HARBOUR.name: HARBOUR}
        self.addresses: list[str] = []
        self.opened = 0

    async def create(self, address: str, name: str) -> SuggestedProject:
        self.addresses.append(address)
        if name in self.projects:
            raise InvalidInput("There is one.")
        made = SuggestedProject(project=PROJECT.replace("1", "7"), name=name)
        self.projects[name] = made
        return made

    async def find(self, address: str, named: str) -> SuggestedProject:
        self.addresses.append(address)
        found = [one for one in self.projects.values() if named in {one.name, one.project}]
        if not found:
            raise NotFound("project", named)
        return found[0]

    async def open(self, address: str, project: str) -> Server:
        self.addresses.append(address)
        if "open" in self.server.fails:
            raise self.server.fails["open"]
        self.opened += 1
        return self.server


class Around:
    """The surroundings of a folder's part in a team, and what it has said to them."""

    def __init__(self, root: Path, replica: Replica, server: Server, clock: TestClock) -> None:
        self.engine = Engine(server)
        self.shown: list[TeamStatus] = []
        self.said: list[str] = []
        self.arrivals: list[bool] = []
        self.settings = Settings()
        self.secrets = Secrets({})
        self.variables: dict[str, str] = {}
        self.passwords: dict[str, str] = {}
        self.given = TeamSurroundings(
            root=root,
            replica=replica,
            engine=self.engine,
            clock=clock,
            secrets=self.secrets,
            variables=self.variables,
            passwords=self.passwords,
            settings=lambda: self.settings,
            changed=self.shown.append,
            say=self.said.append,
            arrived=self._arrive,
        )

    async def _arrive(self, removed: bool) -> None:
        self.arrivals.append(removed)

    @property
    def states(self) -> Sequence[str]:
        return [status.state.value for status in self.shown]
