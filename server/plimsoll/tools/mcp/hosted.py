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
AGAIN_SECONDS = 30.0
"""After so long an address that was not reached is tried again when it is needed."""
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
    again: float | None = None
    """From when on it may be tried again unasked, by the loop's clock; none: never."""


class HostedServer:
    """One server of a host."""

    def __init__(self, server: McpServer, needs: HostNeeds) -> None:
        """Read from disk what it last offered."""
        self.server = server
        self._needs = needs
        self._file = None if needs.data is None else offer_file(needs.data, server)
        self._offered = None if self._file is None else read_offered(self._file)
        self._tools: dict[str, McpTool] = {}
        self._mark_tools()
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

    @property
    def may_start(self) -> bool:
        """Whether it is started when somebody needs it, or is being started."""
        failure = self._failure
        if not self.server.enabled:
            return False
        if failure is None or failure.state == "idle":
            return True
        return failure.again is not None and asyncio.get_running_loop().time() >= failure.again

    def offer(self) -> McpOffer:
        """Return the state of the server, and its last known offers."""
        found = self._offered or Offered(since="")
        return McpOffer(
            server=self.server,
            state=self.state,
            error=self._failure.error if self._failure else found.left_out,
            remedy=self._failure.remedy if self._failure else None,
            since=found.since or None,
            instructions=found.instructions,
            tools=tuple(self._tools.values()),
            prompts=found.prompts,
            resources=found.resources,
        )

    def tool(self, name: str) -> McpTool | None:
        """Return a tool by its name as the server has it."""
        return self._tools.get(name)

    def configure(self, server: McpServer) -> None:
        """Take over which of it is switched on; how it is reached stays."""
        changed = server.off_tools != self.server.off_tools
        self.server = server
        if changed:
            self._mark_tools()

    def _mark_tools(self) -> None:
        """Mark the tools that are switched off; offers are asked for often."""
        off = self.server.off_tools
        known = self._offered.tools if self._offered else ()
        self._tools = {one.name: replace(one, enabled=one.name not in off) for one in known}

    async def start(self, seconds: float | None = None) -> "ServerSession":
        """Start it if it does not run, and return the conversation with it.

        Raises:
            ToolFailed: It is switched off, has failed, or fails now.
        """
        if not self.server.enabled:
            raise ToolFailed(f"The server {self.server.name} is switched off.")
        async with self._starting:
            if self._owner is not None and self._owner.is_ending:
                # The one before must be gone first: two would be in each other's way.
                await asyncio.wait([self._owner.task])
                self._owner = None
            if self._failure is not None and not self.may_start:
                raise ToolFailed(self._failure.error)
            if self._owner is None:
                self._owner = await self._open(seconds or self._needs.start_seconds)
            owner = self._owner
        try:
            return await owner.session()
        except ToolFailed as error:
            await asyncio.wait([owner.task])
            raise ToolFailed(self._failure.error if self._failure else error.message) from error

    async def use(
        self, work: Callable[["ServerSession"], Awaitable[_Result]], *, once_more: bool = True
    ) -> _Result:
        """Do something with it, started if need be.

        ``once_more``: also where it has forgotten the conversation, and so did nothing.

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
            if owner is None or not once_more or not _is_forgotten(error):
                raise ToolFailed(await self._why_not_answered(error, owner)) from error
        await owner.close()
        return await self.use(work, once_more=False)

    async def _why_not_answered(self, error: Exception, owner: "ServerOwner | None") -> str:
        from plimsoll.tools.mcp.client.owner import is_hung_up, reason_of

        name = self.server.name
        if owner is not None and owner.wants_login:
            self._failure = self._login_wanted()
            await owner.close()
            self._needs.changed(name)
            return self._failure.error
        if owner is None or not is_hung_up(error):
            known = owner.last_words().how if owner is not None and self.server.url else None
            return f"The server {name} did not answer: {self._clean(known or reason_of(error))}."
        await asyncio.wait([owner.task], timeout=_END_SECONDS)
        why = self._describe_end(owner, "its connection ended")
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
                log.info("a server was not restarted: %s", type(error).__name__)
        return self.offer()

    async def log_in(self, open_url: Callable[[str], None]) -> McpOffer:
        """Log the person in, and start it anew.

        Raises:
            ToolFailed: It is no server at an address, or the login did not work.
        """
        if not self.server.url:
            raise ToolFailed(f"The server {self.server.name} is a program here: it has no login.")
        if why := why_not_installed():
            raise ToolFailed(f"No login is possible: {why}.")
        await asyncio.to_thread(importlib.import_module, _CLIENT)
        from plimsoll.tools.mcp.client.ways import log_in

        await log_in(self.server, self._needs, open_url)
        return await self.restart()

    async def close(self) -> None:
        """End it with all that it started."""
        owner, self._owner = self._owner, None
        if owner is not None:
            await owner.close()
        if self._keeping:
            await asyncio.wait(self._keeping)

    async def _open(self, seconds: float) -> "ServerOwner":
        self._failure = self._why_not()
        if self._failure is not None:
            self._needs.changed(self.server.name)
            raise ToolFailed(self._failure.error)
        # Its import takes a second, for which nobody waits but the first who needs it.
        await asyncio.to_thread(importlib.import_module, _CLIENT)
        from plimsoll.tools.mcp.client.owner import ServerOwner
        from plimsoll.tools.mcp.client.ways import way_to

        owner = ServerOwner(
            way_to(self.server, self._needs),
            seconds=seconds,
            heard=self._hear_offer,
            now=self._needs.now,
        )
        owner.task.add_done_callback(lambda _: self._hear_end(owner))
        self._needs.changed(self.server.name)
        return owner

    def _why_not(self) -> ServerFailure | None:
        """Return why the server cannot be started at all; None if it can."""
        name, missing = self.server.name, self.server.missing
        if why := why_not_installed():
            return ServerFailure(
                f"The server {name} cannot be used: {why}.",
                remedy=f"Install it: {how_to_install('mcp')}.",
            )
        if missing:
            return ServerFailure(
                f"The server {name} needs {', '.join(missing)} of the environment, not set here.",
                remedy="Set it where Plimsoll is started, then restart Plimsoll.",
            )
        return None

    def _hear_offer(self, offered: Offered) -> None:
        self._offered = offered
        self._mark_tools()
        keeping = asyncio.ensure_future(self._keep(offered))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        self._needs.changed(self.server.name)

    async def _keep(self, offered: Offered) -> None:
        if self._file is None:
            return
        try:
            await asyncio.to_thread(keep_offered, self._file, offered)
        except StoreUnavailable as error:
            log.warning("what a server offers is not kept: %s", error.message)

    def _hear_end(self, owner: "ServerOwner") -> None:
        """Remember why a server ended, unless somebody wanted it."""
        if owner.was_stopped:
            return
        self._failure = self._failure_of(owner)
        if self._failure is not None:
            # What it said may be of a conversation: it stands in the offer alone.
            log.warning(
                "the MCP server %s is not usable: %s", self.server.name, self._failure.state
            )
        self._needs.changed(self.server.name)

    def _failure_of(self, owner: "ServerOwner") -> ServerFailure | None:
        name = self.server.name
        if owner.wants_login:
            return self._login_wanted()
        if owner.failure is not None:
            why = self._describe_end(owner, owner.failure.message)
            return ServerFailure(
                f"The server {name} could not be started: {why}.",
                remedy=_REMEDY,
                again=self._again(),
            )
        if self.server.url:
            # Nothing of it runs here: it is asked anew whenever it is needed.
            return None
        self._crashes += 1
        end = self._describe_end(owner, "its connection ended")
        error = f"The server {name} ended by itself: {end}."
        if self._crashes < MOST_CRASHES:
            return ServerFailure(error, state="idle")
        return ServerFailure(error, remedy=_REMEDY)

    def _again(self) -> float | None:
        """Return when a server may be tried again unasked.

        A network comes back by itself, and a login may be one of another window.
        """
        return asyncio.get_running_loop().time() + AGAIN_SECONDS if self.server.url else None

    def _login_wanted(self) -> ServerFailure:
        return ServerFailure(
            f"The server {self.server.name} wants a login.",
            state="signIn",
            remedy="Log in at it; it opens in the browser.",
            again=self._again(),
        )

    def _describe_end(self, owner: "ServerOwner", otherwise: str) -> str:
        words = owner.last_words()
        how = words.how or otherwise
        return self._clean(f"{how}; it wrote: {words.wrote}" if words.wrote else how)

    def _clean(self, text: str) -> str:
        told = "".join(sign if sign.isprintable() else " " for sign in self._needs.redact(text))
        return told[:_LONGEST_REASON].rstrip(" .")


def _is_forgotten(error: Exception) -> bool:
    from plimsoll.tools.mcp.client.owner import is_forgotten

    return is_forgotten(error)
