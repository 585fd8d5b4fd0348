"""The one task that owns a server: it opens the conversation, hears its news, and ends it.

The library must be left by the task that entered it, whoever asks for the end.
"""

import asyncio
import logging
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from typing import cast

from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from plimsoll.cancellation import wait_through_cancel
from plimsoll.errors import PlimsollError, ToolFailed
from plimsoll.tools.mcp.client.http import FORGOTTEN
from plimsoll.tools.mcp.client.session import ServerSession
from plimsoll.tools.mcp.client.ways import Way
from plimsoll.tools.mcp.offered import Offered
from plimsoll.tools.mcp.process import LastWords

log = logging.getLogger(__name__)

_SETTLE_SECONDS = 0.2
"""A server that changes many tools says so for each."""


class ServerOwner:
    """Owns one run of a server."""

    def __init__(
        self, way: Way, *, seconds: float, heard: Callable[[Offered], None], now: Callable[[], str]
    ) -> None:
        """``seconds``: until it must have said what it offers. ``heard``: told what it offers."""
        self._way = way
        self._seconds = seconds
        self._heard = heard
        self._now = now
        self._stopping = asyncio.Event()
        self._ready: asyncio.Future[ServerSession] = asyncio.get_running_loop().create_future()
        self.failure: ToolFailed | None = None
        """Why it could not be started; the message is the end of a sentence."""
        self._attended = False
        self.task = asyncio.ensure_future(self._own())
        """Done when the server and all that it started have ended."""

    @property
    def is_ready(self) -> bool:
        """Whether it answered and has not ended since."""
        return self._ready.done() and not self.task.done() and self._ready.exception() is None

    @property
    def is_ending(self) -> bool:
        """Whether nothing can be asked of it any more."""
        return self._attended or self.task.done()

    @property
    def was_stopped(self) -> bool:
        """Whether it ends because somebody wanted it."""
        return self._stopping.is_set()

    async def session(self) -> ServerSession:
        """Return the conversation once it is open.

        Raises:
            ToolFailed: The server could not be started; the message is the end of a sentence.
        """
        return await asyncio.shield(self._ready)

    def last_words(self) -> LastWords:
        """Return what is known about why the server ended."""
        return self._way.last_words()

    @property
    def wants_login(self) -> bool:
        """Whether the person must log in at the server first."""
        return self._way.wants_login

    async def close(self) -> None:
        """End the server with all that it started."""
        self._stopping.set()
        if not self._ready.done():
            self.task.cancel()
        if await wait_through_cancel(self.task):
            raise asyncio.CancelledError

    async def _own(self) -> None:
        try:
            with _translate():
                async with AsyncExitStack() as ends:
                    async with asyncio.timeout(self._seconds):
                        session = await ends.enter_async_context(self._way.open())
                        offered = await session.read_offers(self._now())
                    self._heard(offered)
                    self._ready.set_result(session)
                    await self._attend(session)
                    self._attended = True
        except TimeoutError:
            self._fail(ToolFailed(f"it did not answer within {self._seconds:g} s"))
        except ToolFailed as error:
            self._fail(error)
        except asyncio.CancelledError:
            self._fail(ToolFailed("its start was broken off"))
            raise

    def _fail(self, error: ToolFailed) -> None:
        if self._ready.done():
            log.warning("a server ended badly: %s", error.message)
            return
        self.failure = error
        self._ready.set_exception(error)
        # Whether anybody waits for it or not.
        self._ready.exception()

    async def _attend(self, session: ServerSession) -> None:
        """Keep up with the lists of a server until it ends, or is to."""
        news = asyncio.ensure_future(session.hear_changes())
        ends = [
            asyncio.ensure_future(self._stopping.wait()),
            asyncio.ensure_future(self._way.wait_for_end()),
        ]
        changed = asyncio.ensure_future(session.changed.wait())
        try:
            while True:
                await asyncio.wait([*ends, changed], return_when=asyncio.FIRST_COMPLETED)
                if any(end.done() for end in ends):
                    return
                await asyncio.wait(ends, timeout=_SETTLE_SECONDS)
                session.changed.clear()
                changed = asyncio.ensure_future(session.changed.wait())
                await self._ask_again(session)
        finally:
            waiting = [news, changed, *ends]
            for one in waiting:
                one.cancel()
            await asyncio.wait(waiting)

    async def _ask_again(self, session: ServerSession) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                self._heard(await session.read_offers(self._now()))
        except (MCPError, ValidationError, TimeoutError) as error:
            log.warning("a server's changed lists are not read: %s", type(error).__name__)


@contextmanager
def _translate() -> Generator[None]:
    """Translate whatever the library raises, a group of errors too."""
    try:
        yield
    except (ToolFailed, TimeoutError):
        raise
    except PlimsollError as error:
        raise ToolFailed(error.message) from error
    except Exception as error:
        if isinstance(_first(error), TimeoutError):
            raise TimeoutError from error
        raise ToolFailed(reason_of(error)) from error


def is_hung_up(error: BaseException) -> bool:
    """Tell whether an error says that the connection has ended."""
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def is_forgotten(error: BaseException) -> bool:
    """Tell whether an error says that the server no longer knows the conversation."""
    return isinstance(error, MCPError) and error.code == FORGOTTEN


def reason_of(error: BaseException) -> str:
    """Say in a few words what an error of the library is, as the end of a sentence."""
    error = _first(error)
    if isinstance(error, MCPError):
        return f"it says: {error.error.message[:500]}"
    if isinstance(error, ValidationError):
        return "what it sent is not of the protocol"
    return f"{type(error).__name__}: {str(error)[:300]}"


def _first(error: BaseException) -> BaseException:
    if not isinstance(error, BaseExceptionGroup):
        return error
    return _first(cast("BaseExceptionGroup[BaseException]", error).exceptions[0])
