"""A session that the client has open, and the prompt of it that waits for the end of its turn."""

import asyncio
from dataclasses import dataclass, field

from plimsoll.acp.given_servers import NO_SERVERS, GivenServers
from plimsoll.session.ports.events import TurnEnded
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.session.turn.queueing import Accepted
from plimsoll.tools.ports.mcp import McpServer


@dataclass(slots=True)
class WaitingPrompt:
    """A prompt that is not answered yet."""

    starting: asyncio.Task[Accepted]
    """Accepts it: what is attached is read, and hooks run."""
    cancelled: bool = False
    """Whether the client has cancelled it."""
    ends: dict[str, TurnEnded] = field(default_factory=dict[str, TurnEnded])
    """The ends of turns that came since."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def note_end(self, ended: TurnEnded) -> None:
        """Record the end of a turn, which may come before the id of the prompt's turn is known."""
        self.ends[ended.turn] = ended
        self.ended.set()

    async def end_of(self, turn: str) -> TurnEnded:
        """Wait for the end of a turn."""
        while turn not in self.ends:
            self.ended.clear()
            await self.ended.wait()
        return self.ends[turn]

    def cancel(self) -> None:
        """Mark the prompt as cancelled, and stop starting its turn."""
        self.cancelled = True
        self.starting.cancel()


@dataclass(slots=True, kw_only=True)
class OpenedSession:
    """A session that the client has opened, in its folder."""

    id: str
    project: Project
    waiting: WaitingPrompt | None = None
    servers: GivenServers = NO_SERVERS
    """The MCP servers that the client gave it."""
    allowed: list[McpServer] = field(default_factory=list[McpServer])
    """Those that the person has allowed, whole: one of the same name may start something else."""
    refused: list[McpServer] = field(default_factory=list[McpServer])
    """Those that the person does not want."""
    used: int = 0
    """Counts the uses of all sessions: the one used last has the highest."""
    shown: int | None = None
    """Entries of the log that the client was shown, or has made itself; none: it knows nothing."""

    async def load(self) -> Session:
        """Return the live session; one that nobody used for a while is loaded again.

        Raises:
            NotFound: It was deleted meanwhile.
        """
        return await self.project.load(self.id)

    def undecided_servers(self) -> list[McpServer]:
        """Return the servers that the client gave and the person has not decided about."""
        decided = (*self.allowed, *self.refused)
        return [each for each in self.servers.servers if each not in decided]

    def allowed_servers(self) -> list[McpServer]:
        """Return the servers that the client gives now and the person has allowed."""
        return [each for each in self.servers.servers if each in self.allowed]

    def note_shown(self) -> None:
        """Note that the client has been shown the whole log."""
        session = self.live()
        if session is not None:
            self.shown = len(session.state.log.fold.entries)

    def live(self) -> Session | None:
        """Return the session if it is in memory: in a turn it always is."""
        return self.project.live.get(self.id)
