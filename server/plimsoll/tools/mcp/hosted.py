"""One configured server in a host: started when it is first needed, its state, and its use."""

import asyncio
import importlib
import importlib.util
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from plimsoll.errors import PlimsollError, StoreUnavailable, ToolFailed
from plimsoll.text.wording import how_to_install
from plimsoll.tools.mcp.needs import HostNeeds
from plimsoll.tools.mcp.offered import Offered, keep_offered, offer_file, read_offered
from plimsoll.tools.ports.mcp import McpOffer, McpServer, McpTool, State

if TYPE_CHECKING:
    from plimsoll.tools.mcp.client.owner import ServerOwner
    from plimsoll.tools.mcp.client.session import ServerSession

log = logging.getLogger(__name__)

RESTART_SECONDS = 60.0
"""What a server has when a person restarts it: it may fetch itself from a registry first."""
MOST_CRASHES = 3
"""After so many it is not started again before the person restarts it."""
_END_SECONDS = 10.0
_LONGEST_REASON = 1_000
_REMEDY = "Correct its command or address in the settings, then restart it."
_LIBRARY = "mcp"
_CLIENT = "plimsoll.tools.mcp.client.owner"
_Result = TypeVar("_Result")


def why_not_installed() -> str | None:
    """Say why no server can be used, and what to install; None if they can."""
    if importlib.util.find_spec(_LIBRARY) is not None:
        return None
    return f"the library for servers of tools is not installed ({how_to_install('mcp')})"


@dataclass(frozen=True, slots=True)
class ServerFailure:
    """Why a server is not usable."""

    error: str
    state: State = "failed"
    remedy: str | None = None


class HostedServer:
    """One server of a host."""

    def __init__(self, server: McpServer, needs: HostNeeds) -> None:
        """Read from disk what it last offered."""
        self.server = server
        self._needs = needs
        self._file = offer_file(needs.data, server)
        self._offered = read_offered(self._file)
        self._owner: ServerOwner | None = None
        self._failure: ServerFailure | None = None
        self._crashes = 0
        self._starting = asyncio.Lock()
        self._keeping = set[asyncio.Future[None]]()

    @property
    def state(self) -> State:
        """Whether it can be used now."""
        if not self.server.enabled:
            return "off"
        if self._failure is not None and self._failure.state != "idle":
            return self._failure.state
        if self._owner is not None and not self._owner.task.done():
            return "ready" if self._owner.is_ready else "starting"
        return "idle"

    def offer(self) -> McpOffer:
        """Return what is known of it."""
        found = self._offered or Offered(since="")
        off = self.server.off_tools
        tools = tuple(replace(one, enabled=one.name not in off) for one in found.tools)
        return McpOffer(
            server=self.server,
            state=self.state,
            error=self._failure.error if self._failure else found.left_out,
            remedy=self._failure.remedy if self._failure else None,
            since=found.since or None,
            instructions=found.instructions,
            tools=tools,
            prompts=found.prompts,
            resources=found.resources,
        )

    def tool(self, name: str) -> McpTool | None:
        """Return a tool by its name as the server has it."""
        return next((one for one in self.offer().tools if one.name == name), None)

    async def start(self, seconds: float | None = None) -> "ServerSession":
        """Start it if it does not run, and return the conversation with it.

        Raises:
            ToolFailed: It is switched off, has failed, or fails now.
        """
        if not self.server.enabled:
            raise ToolFailed(f"The server {self.server.name} is switched off.")
        async with self._starting:
            if self._owner is not None and self._owner.task.done():
                self._owner = None
            if self._failure is not None and self._failure.state != "idle":
                raise ToolFailed(self._failure.error)
            if self._owner is None:
                self._owner = await self._open(seconds or self._needs.start_seconds)
            owner = self._owner
        try:
            return await owner.session()
        except ToolFailed as error:
            await asyncio.wait([owner.task])
            raise ToolFailed(self._failure.error if self._failure else error.message) from error

    async def use(self, work: Callable[["ServerSession"], Awaitable[_Result]]) -> _Result:
        """Do something with it, started if need be.

        Raises:
            ToolFailed: It fails, or does not answer.
        """
        session = await self.start()
        owner = self._owner
        try:
            return await work(session)
        except TimeoutError as error:
            raise ToolFailed(f"The server {self.server.name} gave no answer.") from error
        except PlimsollError:
            raise
        except Exception as error:
            raise ToolFailed(await self._why_not_answered(error, owner)) from error

    async def _why_not_answered(self, error: Exception, owner: "ServerOwner | None") -> str:
        from plimsoll.tools.mcp.client.owner import is_hung_up, reason_of

        name = self.server.name
        if owner is None or not is_hung_up(error):
            return f"The server {name} did not answer: {self._clean(reason_of(error))}."
        await asyncio.wait([owner.task], timeout=_END_SECONDS)
        why = self._ended(owner, "its connection ended")
        return f"The server {name} ended before it answered: {why}. What it did is not known."

    async def restart(self) -> McpOffer:
        """End it and start it anew, also if it had failed."""
        await self.close()
        self._failure, self._crashes = None, 0
        self._needs.changed(self.server.name)
        if self.server.enabled:
            try:
                await self.start(RESTART_SECONDS)
            except ToolFailed as error:
                log.info("a server was not restarted: %s", error.message)
        return self.offer()

    async def close(self) -> None:
        """End it with all that it started."""
        owner, self._owner = self._owner, None
        if owner is not None:
            await owner.close()
        if self._keeping:
            await asyncio.wait(self._keeping)

    async def _open(self, seconds: float) -> "ServerOwner":
        if why := why_not_installed():
            self._failure = ServerFailure(
                f"The server {self.server.name} cannot be used: {why}.",
                remedy=f"Install it: {how_to_install('mcp')}.",
            )
            self._needs.changed(self.server.name)
            raise ToolFailed(self._failure.error)
        # Its import takes a second, for which nobody waits but the first who needs it.
        await asyncio.to_thread(importlib.import_module, _CLIENT)
        from plimsoll.tools.mcp.client.owner import ServerOwner
        from plimsoll.tools.mcp.client.ways import way_to

        self._failure = None
        owner = ServerOwner(
            way_to(self.server, self._needs),
            seconds=seconds,
            heard=self._hear_offer,
            now=self._needs.now,
        )
        owner.task.add_done_callback(lambda _: self._hear_end(owner))
        self._needs.changed(self.server.name)
        return owner

    def _hear_offer(self, offered: Offered) -> None:
        self._offered = offered
        keeping = asyncio.ensure_future(self._keep(offered))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        self._needs.changed(self.server.name)

    async def _keep(self, offered: Offered) -> None:
        try:
            await asyncio.to_thread(keep_offered, self._file, offered)
        except StoreUnavailable as error:
            log.warning("what a server offers is not kept: %s", error.message)

    def _hear_end(self, owner: "ServerOwner") -> None:
        """Remember why a server ended, unless somebody wanted it."""
        name = self.server.name
        if owner.was_stopped:
            return
        if owner.failure is not None:
            why = self._ended(owner, owner.failure.message)
            self._failure = ServerFailure(
                f"The server {name} could not be started: {why}.", remedy=_REMEDY
            )
        else:
            self._crashes += 1
            why = self._ended(owner, "its connection ended")
            gone = self._crashes >= MOST_CRASHES
            self._failure = ServerFailure(
                f"The server {name} ended by itself: {why}.",
                state="failed" if gone else "idle",
                remedy=_REMEDY if gone else None,
            )
        log.warning("%s", self._failure.error)
        self._needs.changed(name)

    def _ended(self, owner: "ServerOwner", otherwise: str) -> str:
        words = owner.last_words()
        how = words.how or otherwise
        return self._clean(f"{how}; it wrote: {words.wrote}" if words.wrote else how)

    def _clean(self, text: str) -> str:
        told = "".join(sign if sign.isprintable() else " " for sign in self._needs.redact(text))
        return told[:_LONGEST_REASON].rstrip(" .")
